import { tmpdir } from 'node:os'
import { definePlugin, openBrowser, type OpenBrowser, type Plugin } from '../../core/index.js'
import { API_PREFIX } from '../http/index.js'
import { checkPanels } from './check.js'
import { createChartRenderer, type ChartRenderer } from './chart-renderer.js'
import { serveAssets } from './page-assets.js'
import type { ChartPanel } from './panel.js'
import { PANELS } from './panels/index.js'
import routes from './routes.js'
import tools from './tools.js'

export { defineChart } from './panel.js'
export type { ChartPanel, ChartView, CollectionPanel, DrawnPanel } from './panel.js'
export type { ChartRenderer, Rendering } from './chart-renderer.js'
export type { OpenBrowser } from '../../core/index.js'
// For panels that draw themselves
export { EDGE, frame, HEIGHT, note, WIDTH } from './svg/frame.js'
export { lineChart } from './svg/line-chart.js'
export type { ChartLine, LineChart } from './svg/line-chart.js'
export { escapeText, label, tag } from './svg/tag.js'

/** What a preset may set that no operator writes down. */
interface PresetOverrides {
  /** Where pages for the browser are written. */
  readonly folder?: string
  readonly openBrowser?: OpenBrowser
}

declare module 'prn' {
  interface Services { charts: ChartRenderer & Required<PresetOverrides> }
  interface Contributions { charts: ChartPanel }
}

const NAME = 'charts'

/** The dashboard: built-in panels, then those that plugins contribute. */
export const chartsWith = (outlets: PresetOverrides = {}): Plugin => definePlugin({
  name: NAME,
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Dashboard page with charts of the last hour',
  needs: ['http', 'telemetry'],
  provides: ['charts'],
  uses: ['disk'],
  contributes: { routes, tools },
  setup ({ app, kernel, services, contributed, provide }) {
    const { telemetry } = services
    const panels = [...PANELS, ...contributed('charts')]
    const originOf = (panel: ChartPanel) => kernel.originOf(panel) ?? NAME
    checkPanels(panels, telemetry.collections, originOf)
    const renderer = createChartRenderer({
      panels,
      telemetry,
      originOf,
      now: kernel.now,
      pluginFaults: kernel.pluginFaults
    })
    provide('charts', { folder: tmpdir(), openBrowser, ...outlets, ...renderer })
    serveAssets(app, API_PREFIX)
  }
})

export default chartsWith()
