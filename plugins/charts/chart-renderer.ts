import { immutableJson, type PluginFaults, type PrinterSession, type PrinterState } from '../../core/index.js'
import type { HealthRecord, TelemetryStore, Collection } from '../telemetry/index.js'
import { NothingRecorded } from './errors.js'
import type { ChartPanel, ChartView, CollectionPanel } from './panel.js'
import { note } from './svg/frame.js'
import { localStamp } from './svg/time.js'
import { formatName } from './format.js'
import { lineChart } from './svg/line-chart.js'
import { pointsOf } from './panels/points.js'

const LARGE = 100
const EMPTY = { text: 'no data', detail: 'Nothing has been recorded of it yet.' }

/** One decimal for small values. */
const amount = (value: number) =>
  String(Math.abs(value) < LARGE ? Math.round(value * 10) / 10 : Math.round(value))
const withUnit = (unit: string) => (value: number) => unit === '' ? amount(value) : `${amount(value)} ${unit}`

/** The standard chart of recorded values. @param all all recorded collections */
function collectionRenderer ({ id, title, collections }: CollectionPanel, all: readonly Collection[]) {
  const unitOf = (name: string) => all.find(collection => collection.name === name)?.unit ?? ''
  const units = new Set(collections.map(unitOf))
  const [only = ''] = units
  return ({ data, now }: ChartView): string => lineChart({
    id,
    title,
    now,
    unit: units.size === 1 && only !== '' ? ` ${only}` : '',
    empty: EMPTY,
    lines: collections.map(name =>
      ({ label: formatName(name), points: pointsOf(data, name), format: withUnit(unitOf(name)) }))
  })
}

/** All drawings of a printer at one moment. */
export interface Rendering {
  /** SVG text of each panel. */
  readonly panels: readonly string[]
  /** Local time, `2026-01-01 14:05:00`. */
  readonly ts: string
}

export interface ChartRenderer {
  readonly panels: readonly ChartPanel[]
  /** The same object until a new report, or the next second. */
  render (session: PrinterSession): Rendering
  /** @throws PRN_ERR_NOTHING_RECORDED before the first report of a printer without a history */
  demand (session: PrinterSession): Rendering
}

export interface ChartRendererDeps {
  readonly panels: readonly ChartPanel[]
  readonly telemetry: TelemetryStore
  readonly originOf: (panel: ChartPanel) => string
  readonly now: () => number
  readonly pluginFaults: Pick<PluginFaults, 'guard'>
}

interface CachedRendering {
  readonly state: PrinterState | undefined
  readonly verdict: HealthRecord | undefined
  readonly rendering: Rendering
}

const MS_PER_SECOND = 1000

export function createChartRenderer ({
  panels, telemetry, originOf, now,
  pluginFaults
}: ChartRendererDeps): ChartRenderer {
  /** Valid for one second, as drawings show how old the data is. */
  let cache = new WeakMap<PrinterSession, CachedRendering>()
  let cachedSecond = 0
  const draw = new Map(panels.map(panel =>
    [panel, panel.render ?? collectionRenderer(panel, telemetry.collections)] as const))

  /** A failing panel shows that it failed; the log gives the reason, once. */
  function drawn (panel: ChartPanel, view: ChartView): string {
    const { id, title } = panel
    const svg = pluginFaults.guard(originOf(panel), 'chart', id).run(() => {
      const drawing: unknown = draw.get(panel)?.(view)
      if (typeof drawing === 'string' && drawing.startsWith('<svg')) return drawing
      throw new TypeError('render must return the text of an <svg> element')
    }, { panel: id, printer: view.printer })
    return svg ?? note({ id, title, text: 'unavailable', detail: 'This chart failed; the log says why.' })
  }

  function render (session: PrinterSession): Rendering {
    const { name, state, model } = session
    const health = telemetry.health(name)
    const verdict = health.at(-1)
    const ms = now()
    const second = Math.floor(ms / MS_PER_SECOND)
    if (second !== cachedSecond) cache = new WeakMap()
    cachedSecond = second
    const known = cache.get(session)
    if (known && known.state === state && known.verdict === verdict) return known.rendering
    const data = telemetry.outline(name)
    const view: ChartView = Object.freeze({ printer: name, model, now: ms, data, health, state })
    const rendering = immutableJson({ panels: panels.map(panel => drawn(panel, view)), ts: localStamp(ms) })
    cache.set(session, { state, verdict, rendering })
    return rendering
  }

  function demand (session: PrinterSession): Rendering {
    const { name, state } = session
    const nothing = state === undefined && telemetry.health(name).length === 0 &&
      Object.values(telemetry.outline(name).collections).every(({ data }) => data.length === 0)
    if (nothing) throw new NothingRecorded(name)
    return render(session)
  }

  return { panels, render, demand }
}
