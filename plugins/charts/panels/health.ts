import type { HealthRecord, Point } from '../../telemetry/index.js'
import { finePercent, percent } from '../format.js'
import { defineChart, type ChartView } from '../panel.js'
import { EDGE, frame, note, WIDTH } from '../svg/frame.js'
import { legend } from '../svg/legend.js'
import { axisOf, describe, inWindow, legendEntry, PLOT_X, remarkOf, type ChartLine } from '../svg/line-chart.js'
import { plot } from '../svg/plot.js'
import type { Domain } from '../svg/scale.js'
import { timeWindow } from '../svg/time.js'

const ID = 'health'
const TITLE = 'Anomaly & Health'
const EMPTY = { text: 'no health data yet', detail: 'A monitored print fills this panel.' }

type Field = 'success_pct' | 'confidence' | 'hot_pct' | 'strand_score' | 'diff_score'

/** Records contain shares from 0 to 1; those without the value are left out. */
const shares = (records: readonly HealthRecord[], field: Field): Point[] => records.flatMap(record => {
  const value = record[field]
  return value === null ? [] : [{ t: record.ts, v: value * 100 }]
})

interface Part {
  readonly fields: readonly (readonly [field: Field, label: string, spoken: string])[]
  readonly format: (value: number) => string
  /** Minimum range of the axis. */
  readonly atLeast: Domain
  /** Baseline of the legend; top and bottom of the plot. */
  readonly legendY: number
  readonly y: number
  readonly height: number
}

/** Failure risks are small compared to the success rate, so they have an axis of their own. */
const PARTS: readonly Part[] = [
  {
    fields: [['success_pct', 'Success', 'Probability of success'], ['confidence', 'Confidence', 'Confidence']],
    format: percent,
    atLeast: [0, 100],
    legendY: 46,
    y: 60,
    height: 80
  },
  {
    fields: [
      ['hot_pct', 'Hot', 'Bright area'],
      ['strand_score', 'Strands', 'Strands'],
      ['diff_score', 'Diff', 'Change']
    ],
    format: finePercent,
    atLeast: [0, 5],
    legendY: 180,
    y: 194,
    height: 80
  }
]
const SERIES: Readonly<Record<Field, number>> =
  { success_pct: 3, confidence: 2, hot_pct: 1, strand_score: 4, diff_score: 6 }

function drawPart (part: Part, records: readonly HealthRecord[], time: Domain) {
  const { fields, format, atLeast, legendY, y, height } = part
  const lines = inWindow(fields.map(([field, label, spoken]): ChartLine =>
    ({ label, spoken, points: shares(records, field), format, series: SERIES[field] })), time)
  const { svg } = legend(lines.map(legendEntry),
    { x: EDGE, y: legendY, width: WIDTH - 2 * EDGE, columns: fields.length })
  const area = { ...PLOT_X, y, height }
  return { lines, svg: svg + plot({ area, time, axis: axisOf(lines, height, atLeast), unit: ' %', lines }) }
}

function render ({ health, now }: ChartView): string {
  if (health.length === 0) return note({ id: ID, title: TITLE, ...EMPTY })
  const time = timeWindow(health[0]?.ts, now / 1000)
  const parts = PARTS.map(part => drawPart(part, health, time))
  const lines = parts.flatMap(({ lines }) => lines)
  return frame({
    id: ID,
    title: TITLE,
    description: describe(lines, time),
    remark: remarkOf(lines, now / 1000),
    body: parts.map(({ svg }) => svg).join('')
  })
}

export default defineChart({ id: ID, title: TITLE, render })
