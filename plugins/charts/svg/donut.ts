import { round1, tag } from './tag.js'

export interface Slice {
  /** Of the whole, 0 to 1. */
  readonly share: number
  /** Class that colours it. */
  readonly className: string
}

export interface Donut {
  readonly cx: number
  readonly cy: number
  readonly radius: number
  /** Radius of the hole. */
  readonly hole: number
}

/** From here on start and end of a slice would fall together. */
const FULL = 0.9985

/** A ring of slices, clockwise from the top; without any the empty ring. */
export function donut ({ cx, cy, radius, hole }: Donut, slices: readonly Slice[]): string {
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
