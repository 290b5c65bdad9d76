import type { JobContext } from '../../types.js'
import type { Grey } from '../picture.js'
import { CELL, gridOf, type CellMap } from './cell-grid.js'
import type { Registration } from './frame-registration.js'
import { geometryOf, regionOf } from './geometry.js'
import { crossCorrelation } from './cross-correlation.js'
import type { AnalysisState, GreyFrame } from './analysis-state.js'

/** A frame becomes a baseline when it and this many after it were clean. */
const PROBATION = 3
/** Beyond this the oldest baseline is dropped. */
const MOST_BASELINES = 4
/** The same for a moving bed, which needs baselines of several positions. */
const MOST_POSITIONS = 8
/** A position that fits the known ones less well than this is a new one. */
const WELL_KNOWN = 0.9
/** With less agreement outside the plate than this, the camera or the light was moved. */
const LEAST_AGREEMENT = 0.3
/** Fewer cells to compare are inconclusive. */
const FEWEST_CELLS = 8
const SEARCH = { fromX: -2, toX: 2, fromY: -2, toY: 2 }
/** Grey levels; cells with less deviation cannot be compared. */
const TEXTURED = 5

export interface BaselineUpdate {
  readonly frame: GreyFrame
  readonly match: Registration
  readonly context: JobContext
  readonly memory: AnalysisState
  readonly lasting: CellMap
  /** No anomaly was found. */
  readonly clean: boolean
}

function deviation ({ width, data }: Grey, left: number, top: number): number {
  let sum = 0
  let squares = 0
  for (let y = top; y < top + CELL; y++) {
    for (let x = left; x < left + CELL; x++) {
      const value = data[y * width + x] as number
      sum += value
      squares += value * value
    }
  }
  const count = CELL * CELL
  return Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2))
}

/** Median similarity of what does not move: a sample of textured cells outside the plate. */
function agreement (frame: Grey, previous: Grey, context: JobContext): number {
  const { columns, rows } = gridOf(frame)
  const region = regionOf(context, columns, rows)
  const found: number[] = []
  for (let cell = 0; cell < columns * rows; cell += 3) {
    if (region?.[cell] === 1) continue
    const left = cell % columns * CELL
    const top = Math.floor(cell / columns) * CELL
    if (deviation(previous, left, top) < TEXTURED) continue
    found.push(crossCorrelation(frame, previous, left, top, SEARCH, 0.9).fit)
  }
  found.sort((a, b) => a - b)
  return found.length < FEWEST_CELLS ? 1 : found[found.length >> 1] as number
}

/** The camera was moved or the light changed: all baselines are obsolete. */
const isOtherScene = ({ frame, match, context }: BaselineUpdate): boolean =>
  !geometryOf(context.series).slinger && agreement(frame.grey, match.previous.grey, context) < LEAST_AGREEMENT

/** Candidates become baselines after their probation; one frame that is not clean discards all candidates. */
function promoted (
  { frame, match, context, memory, clean }: BaselineUpdate): Pick<AnalysisState, 'baselines' | 'candidates'> {
  const { baselines, candidates } = memory
  if (!clean) return { baselines, candidates: [] }
  const isWanted = !geometryOf(context.series).slinger || match.fit < WELL_KNOWN || candidates.length > 0
  const waiting = isWanted ? [...candidates, frame] : candidates
  const [oldest] = waiting
  if (!oldest || waiting.length <= PROBATION) return { baselines, candidates: waiting }
  const most = geometryOf(context.series).slinger ? MOST_POSITIONS : MOST_BASELINES
  return { baselines: [...baselines, oldest].slice(-most), candidates: waiting.slice(1) }
}

/** The baselines of the next analysis. Suspicious cells stay so when all baselines are dropped. */
export function updatedBaselines (update: BaselineUpdate): Omit<AnalysisState, 'frames' | 'head'> {
  const { frame, memory: { held }, lasting } = update
  if (!isOtherScene(update)) return { ...promoted(update), ...(held && { held }) }
  const suspicious = lasting.values.some(value => value > 0)
  return { baselines: [frame], candidates: [], ...(suspicious ? { held: lasting } : held && { held }) }
}
