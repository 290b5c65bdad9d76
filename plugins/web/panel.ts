import { defineError, type PrinterSession } from '../../core/index.js'

/** A panel of the web page. */
export interface DashboardPanel {
  /** Lower-case letters, digits and dashes; unique among panels of the page. */
  readonly id: string
  readonly title: string
  readonly slot: 'dashboard'
  /**
   * An `<svg>` document, shown as a picture, or HTML, shown in a frame without scripts, forms and own styles.
   * Text from the printer must be escaped. Called for every open page every few seconds, so it should be fast.
   *
   * @returns undefined to hide the panel
   */
  render (session: PrinterSession): string | undefined
}

export const defineDashboardPanel = (panel: DashboardPanel): DashboardPanel => Object.freeze(panel)

export const BadPanel = defineError<[panel: string, plugin: string, problem: string]>(
  'PRN_ERR_PANEL', "Panel '%s' of plugin '%s': %s")

const ID = /^[a-z][a-z0-9-]{0,39}$/

function problemOf ({ id, title, render }: DashboardPanel): string | undefined {
  if (typeof id !== 'string' || !ID.test(id)) {
    return 'the id must be lower-case letters, digits and hyphens, 40 at most'
  }
  if (typeof title !== 'string' || title.trim() === '') return 'the title is empty'
  return typeof render === 'function' ? undefined : 'render must be a function'
}

/** @throws PRN_ERR_PANEL naming the panel and its plugin */
export function checkPanels (panels: readonly DashboardPanel[], originOf: (panel: DashboardPanel) => string): void {
  const seen = new Map<string, DashboardPanel>()
  for (const panel of panels) {
    const first = seen.get(panel.id)
    const problem = first ? `plugin '${originOf(first)}' has one of the same id` : problemOf(panel)
    const plugin = originOf(panel)
    if (problem !== undefined) throw new BadPanel(String(panel.id), plugin, problem).with({ plugins: [plugin] })
    seen.set(panel.id, panel)
  }
}
