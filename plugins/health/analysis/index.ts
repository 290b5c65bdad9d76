import type { JobContext, Profile } from '../types.js'
import { thresholdsFor } from '../verdict.js'
import { airZone, brightnessDifference, hotShare } from './brightness.js'
import { gateOf, isBlind, type Gate } from './gates.js'
import type { CellMap } from './improved/cell-grid.js'
import type { AnalysisState } from './improved/analysis-state.js'
import { improvedScore } from './improved/score.js'
import type { MaskInput, MaskResult } from './plate-mask/index.js'
import { shrunkGrey, shrunkInk, type Picture } from './picture.js'
import { referenceScore } from './reference/score.js'
import { isGatedStage } from '../stages.js'

/** Pictures are scaled down to this width before structures are searched for. */
export const WIDTH = 640

export interface AnalysisInput {
  readonly profile: Profile
  readonly picture: Picture
  /** Must have the same size as `picture`. */
  readonly reference?: Picture
  readonly context: JobContext
  readonly memory: AnalysisState
  /** ms since the epoch. */
  readonly now: number
  /** Compares with what should be on the plate, if that is known. Only for the improved profile. */
  readonly compare?: (about: Omit<MaskInput, 'expected'>) => MaskResult
}

export interface CellMaps { readonly tangle: CellMap, readonly novelty: CellMap, readonly lasting: CellMap }

export interface Analysis {
  /** 0 to 1. */
  readonly anomaly: number
  readonly hot: number
  readonly strands: number
  /** Only with the reference profile. */
  readonly edges?: number
  readonly texture?: number
  readonly diff: number | null
  readonly gate?: Gate
  /** Share of the plate behind the tool head. */
  readonly hidden?: number
  /** Nothing was there to compare the picture with. */
  readonly isFirst?: true
  /** Only with the improved profile. */
  readonly cells?: CellMaps
  /** What is missing or misplaced against the toolpath, in a sentence. */
  readonly finding?: string
  /** Input of the next analysis of the job; unchanged by a frame that shows nothing. */
  readonly memory: AnalysisState
}

/** Analyses one picture. Pure. */
export function analyse (input: AnalysisInput): Analysis {
  const { profile, picture, reference, context, memory } = input
  const grey = shrunkGrey(picture, WIDTH)
  const gate = gateOf(grey)
  const zone = airZone(picture)
  const hot = hotShare(picture, zone)
  const diff = reference === undefined || isGatedStage(context.stageId)
    ? null
    : brightnessDifference(picture, reference, zone)
  const common = { hot, diff, ...(gate && { gate }) }
  if (profile === 'reference') {
    const { anomaly, strands, edges, texture } = referenceScore(picture, { hot, diff }, context)
    return { ...common, anomaly, strands, edges, texture, memory }
  }
  if (isBlind(gate)) return { ...common, anomaly: 0, strands: 0, memory }
  const thresholds = thresholdsFor(context)
  const found = improvedScore({ grey: shrunkInk(picture, WIDTH), context, memory, now: input.now, thresholds })
  const { tangle, novelty, lasting } = found
  const hidden = found.memory.frames[0]?.hidden
  const about = { picture, width: WIDTH, context, hidden, state: memory.mask, thresholds }
  const mask: MaskResult = input.compare?.(about) ?? { anomaly: 0, ...(memory.mask && { state: memory.mask }) }
  return {
    ...common,
    anomaly: Math.max(found.anomaly, mask.anomaly),
    ...(mask.finding !== undefined && { finding: mask.finding }),
    strands: found.cluster,
    hidden: found.hidden,
    ...(found.isFirst && { isFirst: true }),
    cells: { tangle, novelty, lasting },
    memory: { ...found.memory, ...(mask.state && { mask: mask.state }) }
  }
}
