import type { Outline } from '../../../toolpath/index.js'
import type { Series } from '../../types.js'
import type { Picture } from '../picture.js'
import { NO_POSE, viewBed, type BedPose } from './bed-view.js'
import { mixed, type ColourModel } from './colour-model.js'
import { coloursOf, lookAt, withRise, type Offset } from './look.js'
import { withoutHollow } from './hollow.js'
import type { MaskFinding } from './finding-words.js'
import { isSame, suspicionsOf, type Suspicion } from './suspicions.js'

/** Carried from one picture of a job to the next. Plain data. */
export interface PlateMaskState {
  readonly pose: BedPose
  /** What part and surroundings looked like while all was as it should be. */
  readonly colours?: ColourModel
  /** Pictures that showed what should be there, and by how many px the mask was moved in each of the first. */
  readonly good: number
  readonly offsets: readonly Offset[]
  /** Pictures in a row in which the bed was not where it was expected. */
  readonly lost: number
  /** Differences of the pictures before, the newest first, which this one may confirm. */
  readonly suspected: readonly (readonly Suspicion[])[]
}

export const newPlateMaskState = (pose: BedPose = NO_POSE): PlateMaskState =>
  ({ pose, good: 0, offsets: [], lost: 0, suspected: [] })

export interface PlateMaskInput {
  /** Red, green, blue, scaled down. */
  readonly picture: Picture
  readonly series: Series
  readonly bedMm: readonly number[]
  readonly outline: Outline
  /** Cells behind the tool head. */
  readonly hidden: Uint8Array | undefined
  readonly state: PlateMaskState
}

export interface PlateMaskResult {
  readonly state: PlateMaskState
  /** What two pictures agree on. */
  readonly findings: readonly MaskFinding[]
  /** Whether the mask could be laid over the picture and the picture told from it. */
  readonly isJudged: boolean
}

/** How well a mask must fit a picture before its colours are learned, and before they are used in the same picture. */
const AGREED = 0.62
const USABLE = 0.5
/** Share of the newest picture in what is learned. */
const NEWEST = 0.4
/** Pictures that must have shown what should be there before differences count. */
const FEWEST_GOOD = 2
/** Pictures before that may be confirmed: the tool head may hide a place in those between. */
const REMEMBERED = 4
/** Pictures without a bed after which the camera is taken as moved. */
const LOST = 5

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!

/** Compares a picture with what should be on the bed. What two of five pictures show counts. Pure. */
export function judgePlate ({ picture, series, bedMm, outline, hidden, state }: PlateMaskInput): PlateMaskResult {
  const isSettled = state.good >= FEWEST_GOOD
  const view = viewBed({ picture, series, bedMm, sunk: outline.z, pose: state.pose })
  const offset: Offset | undefined = isSettled
    ? [median(state.offsets.map(([dx]) => dx)), median(state.offsets.map(([, dy]) => dy))]
    : undefined
  const look = lookAt({ picture, outline: withoutHollow(outline), view, bedMm, cells: hidden, offset })
  const seen = isSettled ? state.pose : view.pose // what was found to fit stays
  if (look === undefined) {
    const lost = view.cameraOf === undefined ? state.lost + 1 : 0
    return { state: lost >= LOST ? newPlateMaskState() : { ...state, pose: seen, lost }, findings: [], isJudged: false }
  }
  const pose = withRise(seen, look)
  const colours = state.colours ?? (look.agreement >= USABLE ? coloursOf(look) : undefined)
  if (colours === undefined) return { state: { ...state, pose, lost: 0 }, findings: [], isJudged: false }
  const suspected = isSettled ? suspicionsOf(look, colours, outline) : []
  const before = state.suspected.flat()
  const findings = suspected.filter(one => before.some(other => isSame(one, other))).map(({ finding }) => finding)
  const next = { ...state, pose, lost: 0, suspected: [suspected, ...state.suspected].slice(0, REMEMBERED) }
  if (suspected.length > 0 || look.agreement < AGREED) return { state: next, findings, isJudged: true }
  const learned = state.colours ? mixed(state.colours, coloursOf(look), NEWEST) : coloursOf(look)
  const offsets = isSettled ? state.offsets : [...state.offsets, look.offset]
  return { state: { ...next, good: state.good + 1, offsets, colours: learned }, findings, isJudged: true }
}
