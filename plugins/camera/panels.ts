import type { PrinterSession } from '../../core/index.js'

/** A panel of the stream page. */
export interface HudPanel {
  /** Letters, digits and dashes; unique among panels. */
  readonly id: string
  readonly title: string
  readonly slot: 'hud'
  /**
   * HTML or SVG without scripts. What comes from the printer must be escaped. Drawn for every page every few
   * seconds, so it should be quick. @returns undefined to hide the panel
   */
  render (session: PrinterSession): string | undefined
}

declare module 'prnd' {
  /** What fits into each slot; whoever shows a slot adds its own. */
  interface PanelSlots { hud: HudPanel }
  interface Contributions { panels: PanelSlots[keyof PanelSlots] }
}

export const defineHudPanel = (panel: HudPanel): HudPanel => Object.freeze(panel)
