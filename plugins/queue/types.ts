import type { Plate } from '../projects/index.js'

/** What a plate of a sliced file needs, as the slicer wrote it. */
export type PlateFacts = Pick<Plate, 'number' | 'name' | 'printable' | 'filaments' | 'filamentExtruders' |
  'physicalExtruders' | 'nozzleDiametersMm' | 'printerModelId' | 'seconds' | 'grams'> & {
  /** Not of files that an earlier version took in. */
    readonly bedType?: string
  }

/** A sliced file of the library. */
export interface SlicedFile {
  /** SHA-256 of its content, hexadecimal. */
  readonly id: string
  readonly name: string
  readonly size: number
  readonly plates: readonly PlateFacts[]
  readonly addedAt: number
  readonly addedBy: string
  /** Its content lies in the database as well, for all services that share it. */
  readonly isStored?: boolean
}

/** One way to print a job: a plate of a file, for the printers that it is sliced for. */
export interface Alternative {
  readonly file: string
  readonly plate: number
}

export const MATERIALS = ['exact', 'near', 'any'] as const
export const COLORS = ['exact', 'near', 'any'] as const
export const PLATE_TYPES = ['auto', 'cool_plate', 'eng_plate', 'hot_plate', 'textured_plate'] as const

/** What a job wants of a printer beside what its file says. */
export interface Needs {
  /** Names of printers or groups; empty: any. */
  readonly printers: readonly string[]
  /** `exact`: the same; `near`: a variant too; `any`: also where it is unknown. Never one known to be another. */
  readonly material: (typeof MATERIALS)[number]
  readonly color: (typeof COLORS)[number]
  readonly plateType: (typeof PLATE_TYPES)[number]
  readonly leveling: boolean
  readonly flow: boolean
  readonly timelapse: boolean
  /** Where no spool holds enough, one that runs out meanwhile will do. */
  readonly allowLow: boolean
  /** Starts only where it would end within the working hours. */
  readonly endInHours: boolean
}

export const JOB_ENDS = ['done', 'failed', 'cancelled'] as const
/** `open` as long as copies are waiting or being printed. */
export type JobState = 'open' | (typeof JOB_ENDS)[number]

/** Copies of a print that somebody asked for. Times are ms since the epoch. */
export interface Job {
  readonly id: string
  readonly name: string
  readonly state: JobState
  /** Higher first. */
  readonly priority: number
  /** Lower first, among jobs of one priority. */
  readonly position: number
  readonly alternatives: readonly Alternative[]
  readonly copies: number
  /** Copies that were printed, are being printed, or are given up. */
  readonly taken: number
  readonly finished: number
  readonly needs: Needs
  readonly notBefore: number | undefined
  /** How often a failed copy is printed again, in all. */
  readonly retries: number
  readonly held: boolean
  readonly note: string
  readonly createdAt: number
  readonly createdBy: string
  readonly endedAt: number | undefined
}

export const ACTIVE_STATES = ['preparing', 'sending', 'printing', 'unknown'] as const
export const RUN_ENDS = ['finished', 'failed', 'cancelled', 'not_started'] as const
/**
 * `preparing`: chosen, nothing was sent; `sending`: the printer was told, or is about to be, and has not reported it;
 * `unknown`: nobody knows whether, or how far, it was printed.
 */
export type RunState = (typeof ACTIVE_STATES)[number] | (typeof RUN_ENDS)[number]

/** One copy on one printer. */
export interface Run {
  readonly id: string
  readonly job: string
  readonly serial: string
  /** Its name at the time. */
  readonly printer: string
  readonly state: RunState
  /** The service that starts it. */
  readonly owner: string
  /** Number by which the printer reports the job. */
  readonly task: number
  readonly file: string
  readonly plate: number
  /** On the printer's card. */
  readonly path: string
  /** Identity of the job that the printer reported before; undefined until it was told. */
  readonly before: string | undefined
  /** As the slicer estimates; 0 unknown. */
  readonly seconds: number
  readonly createdAt: number
  readonly sentAt: number | undefined
  readonly endedAt: number | undefined
  readonly reason: string
  /** Id of its record in the history; empty until it is known. */
  readonly print: string
}

/** `taken`: by a run that has not begun to print. */
export type PlateState = 'clear' | 'taken' | 'used'

/** What is known of the build plate that lies in a printer. */
export interface PlateRecord {
  readonly serial: string
  readonly state: PlateState
  readonly run: string | undefined
  /** Identity of the job that the printer reported when the plate was confirmed clear. */
  readonly job: string
  readonly changedAt: number
  readonly changedBy: string
}

/** All that is not over. */
export interface Snapshot {
  readonly jobs: readonly Job[]
  readonly runs: readonly Run[]
  readonly files: ReadonlyMap<string, SlicedFile>
  readonly plates: ReadonlyMap<string, PlateRecord>
  /** `queue`, `group:NAME`, `printer:NAME`. */
  readonly pauses: ReadonlySet<string>
  /** When a print was last started in a group. */
  readonly groupStarts: ReadonlyMap<string, number>
  /** Earlier attempts at the open jobs that came to nothing, by job. */
  readonly attempts: ReadonlyMap<string, readonly Attempt[]>
  /** Seconds that the queue has printed on a printer, by serial. */
  readonly used: ReadonlyMap<string, number>
}

/** A run that failed or was not started. */
export type Attempt = Pick<Run, 'serial' | 'printer' | 'state' | 'reason'> & { readonly endedAt: number }
