import type { ModelInfo } from '../../core/index.js'
import type { PlacedInstance } from './models/index.js'

declare module 'prnd' {
  interface Contributions {
    /** Programs that make toolpaths of models. */
    slicers: Slicer
  }
}

/** A slicer as it was found on this host, or at an address. */
export interface FoundSlicer {
  /** Path or address. */
  readonly place: string
  /** As it says itself, such as `2.5.0`. */
  readonly version: string
}

/** The printer that a plate is made for. */
export interface SlicingTarget {
  readonly model: ModelInfo
  readonly nozzleMm: number
}

/** One plate for a slicer. */
export interface EngineJob {
  /** Models where they shall lie on the bed; a slicer moves none of them. */
  readonly instances: readonly PlacedInstance[]
  /** The text of a configuration file, `key = value` in the words of PrusaSlicer. */
  readonly settings: string
  readonly target: SlicingTarget
  /** An empty folder of its own. */
  readonly folder: string
}

export interface EngineOptions {
  readonly signal: AbortSignal
  /** @param percent of the slicing; 0 to 100 @param step in the words of the slicer */
  readonly onProgress: (percent: number, step: string) => void
}

/** What a slicer wrote: the path of toolpaths as text, with the comments of PrusaSlicer. */
export interface EngineResult { readonly gcode: string }

/** A program that makes toolpaths. Plugins contribute theirs to the list `slicers`. */
export interface Slicer {
  /** As in requests, such as `prusa-slicer`. */
  readonly name: string
  readonly title: string
  /** @returns undefined if it is not there. It takes at most some seconds. */
  find (): Promise<FoundSlicer | undefined>
  /** @throws PRN_ERR_SLICER_FAILED, the signal's reason */
  slice (job: EngineJob, options: EngineOptions): Promise<EngineResult>
}
