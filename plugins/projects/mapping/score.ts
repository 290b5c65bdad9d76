import { colorOf } from '../read/numbers.js'

/** How well a spool serves a filament. Lower scores are better; any of the same type beats any other. */
export interface Score {
  readonly value: number
  readonly sameType: boolean
  /** Of the colours, 0 to 442. */
  readonly distance: number
  readonly acceptable: boolean
}

const OTHER_TYPE = 10_000
const EXCELLENT = 50
const GOOD = 150
/** The most that the colour of another type may be off. */
const COLOR_ONLY = 60

interface Material { readonly type: string, readonly color: string }

const channels = (color: string): number[] => [1, 3, 5].map(at => parseInt(color.slice(at, at + 2), 16))

function distanceOf (a: string, b: string): number | undefined {
  const [first, second] = [colorOf(a), colorOf(b)]
  if (first === '' || second === '') return undefined
  const other = channels(second)
  return Math.hypot(...channels(first).map((value, at) => value - (other[at] ?? 0)))
}

/** @returns undefined when either colour cannot be read */
export function score (filament: Material, spool: Material): Score | undefined {
  const distance = distanceOf(filament.color, spool.color)
  if (distance === undefined) return undefined
  const sameType = filament.type.toLowerCase() === spool.type.toLowerCase()
  return {
    value: sameType ? distance : OTHER_TYPE + distance,
    sameType,
    distance,
    acceptable: sameType || distance < COLOR_ONLY
  }
}

export interface MatchQuality {
  readonly quality: 'excellent' | 'good' | 'fair' | 'poor' | 'bad'
  readonly label: string
}

const VERDICTS: readonly (readonly [holds: (score: Score) => boolean, verdict: MatchQuality])[] = [
  [({ sameType, distance }) => sameType && distance < EXCELLENT, { quality: 'excellent', label: 'Excellent Match' }],
  [({ sameType, distance }) => sameType && distance < GOOD, { quality: 'good', label: 'Good Match' }],
  [({ sameType }) => sameType, { quality: 'fair', label: 'Type Match' }],
  [({ distance }) => distance < COLOR_ONLY, { quality: 'poor', label: 'Color Match Only' }]
]
const POOR: MatchQuality = { quality: 'bad', label: 'Poor Match' }

export const verdictOf = (found: Score): MatchQuality => VERDICTS.find(([holds]) => holds(found))?.[1] ?? POOR
