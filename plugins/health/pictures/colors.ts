import type { Visibility, Word } from '../types.js'

export const COLORS = {
  page: '#000000',
  value: '#dddddd',
  label: '#888888',
  dim: '#555555',
  gold: '#e0b84e',
  ok: '#60d080',
  hot: '#ff9040',
  warn: '#ffcc40',
  crit: '#ff5050',
  info: '#80a0ff',
  amber: '#f0c040',
  standby: '#8c8caf'
} as const

export const BADGES: Readonly<Record<Word, { readonly back: string, readonly ink: string }>> = {
  clean: { back: '#1a5c2a', ink: COLORS.ok },
  warning: { back: '#5c4a1a', ink: COLORS.warn },
  critical: { back: '#5c1a1a', ink: COLORS.crit },
  standby: { back: '#323248', ink: '#8888af' }
}

/** Labels for poor visibility. */
export const VISIBILITY_LABELS: Readonly<Record<Visibility, string>> = {
  clear: '',
  blurred: 'BLURRED',
  obstructed: 'HEAD IN FRONT',
  dark: 'DARK',
  washed: 'TOO BRIGHT',
  covered: 'COVERED',
  missing: 'NO PICTURE'
}

type Rgb = readonly [number, number, number]
const rgbOf = (color: string): Rgb => [1, 3, 5].map(at => parseInt(color.slice(at, at + 2), 16)) as unknown as Rgb

export const DIM = rgbOf(COLORS.dim)
const [HOT, CRIT, INFO] = [rgbOf(COLORS.hot), rgbOf(COLORS.crit), rgbOf(COLORS.info)]

const mix = (from: Rgb, to: Rgb, share: number): Rgb =>
  [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share, from[2] + (to[2] - from[2]) * share]

/** Colour scale: 0 dim, 0.5 hot, 1 critical. */
export const heatColor = (value: number): Rgb => value < 0.5
  ? mix(DIM, HOT, value * 2)
  : mix(HOT, CRIT,
    Math.min(1, value * 2 - 1))
/** Colour scale: -1 darker, 0 unchanged, 1 brighter. */
export const changeColor = (value: number): Rgb => value < 0
  ? mix(DIM, INFO, Math.min(1, -value))
  : mix(DIM,
    CRIT, Math.min(1, value))
