import type { ModelReport, PlacePlan, Placement } from './types.js'
import type { RefusalMessage } from './refusal.js'

/** Where the content of an entry of an archive is in its file. */
export interface EntryPlace {
  readonly start: number
  readonly packedSize: number
  readonly size: number
  readonly isDeflated: boolean
}

/** A file to read; the archive of a 3MF was opened by the main thread, which has the reader of archives. */
export interface ModelFile {
  readonly path: string
  /** What people call it: its ending may matter, its words stand in messages. */
  readonly name: string
  readonly bytes: number
  /** Of a 3MF: entries that may matter, by name. */
  readonly entries?: Readonly<Record<string, EntryPlace>>
  /** Of a 3MF: holds G-code. */
  readonly isSliced: boolean
}

export interface InspectTask {
  readonly kind: 'inspect'
  readonly file: ModelFile
  readonly abort: Int32Array
}

export interface PlaceTask {
  readonly kind: 'place'
  readonly plan: PlacePlan
  /** By path. */
  readonly files: Readonly<Record<string, ModelFile>>
  readonly abort: Int32Array
}

export type ModelTask = InspectTask | PlaceTask

export type ModelAnswer =
  | { readonly report: ModelReport }
  | { readonly placement: Placement }
  | { readonly refused: RefusalMessage }
