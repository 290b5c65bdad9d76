import type { Mark, Point } from '../../telemetry/index.js'
import { EDGE, frame, HEIGHT, note, WIDTH, type Frame } from './frame.js'
import { legend } from './legend.js'
import { drawMarks, heightOf, placeLabels } from './event-marks.js'
import { plot } from './plot.js'
import { extent, niceAxis, type Axis, type Domain } from './scale.js'
import { gapOf, visible } from './segments.js'
import { clock, timeWindow } from './time.js'

export interface ChartLine {
  /** Short, for the legend. */
  readonly label: string
  /** Full name for screen readers; defaults to the label. */
  readonly spoken?: string
  readonly points: readonly Point[]
  readonly targets?: readonly Point[] | undefined
  /** Colour and shape, from 1; defaults to the position. */
  readonly series?: number
  /** Formats a value with its unit. */
  readonly format: (value: number) => string
}

export interface LineChart extends Pick<Frame, 'id' | 'title'> {
  readonly lines: readonly ChartLine[]
  readonly marks?: readonly Mark[]
  /** ms since the epoch. */
  readonly now: number
  readonly unit: string
  /** Minimum range of the value axis. */
  readonly atLeast?: Domain
  /** Shown without points. */
  readonly empty: { readonly text: string, readonly detail: string }
  /** Number of columns of the legend. @default 2 */
  readonly columns?: number
}

const LEFT = 52
/** Space at the right of a plot for the marks at the ends of its lines. */
const ENDS = 20
export const PLOT_X = { x: LEFT, width: WIDTH - LEFT - EDGE - ENDS }
const LEGEND_Y = 46
const PLOT_BOTTOM = HEIGHT - 26
const NOTHING = '–'

/** Lines over time with a legend of the current values. */
export function lineChart (chart: LineChart): string {
  const { id, title, marks = [], now, unit, atLeast, empty, columns = 2 } = chart
  const window = timeWindow(oldestOf(chart.lines), now / 1000)
  const lines = inWindow(chart.lines, window)
  if (lines.every(({ points }) => points.length === 0)) return note({ id, title, ...empty })
  const shown = legend(lines.map(legendEntry), { x: EDGE, y: LEGEND_Y, width: WIDTH - 2 * EDGE, columns })
  const band = { ...PLOT_X, top: LEGEND_Y + shown.height - 8, bottom: PLOT_BOTTOM, time: window }
  const seen = marks.filter(({ t }) => t >= window[0] && t <= window[1])
  const labels = placeLabels(seen, band)
  const y = band.top + heightOf(labels) + 6
  const area = { ...PLOT_X, y, height: PLOT_BOTTOM - y }
  return frame({
    id,
    title,
    description: describe(lines, window),
    remark: remarkOf(lines, window[1]),
    body: shown.svg + drawMarks(seen, labels, band) +
      plot({ area, time: window, axis: axisOf(lines, area.height, atLeast), unit, lines })
  })
}

type Shown = ChartLine & { readonly series: number, readonly targets: readonly Point[] }

const oldestOf = (lines: readonly ChartLine[]): number | undefined =>
  lines.reduce<number | undefined>((oldest, { points: [first] }) =>
    first && (oldest === undefined || first.t < oldest) ? first.t : oldest, undefined)

/** Lines with their points inside the window. */
export const inWindow = (lines: readonly ChartLine[], window: Domain): Shown[] => lines.map((line, at) => ({
  ...line,
  series: line.series ?? at + 1,
  points: visible(line.points, window),
  targets: visible(line.targets ?? [], window)
}))

const lastOf = (points: readonly Point[]) => points.at(-1)?.v

export function legendEntry ({ series, label, points, targets, format }: Shown) {
  const value = lastOf(points)
  const target = lastOf(targets)
  return {
    series,
    label,
    value: value === undefined ? NOTHING : format(value),
    target: target === undefined || target <= 0 ? '' : format(target)
  }
}

const PER_STEP = 30

export function axisOf (lines: readonly Shown[], height: number, atLeast?: Domain): Axis {
  const values = lines.flatMap(({ points, targets }) => [points, targets])
    .map(points => extent(points, ({ v }) => v))
  const ends = [...values, atLeast].flatMap(domain => domain ?? [])
  return niceAxis(extent(ends, end => end) ?? [0, 1], Math.max(2, Math.round(height / PER_STEP)))
}

/** The current values, one sentence each. */
export function describe (lines: readonly Shown[], [from, to]: Domain): string {
  const sentences = lines.map(line => {
    const { value, target } = legendEntry(line)
    const name = line.spoken ?? line.label
    if (value === NOTHING) return `${name}: no value.`
    return `${name} ${value}${target === '' ? '' : `, target ${target}`}.`
  })
  return `${sentences.join(' ')} From ${clock(from)} to ${clock(to)}.`
}

/** Shows the time of the last value, once that is older than the usual interval. */
export function remarkOf (lines: readonly ChartLine[], now: number): string | undefined {
  const newest = lines.reduce<readonly Point[]>((best, { points }) =>
    (points.at(-1)?.t ?? -Infinity) > (best.at(-1)?.t ?? -Infinity) ? points : best, [])
  const last = newest.at(-1)
  return last !== undefined && now - last.t > gapOf(newest) ? `last ${clock(last.t)}` : undefined
}
