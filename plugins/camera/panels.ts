import type { PrinterSession } from '../../core/index.js'

/** A panel of the stream page. */
export interface HudPanel {
  /** Letters, digits and dashes; unique among panels. */
  readonly id: string
  readonly title: string
  readonly slot: 'hud'
  /**
   * HTML or SVG without scripts. Data from the printer must be escaped. Called every few seconds for every open page,
   * so it should be fast. @returns undefined to hide the panel
   */
  render (session: PrinterSession): string | undefined
}

declare module 'prnd' {
  /** Contributions by slot; a plugin that renders a slot declares it here. */
  interface PanelSlots { hud: HudPanel }
  interface Contributions { panels: PanelSlots[keyof PanelSlots] }
}

export const defineHudPanel = (panel: HudPanel): HudPanel => Object.freeze(panel)
