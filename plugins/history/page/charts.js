// Charts of a print's telemetry. A point consists of the seconds since the start and a value.

import { clock, number, t } from 'shell'
import { html } from './lib.js'

const WIDTH = 720
const HEIGHT = 190
const LEFT = 42
const TOP = 8
const BOTTOM = 22
const SPAN = { x: WIDTH - LEFT - 8, y: HEIGHT - TOP - BOTTOM }
/** Gaps longer than this share of the time are not bridged by a line. */
const GAP = 0.05

/** The lines of each chart: a series, the series of its targets, and the class of its colour. */
const CHARTS = [
  {
    id: 'temperatures',
    lines: [['tool', 'tool_target', 'tool'], ['tool_1', 'tool_1_target', 'tool-1'],
      ['bed', 'bed_target', 'bed'], ['chamber', 'chamber_target', 'chamber']]
  },
  {
    id: 'fans',
    lines: [['part_fan', '', 'fan'], ['aux_fan', '', 'tool'], ['exhaust_fan', '', 'bed'],
      ['heatbreak_fan', '', 'chamber']],
    most: 100
  },
  { id: 'speed', lines: [['speed', '', 'fan']], least: 0 },
  { id: 'health', lines: [['health_score', '', 'tool']], least: 0 }
]

/** About four round values within a range. */
function ticksOf (from, to) {
  const rough = (to - from) / 4 || 1
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map(factor => factor * power).find(one => one >= rough) ?? 10 * power
  const ticks = []
  for (let at = Math.ceil(from / step) * step; at <= to + step / 1000; at += step) ticks.push(at)
  return ticks
}

function pathOf (points, { x, y, gap }) {
  let before = -Infinity
  return points.map(([at, value]) => {
    const command = at - before > gap ? 'M' : 'L'
    before = at
    return `${command}${x(at).toFixed(1)} ${y(value).toFixed(1)}`
  }).join('')
}

function Chart ({ chart, series, startedAt }) {
  const shown = chart.lines.flatMap(([name, target, color]) => series.has(name)
    ? [{ name, color, ...series.get(name), targets: series.get(target)?.points ?? [] }]
    : [])
  if (shown.length === 0) return null
  const all = shown.flatMap(({ points, targets }) => [...points, ...targets])
  const until = all.reduce((most, [at]) => Math.max(most, at), 1)
  const from = all.reduce((least, [, value]) => Math.min(least, value), chart.least ?? 0)
  const to = all.reduce((most, [, value]) => Math.max(most, value), chart.most ?? from + 1)
  const scale = {
    x: at => LEFT + at / until * SPAN.x,
    y: value => TOP + (to - value) / (to - from) * SPAN.y,
    gap: Math.max(120, until * GAP)
  }
  const rangeOf = ({ points, unit }) => {
    const values = points.map(([, value]) => value)
    return t('history.range', { from: number(Math.min(...values)), to: number(Math.max(...values)), unit })
  }
  const title = t(`history.chart.${chart.id}`)
  return html`<figure class="chart" data-chart=${chart.id}>
    <figcaption><h3>${title}</h3></figcaption>
    <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${title}>
      ${ticksOf(from, to).map(value => html`<g class="tick"><path d=${`M${LEFT} ${scale.y(value)}h${SPAN.x}`} />
        <text x=${LEFT - 6} y=${scale.y(value) + 4} text-anchor="end">${number(value)}</text></g>`)}
      ${[0, 0.5, 1].map(part => html`<text x=${LEFT + part * SPAN.x} y=${HEIGHT - 6}
        text-anchor=${['start', 'middle', 'end'][part * 2]}>${clock(startedAt + part * until * 1000)}</text>`)}
      ${shown.map(({ color, points, targets }) => html`
        <path class=${`line target ${color}`} d=${pathOf(targets, scale)} />
        <path class=${`line ${color}`} d=${pathOf(points, scale)} />`)}
    </svg>
    <ul class="legend">${shown.map(line => html`<li><svg viewBox="0 0 12 4" aria-hidden="true">
      <path class=${`line ${line.color}`} d="M0 2h12" /></svg>${t(`history.series.${line.name}`)}
      <span class="faint">${rangeOf(line)}</span></li>`)}</ul>
  </figure>`
}

export function Charts ({ series, startedAt }) {
  const known = new Map(series.map(one => [one.name, one]))
  return html`${CHARTS.map(chart => html`<${Chart} chart=${chart} series=${known} startedAt=${startedAt} />`)}`
}

/**
 * A stacked bar of shares.
 * @param {{ parts: { name: string, value: number, text: string }[], label: string }} props
 */
export function Shares ({ parts, label }) {
  const whole = parts.reduce((sum, { value }) => sum + value, 0) || 1
  let at = 0
  return html`<svg class="shares" viewBox="0 0 100 4" preserveAspectRatio="none" role="img" aria-label=${label}>
    ${parts.map(({ name, value }) => {
      const x = at
      at += value / whole * 100
      return html`<rect class=${`share ${name}`} x=${x} y="0" width=${value / whole * 100} height="4" />`
    })}</svg>
    <ul class="legend">${parts.map(({ name, text }) => html`<li><svg viewBox="0 0 12 4" aria-hidden="true">
      <rect class=${`share ${name}`} width="12" height="4" /></svg>${text}</li>`)}</ul>`
}
