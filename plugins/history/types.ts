import type { Job } from '../../core/index.js'
import type { PrintRequest } from '../projects/index.js'
import type { PlateMapping } from './places.js'

/** The part of one spool in one filament of a print. */
export interface Feed {
  /** Of the project's filaments, from 1; 0 without a known mapping: whichever was in the nozzle. */
  readonly filament: number
  readonly place: string
  readonly material: string
  /** `#RRGGBB`; empty when unknown. */
  readonly color: string
  /** Number of the spool's RFID tag; empty without one. */
  readonly tag: string
  /** Layers that were printed with it, or percent if the printer reports no layers. */
  readonly amount: number
  /** Seconds of printing with it. */
  readonly seconds: number
  /** Which layers these are, in order; absent if the printer reports no layers. */
  readonly spans?: readonly LayerSpan[] | undefined
}

/** Layers after the first number, up to and including the second. */
export type LayerSpan = readonly [after: number, last: number]

/** Which spools fed a print so far. */
export interface Feeds {
  readonly list: readonly Feed[]
  /** The spools in use now, as positions in the list. */
  readonly inUse: readonly number[]
  /** The last place that was known to be in the nozzle. */
  readonly active: string
  /** The mapping as it was reported last, as text. */
  readonly reported: string
  /** Progress and printing time at the last report. */
  readonly amount: number
  readonly seconds: number
}

/** A filament of the plate as sliced. */
export interface PlannedFilament {
  readonly id: number
  readonly type: string
  readonly color: string
  readonly grams?: number | undefined
  readonly metres?: number | undefined
}

export const RESULTS = ['running', 'finished', 'failed', 'cancelled', 'unknown'] as const
/** `unknown`: the end was not observed, for example when the printer lost power and then printed something else. */
export type Result = (typeof RESULTS)[number]

/** Identifies a job as far as the printer reports it. */
export type JobIdentity = Pick<Job, 'taskId' | 'subtaskId' | 'subtaskName' | 'plate'>

/** A fault that was active when the print failed. */
export interface PrintFault { readonly code: string, readonly severity: string, readonly text: string }

/** What a print has used by the layer that it has reached, counted from the moves of its plate. */
export interface UsedByLayers {
  /** The layer, to which the figures belong. */
  readonly layer: number
  /** Of the filament that the whole plate uses. */
  readonly percent: number
  readonly filaments: readonly { readonly filament: number, readonly grams: number, readonly metres: number }[]
}

/** Use of one spool; a filament has several entries when another spool took over. */
export interface FilamentUse {
  /** Of the project's filaments, from 1. */
  readonly filament: number
  readonly material: string
  /** `#RRGGBB`; empty when unknown. */
  readonly color: string
  /** Where it came from: `ams 0 slot 2`, `external`, `external left` of two holders; empty when unknown. */
  readonly place: string
  /** Number of the spool's RFID tag; empty without one. */
  readonly tag: string
  /** This spool's share of the filament, 0 to 1; absent in records of earlier versions. */
  readonly share?: number | undefined
  /** This spool's share for the whole plate; undefined when the slicer did not say. */
  readonly plannedGrams: number | undefined
  readonly plannedMetres?: number | undefined
}

/** Seconds by activity of the printer, by a monotonic clock. */
export interface PrintTimes {
  readonly prepare: number
  readonly printing: number
  readonly paused: number
  /** While the service or the connection was down; after a restart by the system clock. */
  readonly unseen: number
}

/** One print, from its beginning to its end. Times are ms since the epoch. */
export interface Print {
  readonly id: string
  readonly job: JobIdentity
  readonly file: string
  /** `local`, `cloud` and others, as the printer reports. */
  readonly printType: string
  readonly startedAt: number
  /** False: the start was not observed; `startedAt` is the reported start or the first observation. */
  readonly startSeen: boolean
  readonly endedAt: number | undefined
  /** False: the end was not observed; `endedAt` is when it was noticed. */
  readonly endSeen: boolean
  readonly seenAt: number
  readonly result: Result
  /** Who started and who cancelled it, such as `http (network)`; `elsewhere` for slicers, apps and the screen. */
  readonly startedBy: string
  readonly endedBy: string
  readonly state: string
  readonly percent: number
  readonly layer: number
  readonly totalLayers: number
  /** The printer's estimate at the start of printing; 0 if unknown. */
  readonly plannedSeconds: number
  readonly times: PrintTimes
  /** How often it resumed after the printer had been off. */
  readonly interruptions: number
  readonly faults: readonly PrintFault[]
  readonly projectPath: string
  readonly md5: string
  readonly filaments: readonly FilamentUse[]
  /** The filaments of the sliced plate; undefined until the project was read. */
  readonly planned?: readonly PlannedFilament[] | undefined
  /** The mapping that the print was started with; undefined when unknown. */
  readonly mapping?: PlateMapping | undefined
  /** The spools that have fed it so far. */
  readonly feeds?: Feeds | undefined
  /** What it has used so far; undefined while its plate was not read. */
  readonly byLayers?: UsedByLayers | undefined
  /** Until then the grams of an ended print may still change, because its plate is read; undefined: they are final. */
  readonly gramsOpenUntil?: number | undefined
  /** Id of the queue's job that it is a copy of. */
  readonly queueJob?: string | undefined
  /** How many parts it gives when it ends well; undefined when unknown. */
  readonly parts?: number | undefined
  /** What it was started with, if it was started from here. */
  readonly asked?: PrintRequest | undefined
}

/** `day` counts from the epoch, `month` is such as 202611; both by UTC. */
export type Unit = 'day' | 'month'
/** All prints, prints by material, and failed prints by fault; the latter two have a `key`. */
export type Kind = 'print' | 'material' | 'fault'

/** Printing time; planned and actual seconds of finished prints with an estimate; filament, its cost, good parts. */
export interface Amounts {
  readonly prints: number
  readonly seconds: number
  readonly planned: number
  readonly actual: number
  readonly grams: number
  readonly metres: number
  readonly cost: number
  readonly parts: number
}

/** Sum of the prints of one unit, printer and outcome. */
export interface Sum extends Amounts {
  readonly unit: Unit
  readonly at: number
  readonly kind: Kind
  readonly key: string
  readonly printer: string
  readonly outcome: string
}
