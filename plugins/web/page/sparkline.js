import { linePath } from './history.js'
import { html } from './lib.js'

const WIDTH = 120
const HEIGHT = 28
const SPAN_S = 1_200
const MS_PER_S = 1000

/**
 * The last 20 minutes of a reading.
 * @param {{ points: readonly { t: number, v: number }[], from: number, to: number, className: string,
 *   target?: number }} props
 */
export function Spark ({ points = [], from, to, className, target }) {
  const line = linePath(points, { width: WIDTH, height: HEIGHT, from, to, span: SPAN_S, now: Date.now() / MS_PER_S })
  const start = line.slice(1, line.indexOf(' '))
  const y = target && target > 0 ? HEIGHT - HEIGHT * (Math.min(to, target) - from) / (to - from) : undefined
  return html`<svg class=${`spark ${className}`} viewBox=${`0 -1 ${WIDTH} ${HEIGHT + 2}`} preserveAspectRatio="none" aria-hidden="true">
    ${y !== undefined && html`<path class="target" d=${`M0 ${y}H${WIDTH}`} />`}
    ${line && html`<path class="area" d=${`${line}V${HEIGHT}H${start}Z`} /><path class="line" d=${line} />`}
  </svg>`
}
