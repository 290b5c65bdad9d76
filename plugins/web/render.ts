import type { PrinterSession } from '../../core/index.js'
import type { DashboardPanel } from './panel.js'

/** A panel as the page gets it. */
export interface DrawnPanel {
  readonly id: string
  readonly title: string
  readonly markup: string
  /** An SVG, to be shown as a picture. */
  readonly picture: boolean
}

const SVG = /^\s*(?:<\?xml[^>]*>\s*)?<svg[\s>]/i

/** Draws panels; one that fails is left out, and the log says why, once. */
export function renderPanels (panels: readonly DashboardPanel[],
  complain: (panel: DashboardPanel, error: unknown) => void): (session: PrinterSession) => DrawnPanel[] {
  const told = new Set<DashboardPanel>()

  function draw (panel: DashboardPanel, session: PrinterSession): string | undefined {
    try {
      const markup = panel.render(session)
      if (markup === undefined || typeof markup === 'string') return markup
      throw new TypeError('render must return text')
    } catch (error) {
      if (!told.has(panel)) complain(panel, error)
      told.add(panel)
      return undefined
    }
  }

  return session => panels.flatMap(panel => {
    const markup = draw(panel, session)
    return markup === undefined ? [] : [{ id: panel.id, title: panel.title, markup, picture: SVG.test(markup) }]
  })
}
