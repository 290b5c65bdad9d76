import type { JobContext } from '../../types.js'
import type { Grey } from '../pixels.js'
import { CELL, gridOf, type CellMap } from './cell-grid.js'
import type { Counterpart } from './frame-registration.js'
import { geometryOf, regionOf } from './geometry.js'
import { crossCorrelation } from './cross-correlation.js'
import type { AnalysisState, AnalysedFrame } from './analysis-state.js'

/** A frame counts as a baseline when it and so many after it looked well. */
const PROBATION = 3
/** The first baseline that is given up is the oldest. */
const MOST_BASELINES = 4
/** Places of a plate that travels. */
const MOST_PLACES = 8
/** A place that the known ones fit less well than this is a new one. */
const WELL_KNOWN = 0.9
/** What lies outside the plate agrees less than this: the camera or the light was moved. */
const LEAST_AGREEMENT = 0.3
/** Fewer places to compare say nothing. */
const FEWEST_PLACES = 8
const SEARCH = { fromX: -2, toX: 2, fromY: -2, toY: 2 }
/** Grey levels; flatter cells cannot be told apart. */
const TEXTURED = 5

export interface Renewal {
  readonly view: AnalysedFrame
  readonly match: Counterpart
  readonly context: JobContext
  readonly memory: AnalysisState
  readonly lasting: CellMap
  /** Nothing was found. */
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

/** Median likeness of what does not move: a sample of textured cells off the plate. */
function agreement (now: Grey, before: Grey, context: JobContext): number {
  const { columns, rows } = gridOf(now)
  const region = regionOf(context, columns, rows)
  const found: number[] = []
  for (let cell = 0; cell < columns * rows; cell += 3) {
    if (region?.[cell] === 1) continue
    const left = cell % columns * CELL
    const top = Math.floor(cell / columns) * CELL
    if (deviation(before, left, top) >= TEXTURED) found.push(crossCorrelation(now, before, left, top, SEARCH, 0.9))
  }
  found.sort((a, b) => a - b)
  return found.length < FEWEST_PLACES ? 1 : found[found.length >> 1] as number
}

/** The camera was moved or the light is altogether another: no baseline is of use any more. */
const isElsewhere = ({ view, match, context }: Renewal): boolean =>
  !geometryOf(context.series).slinger && agreement(view.grey, match.view.grey, context) < LEAST_AGREEMENT

/** Candidates whose probation is over become baselines; one bad frame ends the hopes of all. */
function promoted ({ view, match, context, memory, clean }: Renewal): Pick<AnalysisState, 'baselines' | 'candidates'> {
  const { baselines, candidates } = memory
  if (!clean) return { baselines, candidates: [] }
  const isPlace = !geometryOf(context.series).slinger || match.fit < WELL_KNOWN || candidates.length > 0
  const waiting = isPlace ? [...candidates, view] : candidates
  const [oldest] = waiting
  if (!oldest || waiting.length <= PROBATION) return { baselines, candidates: waiting }
  const most = geometryOf(context.series).slinger ? MOST_PLACES : MOST_BASELINES
  return { baselines: [...baselines, oldest].slice(-most), candidates: waiting.slice(1) }
}

/** What the next analysis is to compare with. What is suspicious stays so when all baselines are given up. */
export function renewed (renewal: Renewal): Omit<AnalysisState, 'looks' | 'head'> {
  const { view, memory: { held }, lasting } = renewal
  if (!isElsewhere(renewal)) return { ...promoted(renewal), ...(held && { held }) }
  const suspicious = lasting.values.some(value => value > 0)
  return { baselines: [view], candidates: [], ...(suspicious ? { held: lasting } : held && { held }) }
}
