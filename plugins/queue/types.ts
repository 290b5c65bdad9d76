import type { Plate } from '../projects/index.js'

/** What a plate of a sliced file needs, according to the slicer. */
export type PlateFacts = Pick<Plate, 'number' | 'name' | 'printable' | 'filaments' | 'filamentExtruders' |
  'physicalExtruders' | 'nozzleDiametersMm' | 'printerModelId' | 'seconds' | 'grams'> & {
  /** Missing in files that an earlier version stored. */
    readonly bedType?: string
    /** How many objects lie on it, without wipe towers. Missing in files that an earlier version stored. */
    readonly parts?: number
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
  /** Its content is in the database as well, for all services that share it. */
  readonly isStored?: boolean
  /** How many parts its plates give according to a person, by number of the plate. */
  readonly partCounts?: Readonly<Record<string, number>>
}

/** One way to print a job: a plate of a file, on the printers it is sliced for. */
export interface Alternative {
  readonly file: string
  readonly plate: number
}

export const MATERIALS = ['exact', 'near', 'any'] as const
export const COLORS = ['exact', 'near', 'any'] as const
export const PLATE_TYPES = ['auto', 'cool_plate', 'eng_plate', 'hot_plate', 'textured_plate'] as const

/** Requirements of a job beyond those of its file. */
export interface Needs {
  /** Names of printers or groups; empty: any. */
  readonly printers: readonly string[]
  /** `exact`: the same; `near`: a variant too; `any`: also an unknown material. Never one known to be different. */
  readonly material: (typeof MATERIALS)[number]
  readonly color: (typeof COLORS)[number]
  readonly plateType: (typeof PLATE_TYPES)[number]
  readonly leveling: boolean
  readonly flow: boolean
  readonly timelapse: boolean
  /** Accepts a spool that runs out during the print if none holds enough. */
  readonly allowLow: boolean
  /** Codes of findings in its plate in spite of which it is printed. */
  readonly acceptFindings: readonly string[]
  /** Starts only where it is expected to end within the working hours. */
  readonly endInHours: boolean
  /** How many parts are wanted in all; undefined: as many as the copies give. */
  readonly parts?: number | undefined
  /** What is warm before it starts; null: whatever there is, undefined: as the table of materials says. */
  readonly soak?: Soak | null | undefined
}

/** What is to be warm before a print starts, and for how long. */
export interface Soak {
  readonly bedC: number
  /** 0: no matter. */
  readonly chamberC: number
  /** For how long it is kept so. */
  readonly minutes: number
  /** What happens when it does not get as warm: a person is asked, or it starts as it is. */
  readonly otherwise: 'ask' | 'start'
}

/** What was heated for a run and has neither been taken over by its print nor been switched off. */
export interface HeatRecord {
  readonly run: string
  /** The printer's name at the time; empty when the run is not known any more. */
  readonly printer: string
  /** Id of the service that heats. */
  readonly owner: string
  readonly bedC: number
  /** 0: the chamber was not heated, and need not be warm. */
  readonly chamberC: number
  readonly minutes: number
  readonly heatedAt: number
  /** Since when everything has been as warm as wanted. */
  readonly warmAt: number | undefined
}

/** What has failed on a printer since a print of the queue was finished there, or since a person released it. */
export interface FailureRecord {
  readonly failures: number
  /** Why the last one failed; empty when unknown. */
  readonly reason: string
  /** So many in a row stop the printer, set by a person; 0 never, undefined: the configured number. */
  readonly most: number | undefined
  /** When the queue stopped using the printer; undefined: it uses it. */
  readonly stoppedAt: number | undefined
  /** Somebody was told. */
  readonly isTold: boolean
}

export const JOB_ENDS = ['done', 'failed', 'cancelled'] as const
/** `open` as long as copies are waiting or being printed. */
export type JobState = 'open' | (typeof JOB_ENDS)[number]

/** Copies of a print that a caller requested. Times are ms since the epoch. */
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
  /** Copies that were printed, are in progress, or failed for good. */
  readonly taken: number
  readonly finished: number
  readonly needs: Needs
  readonly notBefore: number | undefined
  /** How many failed copies are printed again, in total. */
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
 * `preparing`: chosen, nothing was sent; `sending`: the start was sent, or is about to be, and the printer has not
 * reported the job; `unknown`: it is unknown whether, or how far, it was printed.
 */
export type RunState = (typeof ACTIVE_STATES)[number] | (typeof RUN_ENDS)[number]

/** One attempt to print a copy on one printer. */
export interface Run {
  readonly id: string
  readonly job: string
  readonly serial: string
  /** The printer's name at the time. */
  readonly printer: string
  readonly state: RunState
  /** Id of the service that starts it. */
  readonly owner: string
  /** Task id under which the printer reports the job. */
  readonly task: number
  readonly file: string
  readonly plate: number
  /** Path on the printer's card. */
  readonly path: string
  /** Identity of the job that the printer reported before the start; undefined until it is sent. */
  readonly before: string | undefined
  /** The slicer's estimate; 0 unknown. */
  readonly seconds: number
  readonly createdAt: number
  readonly sentAt: number | undefined
  readonly endedAt: number | undefined
  readonly reason: string
  /** Id of its print in the history; empty until it is known. */
  readonly print: string
}

/** `taken`: reserved by a run that has not begun to print. */
export type PlateState = 'clear' | 'taken' | 'used'

/** What is known about the build plate in a printer. */
export interface PlateRecord {
  readonly serial: string
  readonly state: PlateState
  readonly run: string | undefined
  /** Identity of the job that the printer reported when the plate was confirmed clear. */
  readonly job: string
  readonly changedAt: number
  readonly changedBy: string
}

/** Everything that a turn decides on: open jobs, active runs, and what they depend on. */
export interface Snapshot {
  readonly jobs: readonly Job[]
  readonly runs: readonly Run[]
  readonly files: ReadonlyMap<string, SlicedFile>
  readonly plates: ReadonlyMap<string, PlateRecord>
  /** `queue`, `group:NAME`, and those of printers. */
  readonly pauses: ReadonlyMap<string, number>
  /** When a print was last started in a group. */
  readonly groupStarts: ReadonlyMap<string, number>
  /** Earlier failed attempts at the open jobs, by job. */
  readonly attempts: ReadonlyMap<string, readonly Attempt[]>
  /** Seconds that the queue has printed on a printer, by serial. */
  readonly used: ReadonlyMap<string, number>
  /** By serial. */
  readonly failures: ReadonlyMap<string, FailureRecord>
  /** By serial. */
  readonly heats: ReadonlyMap<string, HeatRecord>
}

/** A run that failed or was not started. */
export type Attempt = Pick<Run, 'serial' | 'printer' | 'state' | 'reason'> & { readonly endedAt: number }
