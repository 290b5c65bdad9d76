import { tmpdir } from 'node:os'
import { API_PREFIX, closestMatch, definePlugin, openBrowser, type OpenBrowser, type Plugin } from '../../core/index.js'
import { createChartRenderer, type ChartRenderer } from './chart-renderer.js'
import { pageAssets } from './page-assets.js'
import type { ChartPanel } from './panel.js'
import { chartsPage } from './pages.js'
import { PANELS } from './panels/index.js'
import routes from './routes.js'
import tools from './tools.js'
import type { Collection } from '../telemetry/index.js'
import { BadChart } from './errors.js'

export { defineChart } from './panel.js'
export type { ChartPanel, ChartView, CollectionPanel, DrawnPanel } from './panel.js'
export type { ChartRenderer, Rendering } from './chart-renderer.js'
export type { OpenBrowser } from '../../core/index.js'
// For plugins that draw panels of their own
export { EDGE, frame, HEIGHT, note, WIDTH } from './svg/frame.js'
export { lineChart } from './svg/line-chart.js'
export type { ChartLine, LineChart } from './svg/line-chart.js'
export { escapeText, label, tag } from './svg/tag.js'

/** Set by presets; not configurable. */
interface PresetOverrides {
  /** Where pages for the browser are written. */
  readonly folder?: string
  readonly openBrowser?: OpenBrowser
}

declare module 'prnd' {
  interface Services { charts: ChartRenderer & Required<PresetOverrides> }
  interface Contributions { charts: ChartPanel }
}

const NAME = 'charts'

/** The dashboard: built-in panels, then those that plugins contribute. */
export const chartsWith = (overrides: PresetOverrides = {}): Plugin => definePlugin({
  name: NAME,
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Dashboard page with charts of the last hour',
  needs: ['http', 'telemetry'],
  provides: ['charts'],
  uses: ['disk'],
  contributes: { routes, tools, pages: [chartsPage] },
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
    provide('charts', { folder: tmpdir(), openBrowser, ...overrides, ...renderer })
    services.http.servePageFiles(app, pageAssets(API_PREFIX))
  }
})

/** The highest number of lines that can be told apart. */
const MOST_COLLECTIONS = 6
const ID = /^[a-z][a-z0-9-]{0,39}$/

/** The error of a panel definition, or undefined. */
function problemOf (panel: ChartPanel, recorded: readonly string[]): string | undefined {
  const { id, title, collections, render } = panel
  if (!ID.test(id)) return 'the id must be lower-case letters, digits and hyphens, 40 at most'
  if (title.trim() === '') return 'the title is empty'
  if (render !== undefined) return typeof render === 'function' ? undefined : 'render must be a function'
  if (!Array.isArray(collections) || collections.length === 0) return 'it needs collections or render'
  if (collections.length > MOST_COLLECTIONS) return `it names more than ${MOST_COLLECTIONS} collections`
  const unknown = collections.find(name => !recorded.includes(name))
  if (unknown === undefined) return undefined
  const hint = closestMatch(unknown, recorded)
  return `nothing records the collection '${unknown}'${hint === undefined ? '' : `; did you mean '${hint}'?`}`
}

/** @throws PRN_ERR_CHART naming the panel and its plugin */
function checkPanels (panels: readonly ChartPanel[], recorded: readonly Collection[],
  originOf: (panel: ChartPanel) => string): void {
  const names = recorded.map(({ name }) => name)
  const seen = new Map<string, ChartPanel>()
  for (const panel of panels) {
    const first = seen.get(panel.id)
    const problem = first ? `plugin '${originOf(first)}' has one of the same id` : problemOf(panel, names)
    const plugin = originOf(panel)
    if (problem !== undefined) throw new BadChart(panel.id, plugin, problem).with({ plugins: [plugin] })
    seen.set(panel.id, panel)
  }
}

export default chartsWith()
