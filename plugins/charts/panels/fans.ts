import { percent } from '../format.js'
import { defineChart } from '../panel.js'
import { lineChart } from '../svg/line-chart.js'
import { pointsOf } from './points.js'

const ID = 'fans'
const TITLE = 'Fan Speeds'
const EMPTY = { text: 'no data', detail: 'The printer has not reported any fan yet.' }

const FANS = [
  ['part_fan', 'Part', 'Part cooling fan'],
  ['aux_fan', 'Auxiliary', 'Auxiliary fan'],
  ['exhaust_fan', 'Exhaust', 'Exhaust fan'],
  ['heatbreak_fan', 'Heatbreak', 'Heatbreak fan']
] as const

export default defineChart({
  id: ID,
  title: TITLE,
  render: ({ data, now }) => lineChart({
    id: ID,
    title: TITLE,
    now,
    unit: ' %',
    atLeast: [0, 100],
    empty: EMPTY,
    lines: FANS.map(([name, label, spoken]) =>
      ({ label, spoken, points: pointsOf(data, name), format: percent }))
  })
})
