import type { Arc } from './arc.js'

/** One move as the printer would make it. It is reused for the next one, so copy what you need later. */
export interface Move {
  line: number
  /** mm, in the printer's own coordinates. */
  fromX: number
  fromY: number
  fromZ: number
  toX: number
  toY: number
  toZ: number
  /** Of the curve; undefined for a straight move. */
  arc: Arc | undefined
  /** mm of path; 0 for one that only extrudes. */
  length: number
  /** mm of filament; negative for a retraction. */
  extruded: number
  /** mm/s. */
  speed: number
  /** From 0. */
  tool: number
  /** From 1; 0 before the first. */
  layer: number
  /** Place in `FEATURES`. */
  feature: number
  /** 0 for none. */
  object: number
  isWipe: boolean
  isSkippable: boolean
}

export type Heater = 'nozzle' | 'bed' | 'chamber'

/** Everything else that a file tells the printer to do and that matters to a reader. */
export interface Orders {
  move (move: Move): void
  /** A layer begins. @param z mm, where known */
  layer (layer: number, z: number | undefined, line: number): void
  /** @param waits until it is reached */
  heat (heater: Heater, celsius: number, tool: number | undefined, waits: boolean, line: number): void
  tool (tool: number, line: number): void
  home (axes: { readonly x: boolean, readonly y: boolean, readonly z: boolean }, line: number): void
  /** @param seconds of standing still */
  dwell (seconds: number, line: number): void
  /** mm/s², for extrusion and for travel; undefined leaves one as it was. */
  acceleration (print: number | undefined, travel: number | undefined, line: number): void
  /** mm/s, by axis. */
  jerk (x: number | undefined, y: number | undefined, z: number | undefined, e: number | undefined, line: number): void
  /** Progress as the slicer counts it: percent and minutes left. */
  progress (percent: number, minutesLeft: number, line: number): void
  /** The printer begins to change the filament, or has done so. @param tool undefined to take it out only */
  change (isBegin: boolean, tool: number | undefined, line: number): void
  /** A command that none of the above stands for. */
  other (letter: string, code: number, line: number): void
  tooLong (line: number): void
  /** What stands there is no text, or a number of a move is none. */
  unreadable (line: number): void
  /** Text that is neither a command nor a comment; slicers for other printers write macros. */
  unknown (line: number): void
}
