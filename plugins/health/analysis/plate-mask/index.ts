import type { Outline } from '../../../toolpath/index.js'
import type { JobContext } from '../../types.js'
import type { Thresholds } from '../../verdict.js'
import type { Picture } from '../picture.js'
import type { BedPose } from './bed-view.js'
import { hasFixedCamera } from './camera-kind.js'
import { wordsOf } from './finding-words.js'
import { judgePlate, newPlateMaskState, type PlateMaskState } from './judge.js'
import { shrunkRgb } from './shrunk-rgb.js'

/** What should be on the plate, and where the printer's camera was seen to be in earlier jobs. Plain data. */
export interface ExpectedPlate {
  readonly outline: Outline
  readonly pose?: BedPose
}

export interface MaskInput {
  readonly picture: Picture
  /** To which pictures are scaled down. */
  readonly width: number
  readonly context: JobContext
  readonly expected: ExpectedPlate
  /** Cells behind the tool head. */
  readonly hidden: Uint8Array | undefined
  readonly state: PlateMaskState | undefined
  readonly thresholds: Thresholds
}

export interface MaskResult {
  /** 0 without a finding. */
  readonly anomaly: number
  readonly finding?: string
  readonly state?: PlateMaskState
}

/** Judges a picture by the mask of what should be on the plate. What it finds is a warning, never more. */
export function maskOf ({ picture, width, context, expected, hidden, state, thresholds }: MaskInput): MaskResult {
  if (!hasFixedCamera(context)) return { anomaly: 0, ...(state && { state }) }
  const { findings, state: next } = judgePlate({
    picture: shrunkRgb(picture, width),
    series: context.series,
    bedMm: context.bedMm,
    outline: expected.outline,
    hidden,
    state: state ?? newPlateMaskState(expected.pose)
  })
  const finding = wordsOf(findings)
  if (finding === undefined) return { anomaly: 0, state: next }
  return { anomaly: (thresholds.warning + thresholds.critical) / 2, finding, state: next }
}
