import type { Grey } from '../pixels.js'
import type { CellMap } from './cells.js'
import type { Thumb } from './shift.js'

/** How the scene looked at some time, and where the plate was, in pixels from where it was at first. */
export interface View {
  readonly grey: Grey
  /** For plates that travel. */
  readonly thumb?: Thumb
  /** ms since the epoch. */
  readonly at: number
  readonly x: number
  readonly y: number
}

/** What an analysis leaves for the next one of the same job. Plain data; never changed in place. */
export interface Memory {
  /** How it looks when all is well, the newest last. */
  readonly baselines: readonly View[]
  /** Looked well, but what came after must look well too before they count. */
  readonly candidates: readonly View[]
  /** The last analysis, and what it found new. */
  readonly last?: View & { readonly novelty: CellMap }
  /** Cells that stay suspicious although all baselines were given up. */
  readonly held?: CellMap
}

export const NO_MEMORY: Memory = { baselines: [], candidates: [] }
