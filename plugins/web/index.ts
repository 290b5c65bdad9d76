import { definePlugin } from '../../core/index.js'
import { checkPanels, type DashboardPanel } from './panel.js'
import { servePage, servePanels } from './serve.js'

export { defineDashboardPanel } from './panel.js'
export type { DashboardPanel } from './panel.js'

declare module 'prn' {
  interface PanelSlots { dashboard: DashboardPanel }
  interface Contributions { panels: PanelSlots[keyof PanelSlots] }
}

const NAME = 'web'

/** The page for people: everything that the HTTP API offers, in a browser. */
export default definePlugin({
  name: NAME,
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Web page at / to watch and control printers',
  needs: ['http', 'openapi'], // news come by the live plugin where it is there, else the page asks for them
  uses: ['network'],
  setup ({ app, kernel, contributed }) {
    const panels = contributed('panels').filter(panel => panel.slot === 'dashboard')
    checkPanels(panels, panel => kernel.originOf(panel) ?? NAME)
    servePage(app)
    servePanels(app, kernel, panels)
  }
})
