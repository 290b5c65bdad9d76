import { kinshipOf, type Kinship, type MaterialName } from '../../filament/index.js'
import { colorOf } from '../read/numbers.js'

/** How well a spool matches a filament. Lower is better; any spool of the same type beats any other. */
export interface Score {
  readonly value: number
  readonly sameType: boolean
  /** The exact material of the catalogue, the same product line, or a variant of the plastic. */
  readonly kinship: Kinship
  /** Distance of the colours in RGB, 0 to 442. */
  readonly distance: number
  readonly acceptable: boolean
}

const OTHER_TYPE = 10_000
/** Among similar colours the exact material comes first, then its product line. More than any colour distance. */
const COST: Readonly<Record<Kinship, number>> = { entry: 0, line: 500, variant: 1_000 }
/** A similar colour counts more than the kinship of materials. */
const OTHER_COLOR = 2_000
/** Colours nearer than this count as the same. */
export const EXCELLENT = 50
const GOOD = 150
/** Largest colour distance at which a spool of another type is acceptable. */
const COLOR_ONLY = 60

interface Material extends MaterialName { readonly color: string }

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
  const known = kinshipOf(filament, spool)
  const kinship = known ?? 'line' // an unknown material is compared by its type alone
  const sameType = filament.type.toLowerCase() === spool.type.toLowerCase() || (known !== undefined && known !== 'variant')
  const colorCost = distance < EXCELLENT ? 0 : OTHER_COLOR
  return {
    value: sameType ? colorCost + COST[kinship] + distance : OTHER_TYPE + distance,
    sameType,
    kinship,
    distance,
    acceptable: sameType || distance < COLOR_ONLY
  }
}

export interface MatchQuality {
  readonly quality: 'excellent' | 'good' | 'fair' | 'poor' | 'bad'
  readonly label: string
}

const isSameLine = ({ sameType, kinship }: Score): boolean => sameType && kinship !== 'variant'

const VERDICTS: readonly (readonly [holds: (score: Score) => boolean, verdict: MatchQuality])[] = [
  [score => isSameLine(score) && score.distance < EXCELLENT, { quality: 'excellent', label: 'Excellent Match' }],
  [score => isSameLine(score) && score.distance < GOOD, { quality: 'good', label: 'Good Match' }],
  [({ sameType }) => sameType, { quality: 'fair', label: 'Type Match' }],
  [({ distance }) => distance < COLOR_ONLY, { quality: 'poor', label: 'Color Match Only' }]
]
const POOR: MatchQuality = { quality: 'bad', label: 'Poor Match' }

export const verdictOf = (found: Score): MatchQuality => VERDICTS.find(([holds]) => holds(found))?.[1] ?? POOR
