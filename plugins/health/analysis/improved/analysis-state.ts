import type { Grey } from '../picture.js'
import type { PlateMaskState } from '../plate-mask/judge.js'
import type { CellMap } from './cell-grid.js'
import type { DownscaledImage } from './downscale.js'
import type { Head } from './toolhead-tracker.js'

/** A frame in grey, prepared for comparison with others. */
export interface GreyFrame {
  readonly grey: Grey
  /** The same, smoothed: fine texture in it looks the same when it moves by a fraction of a pixel. */
  readonly smoothed: Grey
  readonly downscaled: DownscaledImage
  /** ms since the epoch. */
  readonly at: number
  /** How far the plate had gone down, as a share of the frame's height; undefined when unknown. */
  readonly sunk?: number
  /** How tangled its cells look, and their density of lines. */
  readonly tangle?: CellMap
  readonly density?: CellMap
}

/** A frame with the findings of its analysis. */
export interface AnalysedFrame extends GreyFrame {
  readonly edges: DownscaledImage
  /** Without the cells that the tool head covers. */
  readonly tangle: CellMap
  readonly novelty: CellMap
  readonly lasting: CellMap
  /** Cells behind the tool head. */
  readonly hidden: Uint8Array
}

/** Carried from one analysis of a job to the next. Plain data; never changed in place. */
export interface AnalysisState {
  /** The background: frames in which all was well, the newest last. */
  readonly baselines: readonly GreyFrame[]
  /** Clean frames that become baselines once the frames after them are clean too. */
  readonly candidates: readonly GreyFrame[]
  /** The previous frames, the newest first. */
  readonly frames: readonly AnalysedFrame[]
  readonly head?: Head
  /** Log odds of a tangle so far. */
  readonly suspicion?: number
  /** Cells that stay suspicious although all baselines were dropped. */
  readonly held?: CellMap
  /** What is known of the mask of what should be on the plate. */
  readonly mask?: PlateMaskState
}

export const EMPTY_STATE: AnalysisState = { baselines: [], candidates: [], frames: [] }
