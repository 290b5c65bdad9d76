import { celsius } from '../format.js'
import { defineChart, type ChartView } from '../panel.js'
import { lineChart, type ChartLine } from '../svg/line-chart.js'
import { pointsOf } from './points.js'

const ID = 'temperature'
const TITLE = 'Temperature History'
const EMPTY = { text: 'no data', detail: 'The printer has not reported any temperature yet.' }

const line = ({ data }: ChartView, name: string, label: string, series: number): ChartLine =>
  ({ label, points: pointsOf(data, name), targets: pointsOf(data, `${name}_target`), format: celsius, series })

/** A second nozzle is recognised by its recorded values. */
const nozzles = (view: ChartView): ChartLine[] =>
  pointsOf(view.data, 'tool_1').some(({ v }) => v !== 0)
    ? [
        { ...line(view, 'tool', 'Nozzle R', 1), spoken: 'Right nozzle' },
        { ...line(view, 'tool_1', 'Nozzle L', 4), spoken: 'Left nozzle' }
      ]
    : [line(view, 'tool', 'Nozzle', 1)]

/** Omitted for a printer that cannot measure its chamber. */
const chamber = (view: ChartView): ChartLine[] =>
  view.state?.heat.chamber.sensor === false ? [] : [line(view, 'chamber', 'Chamber', 3)]

export default defineChart({
  id: ID,
  title: TITLE,
  render: view => lineChart({
    id: ID,
    title: TITLE,
    now: view.now,
    unit: ' °C',
    atLeast: [0, 50],
    marks: view.data.events,
    empty: EMPTY,
    lines: [...nozzles(view), line(view, 'bed', 'Bed', 2), ...chamber(view)]
  })
})
