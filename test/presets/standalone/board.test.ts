import t from 'tap'
import type { PrinterState } from '../../../core/index.js'
import { multiChart, singleChart } from '../../../presets/standalone/telemetry-view/charts.js'
import { DEGREES, FANS, PERCENT, TWO_TOOLS } from '../../../presets/standalone/telemetry-view/collections.data.js'
import { createDurations } from '../../../presets/standalone/telemetry-view/index.js'
import { createHistory } from '../../../presets/standalone/telemetry-view/history.js'

const START_MS = 1_700_000_000_000

interface Told {
  readonly at: number
  readonly bed?: number
  readonly fan?: number
  readonly tools?: readonly number[]
  readonly job?: string
}

const state = ({ at, bed = 20, fan = 0, tools = [], job = 'IDLE' }: Told) => ({
  receivedAt: START_MS + at * 1000,
  job: { gcodeState: job },
  heat: { nozzle: { actual: tools[0] ?? 25 }, bed: { actual: bed }, chamber: { actual: 30 } },
  fans: { part: fan, aux: 0, exhaust: 0, heatbreak: 100 },
  extruders: tools.map((actual, id) => ({ id, temperature: { actual, target: 0 } }))
}) as unknown as PrinterState

/** A report a second. */
function recorded (seconds: number) {
  const history = createHistory()
  for (let at = 0; at <= seconds; at++) history.add(state({ at, bed: at % 60 }))
  return history
}

t.test('samples lie 2.5 s apart at least and an hour back at most', async t => {
  const history = createHistory()
  for (const at of [0, 1, 2.4, 2.5, 4.9, 5.1]) history.add(state({ at, bed: at }))
  t.same(history.points('bed').map(({ v }) => v), [0, 2.5, 5.1])
  const hour = recorded(4_000).points('bed')
  t.ok((hour.at(-1)?.t ?? 0) - (hour[0]?.t ?? 0) <= 3_600)
  t.ok(hour.length >= 1_200 && hour.length <= 1_441, `${hour.length}`)
  history.prune(START_MS / 1000 + 3_603)
  t.same(history.points('bed').map(({ v }) => v), [5.1])
})

t.test('a clock that was put back', async t => {
  const history = createHistory()
  for (const at of [0, 10, 20, 5]) history.add(state({ at, bed: at }))
  t.same(history.points('bed').map(({ v }) => v), [0, 5])
})

t.test('a chart of one value', async t => {
  const history = createHistory()
  for (const [at, bed] of [[0, 20], [2.6, 40], [10, 60]] as const) history.add(state({ at, bed }))
  t.same(singleChart(history, 'bed', DEGREES), {
    minVal: 17, maxVal: 65, zoom: 0, maxAge: -10, xAxis: { data: [-10, -7, 0] }, series: { data: [20, 40, 60] }
  })
  t.same(singleChart(createHistory(), 'bed', DEGREES),
    { minVal: 0, maxVal: 1, zoom: 0, maxAge: 0, xAxis: { data: [] }, series: { data: [] } })
})

t.test('charts of several values share one axis', async t => {
  const history = createHistory()
  history.add(state({ at: 0, fan: 50 }))
  history.add(state({ at: 5, fan: 60, tools: [200, 30] }))
  const tools = multiChart(history, 'tool', TWO_TOOLS, DEGREES)
  t.match(tools, { minVal: 27, maxVal: 205, xAxis: { data: [0] } })
  t.same(tools.series, [{ data: [200], label: 'Right', color: '#e15759' }, { data: [30], label: 'Left', color: '#76b7b2' }])
  const fans = multiChart(history, 'fan', FANS, PERCENT)
  t.match(fans, { minVal: -0.1, maxVal: 101, xAxis: { data: [-5, 0] } })
  t.same(fans.series.map(({ label }) => label), ['Part Cooling', 'Auxiliary', 'Exhaust', 'Heatbreak'])
  t.same(fans.series[0]?.data, [50, 60])
})

t.test('the view is narrowed and widened in steps', async t => {
  const short = recorded(400)
  short.zoomIn('bed')
  t.equal(short.zoom('bed'), 0, 'there is not enough to narrow')
  const history = recorded(1_800)
  const age = (history.points('bed').at(-1)?.t ?? 0) - (history.points('bed')[0]?.t ?? 0)
  const seen: number[] = []
  for (let step = 0; step < 4; step++) {
    history.zoomIn('bed')
    seen.push(history.zoom('bed'))
  }
  t.same(seen, [Math.trunc(age - 500), Math.trunc(age - 1_000), 500, 500])
  const chart = singleChart(history, 'bed', DEGREES)
  t.equal(chart.zoom, 500)
  t.ok(chart.maxAge >= -500 && chart.maxAge < -490)
  for (const expected of [1_000, 1_500, 0, 0]) {
    history.zoomOut('bed')
    t.equal(history.zoom('bed'), expected)
  }
})

t.test('narrowing the chart of the fans narrows each of them', async t => {
  const history = recorded(1_800)
  for (let step = 0; step < 4; step++) history.zoomIn('fan')
  const { zoom, xAxis } = multiChart(history, 'fan', FANS, PERCENT)
  t.equal(zoom, 500)
  t.ok((xAxis.data[0] ?? 0) >= -500)
  history.zoomOut('fan')
  history.zoomOut('fan')
  history.zoomOut('fan')
  history.zoomIn('aux_fan')
  t.equal(history.zoom('fan'), 0, 'each has its own')
})

t.test('times by job state', async t => {
  const durations = createDurations()
  durations.add(state({ at: 0, job: 'PREPARE' }))
  durations.add(state({ at: 30, job: 'RUNNING' }))
  durations.add(state({ at: 35.5, job: 'RUNNING' }))
  t.same(durations.seconds, { PREPARE: 30, RUNNING: 5.5 })
  durations.reset()
  durations.add(state({ at: 40, job: 'PREPARE' }))
  t.same(durations.seconds, { PREPARE: 0 })
  for (let at = 41; at < 90; at++) durations.add(state({ at, job: `ODD_${at}` }))
  t.equal(Object.keys(durations.seconds).length, 16, 'made-up states are bounded')
})
