import type { Kernel, PrinterSession } from '../../core/index.js'
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

function draw (kernel: Kernel, panel: DashboardPanel, session: PrinterSession): string | undefined {
  const guard = kernel.pluginFaults.guard(kernel.originOf(panel), 'panel of the page', panel.id)
  return guard.run(() => {
    const markup: unknown = panel.render(session)
    if (markup === undefined || typeof markup === 'string') return markup
    throw new TypeError('render must return text')
  }, { panel: panel.id, printer: session.name })
}

/** Draws panels; one that fails is left out. */
export function renderPanels (kernel: Kernel, panels: readonly DashboardPanel[], session: PrinterSession):
DrawnPanel[] {
  return panels.flatMap(panel => {
    const markup = draw(kernel, panel, session)
    return markup === undefined ? [] : [{ id: panel.id, title: panel.title, markup, picture: SVG.test(markup) }]
  })
}
