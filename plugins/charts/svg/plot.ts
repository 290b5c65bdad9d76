import type { Point } from '../../telemetry/index.js'
import { linePath, stepPath } from './path.js'
import { linearScale, type Axis, type Domain } from './scale.js'
import { decimate, gapOf, segmentsOf } from './segments.js'
import { shape } from './shape.js'
import { label, round1, tag, widthOf } from './tag.js'
import { clock, timeTicks } from './time.js'

export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** One line of a plot, with points within its time range. */
export interface PlotLine {
  /** Colour and shape, from 1. */
  readonly series: number
  readonly points: readonly Point[]
  /** Target values, drawn dashed. */
  readonly targets?: readonly Point[]
}

export interface Plot {
  readonly area: Area
  readonly time: Domain
  readonly axis: Axis
  /** Written next to the topmost value of the axis. */
  readonly unit: string
  readonly lines: readonly PlotLine[]
}

const TICK_GAP = 6
const CENTRE = 4
const TEXT_SIZE = 12
const CLOCK_DROP = 16
const LARGE = 10_000

const axisNumber = (value: number): string =>
  Math.abs(value) >= LARGE ? value.toExponential(0) : String(value)

/** Grid, axes with labels, and lines. */
export function plot ({ area, time, axis, unit, lines }: Plot): string {
  const x = linearScale(time, [area.x, area.x + area.width])
  const y = linearScale(axis.domain, [area.y + area.height, area.y])
  return grid(area, axis, y, unit) + timeAxis(area, time, x) +
    lines.map(line => drawLine(line, time, x, y)).join('') + ends(lines, x, y)
}

type Scale = (value: number) => number

function grid ({ x, width }: Area, { ticks }: Axis, y: Scale, unit: string): string {
  const lines = ticks.map(tick => `M${round1(x)} ${round1(y(tick))}h${round1(width)}`).join('')
  const texts = ticks.map((tick, at) => label(x - TICK_GAP, y(tick) + CENTRE,
    at === ticks.length - 1 ? topmost(tick, unit, x - TICK_GAP) : axisNumber(tick), { class: 'm', 'text-anchor': 'end' }))
  return tag('path', { class: 'g', d: lines }) + texts.join('')
}

/** A unit that does not fit is only shown in the legend. */
const topmost = (tick: number, unit: string, room: number) => {
  const text = axisNumber(tick) + unit
  return widthOf(text, TEXT_SIZE) <= room ? text : axisNumber(tick)
}

/** Labels are centred under their tick, but stay inside the drawing. */
function timeAxis ({ y, height, x: left, width }: Area, time: Domain, x: Scale): string {
  const bottom = y + height
  const ticks = timeTicks(time)
  const marks = ticks.map(tick => `M${round1(x(tick))} ${round1(bottom)}v4`).join('')
  const texts = ticks.map(tick => {
    const at = Math.min(x(tick), left + width)
    return label(at, bottom + CLOCK_DROP, clock(tick), { class: 'm', 'text-anchor': 'middle' })
  })
  return (marks === '' ? '' : tag('path', { class: 'o', d: marks })) + texts.join('')
}

function drawLine ({ series, points, targets = [] }: PlotLine, time: Domain, x: Scale, y: Scale): string {
  const gap = gapOf(points)
  const thin = segmentsOf(points, gap).map(segment => decimate(segment, time))
  const wanted = segmentsOf(targets.filter(({ v }) => v > 0), gap)
  const dashed = stepPath(wanted.map(segment => decimate(segment, time)), x, y)
  return (dashed === '' ? '' : tag('path', { class: `l d l${series}`, d: dashed })) +
    (thin.length === 0 ? '' : tag('path', { class: `l l${series}`, d: linePath(thin, x, y) }))
}

/** Width of a mark, and of the space for marks side by side at the right of a plot. */
const MARK = 9

/** A mark at the newest point of each line; overlapping marks are moved side by side. */
function ends (lines: readonly PlotLine[], x: Scale, y: Scale): string {
  const taken: (readonly [x: number, y: number])[] = []
  return lines.map(({ series, points }) => {
    const last = points.at(-1)
    if (!last) return ''
    const [at, height] = [x(last.t), y(last.v)]
    const before = taken.filter(place => Math.abs(place[0] - at) < MARK && Math.abs(place[1] - height) < MARK)
    taken.push([at, height])
    return shape(series, at + before.length * MARK, height)
  }).join('')
}
