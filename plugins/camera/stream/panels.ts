import type { Kernel, PrinterSession } from '../../../core/index.js'

/** The contributed panels as drawn now; one that fails is left out. */
export function renderPanels (kernel: Kernel, session: PrinterSession) {
  return kernel.contributed('panels').filter(panel => panel.slot === 'hud').flatMap(panel => {
    try {
      const html = panel.render(session)
      return html === undefined ? [] : [{ id: panel.id, title: panel.title, html }]
    } catch (error) {
      kernel.logs.root.warn({ err: error, panel: panel.id, plugin: kernel.originOf(panel) }, 'a panel could not be drawn')
      return []
    }
  })
}
