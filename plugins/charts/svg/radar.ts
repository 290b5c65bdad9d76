import { label, round1, tag } from './tag.js'

export interface Spoke {
  readonly label: string
  /** 0 at the centre to 1 at the rim. */
  readonly share: number
  /** Written beside the label; empty for none. */
  readonly value: string
}

export interface Radar {
  readonly cx: number
  readonly cy: number
  readonly radius: number
  /** The first points up, the others follow clockwise. */
  readonly spokes: readonly Spoke[]
  /** Colour, from 1. */
  readonly series: number
  /** Nothing was measured: the shape is a placeholder. */
  readonly placeholder: boolean
}

const RINGS = [0.25, 0.5, 0.75, 1]
const LABEL_GAP = 9
const LINE = 13

const clamp = (share: number) => Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0

export function radar ({ cx, cy, radius, spokes, series, placeholder }: Radar): string {
  const place = (at: number, share: number): Place => {
    const angle = 2 * Math.PI * at / spokes.length
    return [round1(cx + radius * share * Math.sin(angle)), round1(cy - radius * share * Math.cos(angle))]
  }
  const outline = (shares: readonly number[]) =>
    `M${shares.map((share, at) => place(at, share).join(' ')).join('L')}z`
  const rings = RINGS.map(ring => outline(spokes.map(() => ring))).join('')
  const spread = spokes.map((_, at) => `M${cx} ${cy}L${place(at, 1).join(' ')}`).join('')
  const shares = spokes.map(({ share }) => clamp(share))
  const dots = shares.map((share, at) => {
    const [x, y] = place(at, share)
    return tag('circle', { class: `f${series}`, cx: x, cy: y, r: 2.4 })
  })
  return tag('path', { class: 'g', d: rings + spread }) +
    tag('path', { class: `a f${series}`, d: outline(shares) }) +
    tag('path', { class: `l l${series}${placeholder ? ' d' : ''}`, d: outline(shares) }) +
    (placeholder ? '' : dots.join('')) +
    spokes.map((spoke, at) => spokeLabel(spoke, place(at, 1 + LABEL_GAP / radius), [cx, cy])).join('')
}

type Place = readonly [x: number, y: number]

/** One line above and below, two lines at the sides, always outside the radar. */
function spokeLabel ({ label: name, value }: Spoke, [x, y]: Place, [cx, cy]: Place): string {
  const upright = Math.abs(x - cx) < 1
  const anchor = upright ? 'middle' : x > cx ? 'start' : 'end'
  const attributes = { class: 'm', 'text-anchor': anchor }
  if (upright) return label(x, y < cy ? y : y + LINE - 4, `${name} ${value}`.trim(), attributes)
  return label(x, value === '' ? y + 4 : y - 2, name, attributes) +
    (value === '' ? '' : label(x, y - 2 + LINE, value, { ...attributes, class: 'b' }))
}
