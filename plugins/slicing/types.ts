import type { ModelInfo } from '../../core/index.js'
import type { Presets } from './imported/read-presets.js'
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
  /** The text of a configuration file, `key = value` in the words of PrusaSlicer; empty where there are presets. */
  readonly settings: string
  /** Settings in the words of OrcaSlicer and Bambu Studio, for a slicer that takes presets. */
  readonly presets?: Presets
  readonly target: SlicingTarget
  /** An empty folder of its own. */
  readonly folder: string
}

export interface EngineOptions {
  readonly signal: AbortSignal
  /** @param percent of the slicing; 0 to 100 @param step in the words of the slicer */
  readonly onProgress: (percent: number, step: string) => void
}

/** Path of what a slicer wrote: toolpaths as text, with the comments of PrusaSlicer; or a finished `.gcode.3mf`. */
export type EngineResult = { readonly gcode: string } | { readonly archive: string }

/** A configuration is one file of PrusaSlicer, presets are those of OrcaSlicer and Bambu Studio. */
export type SettingsKind = 'configuration' | 'presets'

/** A program that makes toolpaths. Plugins contribute theirs to the list `slicers`. */
export interface Slicer {
  /** As in requests, such as `prusa-slicer`. */
  readonly name: string
  readonly title: string
  /** Settings that it takes; left out: a configuration of PrusaSlicer. */
  readonly takes?: SettingsKind
  /** @returns undefined if it is not there. It takes at most some seconds. */
  find (): Promise<FoundSlicer | undefined>
  /** @throws PRN_ERR_SLICER_FAILED, the signal's reason */
  slice (job: EngineJob, options: EngineOptions): Promise<EngineResult>
}
