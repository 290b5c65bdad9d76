/** What the words of a command are: a temperature or a position has further limits. */
export interface CommandRule {
  /** Letters that it may have. */
  readonly words: string
  /** Letters of which it has to have at least one; none if left out. */
  readonly needs?: string
  readonly does: 'move' | 'dwell' | 'home' | 'absolute' | 'relative' | 'heat' | 'fan' | 'wait'
  readonly heater?: 'nozzle' | 'bed' | 'chamber'
}

/**
 * All that a recipe may say. Whatever stores settings, moves the origin, extrudes, changes a tool, switches limits or
 * motors off, or is decided by the printer is not here, and what is not here is refused.
 */
export const COMMANDS: Readonly<Record<string, CommandRule>> = {
  G0: { words: 'XYZF', needs: 'XYZF', does: 'move' },
  G1: { words: 'XYZF', needs: 'XYZF', does: 'move' },
  G4: { words: 'PS', needs: 'PS', does: 'dwell' },
  G28: { words: 'XYZ', does: 'home' },
  G90: { words: '', does: 'absolute' },
  G91: { words: '', does: 'relative' },
  M104: { words: 'S', needs: 'S', does: 'heat', heater: 'nozzle' },
  M109: { words: 'SR', needs: 'SR', does: 'heat', heater: 'nozzle' },
  M140: { words: 'S', needs: 'S', does: 'heat', heater: 'bed' },
  M190: { words: 'SR', needs: 'SR', does: 'heat', heater: 'bed' },
  M141: { words: 'S', needs: 'S', does: 'heat', heater: 'chamber' },
  M191: { words: 'S', needs: 'S', does: 'heat', heater: 'chamber' },
  M106: { words: 'PS', needs: 'S', does: 'fan' },
  M107: { words: 'P', does: 'fan' },
  M400: { words: 'PS', does: 'wait' }
}

/** Homing without an axis homes all of them. `G28 X` and the like have no number. */
export const FLAGS = 'XYZ'
