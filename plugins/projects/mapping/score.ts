import { kinshipOf, type Kinship, type MaterialName } from '../../filament/index.js'
import { colorOf } from '../read/numbers.js'

/** How well a spool serves a filament. Lower scores are better; any of the same type beats any other. */
export interface Score {
  readonly value: number
  readonly sameType: boolean
  /** The very material of the catalogue, another maker's of the same line, or another line of the plastic. */
  readonly kinship: Kinship
  /** Of the colours, 0 to 442. */
  readonly distance: number
  readonly acceptable: boolean
}

const OTHER_TYPE = 10_000
/** Within one look, the very material comes first and its line next. Far more than any distance of colours. */
const COST: Readonly<Record<Kinship, number>> = { entry: 0, line: 500, variant: 1_000 }
/** Before all that, a colour that looks alike. */
const OTHER_LOOK = 2_000
/** Colours nearer than this are taken for one. */
export const EXCELLENT = 50
const GOOD = 150
/** The most that the colour of another type may be off. */
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
  const kinship = known ?? 'line' // what is known to nobody is compared by its type alone
  const sameType = filament.type.toLowerCase() === spool.type.toLowerCase() || (known !== undefined && known !== 'variant')
  const look = distance < EXCELLENT ? 0 : OTHER_LOOK
  return {
    value: sameType ? look + COST[kinship] + distance : OTHER_TYPE + distance,
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
