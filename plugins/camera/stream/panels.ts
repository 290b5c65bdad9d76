import type { Kernel, PrinterSession } from '../../../core/index.js'
import type { HudPanel } from '../panels.js'

function draw (kernel: Kernel, panel: HudPanel, session: PrinterSession): string | undefined {
  const guard = kernel.pluginFaults.guard(kernel.originOf(panel), 'panel of the stream page', panel.id)
  return guard.run(() => {
    const html: unknown = panel.render(session)
    if (html === undefined || typeof html === 'string') return html
    throw new TypeError('render must return text')
  }, { panel: panel.id, printer: session.name })
}

/** The contributed panels as drawn now; one that fails is left out. */
export function renderPanels (kernel: Kernel, session: PrinterSession) {
  return kernel.contributed('panels').filter(panel => panel.slot === 'hud').flatMap(panel => {
    const html = draw(kernel, panel, session)
    return html === undefined ? [] : [{ id: panel.id, title: panel.title, html }]
  })
}
