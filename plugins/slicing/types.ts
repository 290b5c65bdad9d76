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

/**
 * Settings for one kind of slicer: the text of a configuration file (`ini`), or presets of machine, process and
 * filaments with everything that they inherit (`presets`).
 */
export type EngineSettings =
  | { readonly kind: 'ini', readonly text: string }
  | {
    readonly kind: 'presets'
    readonly machine: PresetFields
    readonly process: PresetFields
    readonly filaments: readonly PresetFields[]
  }

export type PresetFields = Readonly<Record<string, string | readonly string[]>>

/** One plate for a slicer. */
export interface EngineJob {
  /** Models where they shall lie on the bed; a slicer moves none of them. */
  readonly instances: readonly PlacedInstance[]
  readonly settings: EngineSettings
  readonly target: SlicingTarget
  /** An empty folder of its own. */
  readonly folder: string
}

export interface EngineOptions {
  readonly signal: AbortSignal
  /** @param percent of the slicing; 0 to 100 @param step in the words of the slicer */
  readonly onProgress: (percent: number, step: string) => void
}

/** What a slicer wrote: toolpaths as text, or a whole archive as printers take it. */
export type EngineResult = { readonly gcode: string } | { readonly archive: string }

/** A program that makes toolpaths. Plugins contribute theirs to the list `slicers`. */
export interface Slicer {
  /** As in requests, such as `prusa-slicer`. */
  readonly name: string
  readonly title: string
  readonly settings: EngineSettings['kind']
  /** @returns undefined if it is not there. It takes at most some seconds. */
  find (): Promise<FoundSlicer | undefined>
  /** @throws PRN_ERR_SLICER_FAILED, the signal's reason */
  slice (job: EngineJob, options: EngineOptions): Promise<EngineResult>
}
