import type { Grey } from '../pixels.js'
import type { CellMap } from './cell-grid.js'
import type { Head } from './toolhead-tracker.js'
import type { DownscaledImage } from './translation-search.js'

/** How the scene looked at some time. */
export interface AnalysedFrame {
  readonly grey: Grey
  readonly downscaled: DownscaledImage
  /** ms since the epoch. */
  readonly at: number
  /** How far the plate had gone down, as a share of the frame's height; undefined when that is not known. */
  readonly sunk?: number
  /** How tangled its cells look, and how many lines they show. */
  readonly tangle?: CellMap
  readonly density?: CellMap
}

/** A frame that was analysed, and what was found in it. */
export interface Look extends AnalysedFrame {
  readonly edges: DownscaledImage
  /** Without what the tool head covers. */
  readonly tangle: CellMap
  readonly novelty: CellMap
  readonly lasting: CellMap
  /** Cells behind the tool head. */
  readonly hidden: Uint8Array
}

/** What an analysis leaves for the next one of the same job. Plain data; never changed in place. */
export interface AnalysisState {
  /** How it looks when all is well, the newest last. */
  readonly baselines: readonly AnalysedFrame[]
  /** Looked well, but what came after must look well too before they count. */
  readonly candidates: readonly AnalysedFrame[]
  /** The last analyses, the newest first. */
  readonly looks: readonly Look[]
  /** How the tool head looks. */
  readonly head?: Head
  /** How much spoke for a tangle so far, as log odds. */
  readonly suspicion?: number
  /** Cells that stay suspicious although all baselines were given up. */
  readonly held?: CellMap
}

export const EMPTY_STATE: AnalysisState = { baselines: [], candidates: [], looks: [] }
