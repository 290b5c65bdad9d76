import type { Point } from '../../telemetry/index.js'
import type { Segment } from './segments.js'

type Scale = (value: number) => number
/** Coordinates in integer tenths of a unit, so that sums of differences stay exact. */
type Place = readonly [x: number, y: number]

/** Tenths in the shortest notation that paths allow: `-.5`. */
const short = (tenths: number): string => String(tenths / 10).replace(/^(-?)0\./, '$1.')
const pair = (a: string, b: string) => b.startsWith('-') ? a + b : `${a} ${b}`

/** Drops the inner points of level runs. */
const withoutRuns = (places: readonly Place[]): Place[] => places.filter(([, y], at) =>
  at === 0 || at === places.length - 1 || y !== places[at - 1]?.[1] || y !== places[at + 1]?.[1])

function draw (places: readonly Place[]): string {
  const [first, ...rest] = withoutRuns(places)
  if (!first) return ''
  let [x, y] = first
  const start = `M${pair(short(x), short(y))}`
  if (rest.length === 0) return `${start}h0`
  const steps = rest.map(([nextX, nextY]) => {
    const [dx, dy] = [nextX - x, nextY - y]
    x = nextX
    y = nextY
    return dy === 0 ? `h${short(dx)}` : dx === 0 ? `v${short(dy)}` : `l${pair(short(dx), short(dy))}`
  })
  return start + steps.join('')
}

const placeOf = ({ t, v }: Point, x: Scale, y: Scale): Place => [Math.round(x(t) * 10), Math.round(y(v) * 10)]

/** Line segments between points; an isolated point becomes a dot. */
export const linePath = (segments: readonly Segment[], x: Scale, y: Scale): string =>
  segments.map(segment => draw(segment.map(point => placeOf(point, x, y)))).join('')

/** Each value holds until the next one. */
export const stepPath = (segments: readonly Segment[], x: Scale, y: Scale): string => segments.map(segment => {
  const places = segment.map(point => placeOf(point, x, y))
  return draw(places.flatMap((place, at): Place[] => {
    const before = places[at - 1]
    return before && before[1] !== place[1] ? [[place[0], before[1]], place] : [place]
  }))
}).join('')
