import { definePlugin } from '../../core/index.js'
import { checkPanels, type DashboardPanel } from './panel.js'
import { printerPage } from './pages.js'
import { serveHome, servePanels } from './serve.js'

export { defineDashboardPanel } from './panel.js'
export type { DashboardPanel } from './panel.js'

declare module 'prnd' {
  interface PanelSlots { dashboard: DashboardPanel }
  interface Contributions { panels: PanelSlots[keyof PanelSlots] }
}

const NAME = 'web'

/** The page of one printer: everything that the HTTP API offers, in a browser. */
export default definePlugin({
  name: NAME,
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Web page at / to watch and control printers',
  needs: ['http', 'openapi', 'shell'], // events come from the live plugin if it is loaded, else the page polls
  uses: ['network'],
  contributes: () => ({ pages: [printerPage()] }),
  setup ({ app, kernel, services, contributed }) {
    const panels = contributed('panels').filter(panel => panel.slot === 'dashboard')
    checkPanels(panels, panel => kernel.originOf(panel) ?? NAME)
    serveHome(app, kernel, services.shell)
    servePanels(app, kernel, panels)
  }
})
