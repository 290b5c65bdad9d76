import type { HealthRecord } from '../../telemetry/index.js'
import { duration, percent, shortDuration, formatName } from '../format.js'
import { defineChart, type ChartView } from '../panel.js'
import { EDGE, frame, WIDTH } from '../svg/frame.js'
import { radar } from '../svg/radar.js'
import { fit, label, round1, span, tag, widthOf } from '../svg/tag.js'
import { clock } from '../svg/time.js'

interface Slice {
  /** Share of the whole, 0 to 1. */
  readonly share: number
  /** CSS class of its colour. */
  readonly className: string
}

interface Donut {
  readonly cx: number
  readonly cy: number
  readonly radius: number
  /** Radius of the hole. */
  readonly hole: number
}

/** Larger slices are drawn as a full ring, as start and end would coincide. */
const FULL = 0.9985

/** A ring of slices, clockwise from the top; without slices, an empty ring. */
function donut ({ cx, cy, radius, hole }: Donut, slices: readonly Slice[]): string {
  const place = (turn: number, r: number) =>
    `${round1(cx + r * Math.sin(2 * Math.PI * turn))} ${round1(cy - r * Math.cos(2 * Math.PI * turn))}`
  const circle = (r: number) => `M${cx} ${cy - r}a${r} ${r} 0 0 1 0 ${2 * r}a${r} ${r} 0 0 1 0 ${-2 * r}z`
  const whole = (className: string) =>
    tag('path', { class: className, 'fill-rule': 'evenodd', d: circle(radius) + circle(hole) })
  let from = 0
  const drawn = slices.filter(({ share }) => share > 0).map(({ share, className }) => {
    if (share > FULL) return whole(className)
    const to = from + share
    const large = to - from > 0.5 ? 1 : 0
    const d = `M${place(from, radius)}A${radius} ${radius} 0 ${large} 1 ${place(to, radius)}` +
      `L${place(to, hole)}A${hole} ${hole} 0 ${large} 0 ${place(from, hole)}z`
    from = to
    return tag('path', { class: `${className} k`, d })
  })
  return drawn.length === 0 ? whole('o') : drawn.join('')
}

const ID = 'failure'
const TITLE = 'Failure Analysis'

const FACTORS = ['material', 'platform', 'progress', 'anomaly', 'thermal', 'humidity', 'stability', 'settings']
const PLACEHOLDER = 0.5

/** Risk by factor in the newest record; without records, each factor is drawn halfway. */
function drawRadar (latest: HealthRecord | undefined): { svg: string, text: string } {
  const spokes = FACTORS.map(name => {
    const share = latest ? latest.factors[name] ?? 0 : PLACEHOLDER
    return { label: formatName(name), share, value: latest ? percent(share * 100) : '' }
  })
  const caption = latest ? `Risk by factor at ${clock(latest.ts)}` : 'Risk by factor: no health data yet'
  const text = latest
    ? `Risk at ${clock(latest.ts)}: ${spokes.map(({ label, value }) => `${label} ${value}`).join(', ')}.`
    : 'Risk by factor: no health data yet, the shape is a placeholder.'
  return {
    svg: label(EDGE, 48, caption, { class: 'm' }) +
      radar({ cx: 130, cy: 170, radius: 66, spokes, series: 1, placeholder: !latest }),
    text
  }
}

/** CSS class of each job state's colour; all others share one. */
const STATE_CLASSES: Readonly<Record<string, string>> =
  { RUNNING: 'f3', PREPARE: 'f2', PAUSE: 'f5', FAILED: 'e', CANCELLED: 'm', FINISH: 'f4', IDLE: 'm', SLICING: 'f1', INIT: 'f2' }
const OTHER_CLASS = 'f6'
const MOST_STATES = 6
const DONUT = { cx: 330, cy: 100, radius: 44, hole: 27 }
const LEGEND = { x: 270, y: 176, row: 19, size: 11 }

interface Share {
  readonly state: string
  readonly seconds: number
  readonly share: number
  readonly className: string
}

function sharesOf (durations: Readonly<Record<string, number>>): Share[] {
  const known = Object.entries(durations).filter(([, seconds]) => seconds > 0 && Number.isFinite(seconds))
  const total = known.reduce((sum, [, seconds]) => sum + seconds, 0)
  return known.sort(([, a], [, b]) => b - a).map(([state, seconds]) => ({
    state: state === '' ? 'Unknown' : formatName(state.toLowerCase()),
    seconds,
    share: seconds / total,
    className: STATE_CLASSES[state] ?? OTHER_CLASS
  }))
}

function drawDurations (durations: Readonly<Record<string, number>>): { svg: string, text: string } {
  const shares = sharesOf(durations)
  if (shares.length === 0) {
    const svg = label(DONUT.cx, LEGEND.y, 'no state data yet', { class: 'm', 'text-anchor': 'middle' })
    return { svg: donut(DONUT, []) + svg, text: 'Time in each job state: no state data yet.' }
  }
  const total = duration(shares.reduce((sum, { seconds }) => sum + seconds, 0))
  return {
    svg: donut(DONUT, shares) + shares.slice(0, MOST_STATES).map(drawState).join(''),
    text: `Time in each job state, ${total} in all: ` +
      `${shares.map(({ state, seconds }) => `${state} ${duration(seconds)}`).join(', ')}.`
  }
}

function drawState ({ state, seconds, className }: Share, at: number): string {
  const { x, y: top, row, size } = LEGEND
  const y = top + at * row
  const value = shortDuration(seconds)
  const name = fit(state, WIDTH - EDGE - x - size - 6 - widthOf(value, 12), 12)
  return tag('rect', { class: className, x, y: y - size + 1, width: size, height: size, rx: 2 }) +
    tag('text', { x: x + size + 6, y }, span(`${name} `, 'm'), span(value, 'b'))
}

/** A cancelled job is reported as failed; the times are those of the one job. */
function shownTimes ({ data, state }: ChartView): Readonly<Record<string, number>> {
  const durations = data.gcode_state_durations
  const { FAILED: failed, ...others } = durations
  return failed === undefined || state?.job.cancelled !== true ? durations : { ...others, CANCELLED: failed }
}

function render (view: ChartView): string {
  const risk = drawRadar(view.health.at(-1))
  const states = drawDurations(shownTimes(view))
  return frame({ id: ID, title: TITLE, description: `${risk.text} ${states.text}`, body: risk.svg + states.svg })
}

export default defineChart({ id: ID, title: TITLE, render })
