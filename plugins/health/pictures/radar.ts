import { FACTORS, type Factors } from '../types.js'
import { COLORS } from './colors.js'
import { text, textWidth } from './text.js'

const RINGS = [1 / 3, 2 / 3, 1] as const
const RING_INK = ['#ffffff1e', '#ffffff32', '#ffffff46']
const FAINT = 0.05
const STRONG = 0.3
/** Size of the labels relative to the title. */
const LABEL = 0.8
/** Distance of the labels from the border, in pixels. */
const RIM = 3

const inkOf = (value: number) => value < FAINT ? COLORS.dim : value >= STRONG ? COLORS.warn : COLORS.label

/** Radar chart of the eight factors, the first at the top, clockwise. */
export function radarBody (factors: Factors, size: number): string {
  const middle = size / 2
  const radius = 0.27 * size
  const letter = Math.max(6, size * 0.03)
  const at = (axis: number, share: number): readonly [number, number] => {
    const angle = axis / FACTORS.length * 2 * Math.PI
    return [middle + radius * share * Math.sin(angle), middle + letter - radius * share * Math.cos(angle)]
  }
  const shape = (shares: readonly number[]) =>
    `M${shares.map((share, axis) => at(axis, share).map(value => value.toFixed(1)).join(' ')).join('L')}Z`
  const spokes = FACTORS.map((_, axis) => `M${middle} ${middle + letter}L${at(axis, 1).map(value => value.toFixed(1)).join(' ')}`).join('')
  const values = FACTORS.map(name => factors[name])
  return `<rect width="${size}" height="${size}" fill="#101014"/>` +
    RINGS.map((ring, index) => `<path d="${shape(FACTORS.map(() => ring))}" fill="none" stroke="${RING_INK[index]}"/>`).join('') +
    `<path d="${spokes}" stroke="#ffffff23"/>` +
    `<path d="${shape(values.map(value => Math.max(0.02, value)))}" fill="${COLORS.amber}40" stroke="${COLORS.amber}c8" stroke-width="1.6"/>` +
    `<circle cx="${middle}" cy="${middle + letter}" r="${(0.012 * size).toFixed(1)}" fill="${COLORS.amber}"/>` +
    FACTORS.map((name, axis) => labelOf(name, factors[name], at(axis, 1.1), middle, letter)).join('') +
    text(middle, letter * 1.9, 'FAILURE DRIVERS', { size: letter * 1.1, color: COLORS.label, anchor: 'middle' })
}

function labelOf (name: string, value: number, [x, y]: readonly [number, number], middle: number,
  size: number): string {
  const width = textWidth(name, size * LABEL)
  const left = Math.abs(x - middle) < 2 ? x - width / 2 : x > middle ? x : x - width
  const within = Math.max(RIM, Math.min(2 * middle - RIM - width, left))
  return text(within, y + size / 2, name, { size: size * LABEL, color: inkOf(value) })
}
