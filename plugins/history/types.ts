import type { Job } from '../../core/index.js'
import type { PrintRequest } from '../projects/index.js'
import type { PlateMapping } from './places.js'

/** What one spool gave to one filament of a print. */
export interface Feed {
  /** Of the project's filaments, from 1; 0 whichever was in the nozzle, where nobody knows the mapping. */
  readonly filament: number
  readonly place: string
  readonly material: string
  /** `#RRGGBB`; empty when unknown. */
  readonly color: string
  /** Number of the spool's RFID tag; empty without one. */
  readonly tag: string
  /** Layers that were printed with it, or percent where the printer tells no layers. */
  readonly amount: number
  /** Seconds of printing with it. */
  readonly seconds: number
}

/** Which spools fed a print so far. */
export interface Feeds {
  readonly list: readonly Feed[]
  /** What feeds each filament now, as positions in the list. */
  readonly inUse: readonly number[]
  /** The last place that was known to be in the nozzle. */
  readonly active: string
  /** The mapping as it was reported last, as text. */
  readonly reported: string
  /** How far the print was, and for how long it had printed, at that moment. */
  readonly amount: number
  readonly seconds: number
}

/** A filament as the slicer tells of it. */
export interface PlannedFilament {
  readonly id: number
  readonly type: string
  readonly color: string
  readonly grams?: number | undefined
  readonly metres?: number | undefined
}

export const RESULTS = ['running', 'finished', 'failed', 'cancelled', 'unknown'] as const
/** `unknown`: nobody saw how it ended, as when the printer lost power and then printed something else. */
export type Result = (typeof RESULTS)[number]

/** How a printer tells its jobs apart. */
export type JobIdentity = Pick<Job, 'taskId' | 'subtaskId' | 'subtaskName' | 'plate'>

/** A fault that the printer showed when the print failed. */
export interface PrintFault { readonly code: string, readonly severity: string, readonly text: string }

/** What a print takes from one spool; a filament has several when another spool took over. */
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
  /** For the whole plate, as much as comes from this spool; undefined when the slicer did not say. */
  readonly plannedGrams: number | undefined
  readonly plannedMetres?: number | undefined
}

/** Seconds by what the printer did, measured by a clock that does not jump. */
export interface PrintTimes {
  readonly prepare: number
  readonly printing: number
  readonly paused: number
  /** While nobody looked: the service or the connection was down. By the clock of the day. */
  readonly unseen: number
}

/** One print, from its beginning to its end. Times are ms since the epoch. */
export interface Print {
  readonly id: string
  readonly job: JobIdentity
  readonly file: string
  /** `local`, `cloud` and other words of the printer. */
  readonly printType: string
  readonly startedAt: number
  /** False: it began before the service; the start is the one that the printer reported, or the first observation. */
  readonly startSeen: boolean
  readonly endedAt: number | undefined
  /** False: the end fell into a time when nobody looked; `endedAt` is when it was noticed. */
  readonly endSeen: boolean
  readonly seenAt: number
  readonly result: Result
  /** Who began and who cancelled it, such as `http (network)`; `elsewhere` for slicers, apps and the screen. */
  readonly startedBy: string
  readonly endedBy: string
  readonly state: string
  readonly percent: number
  readonly layer: number
  readonly totalLayers: number
  /** As the printer estimated when it began to print; 0 unknown. */
  readonly plannedSeconds: number
  readonly times: PrintTimes
  /** How often it went on after the printer had been off. */
  readonly interruptions: number
  readonly faults: readonly PrintFault[]
  readonly projectPath: string
  readonly md5: string
  readonly filaments: readonly FilamentUse[]
  /** What the slicer planned for the plate; undefined until the project was read. */
  readonly planned?: readonly PlannedFilament[] | undefined
  /** Where the filaments come from, as the print was started; undefined when nobody told. */
  readonly mapping?: PlateMapping | undefined
  /** Which spools have fed it so far. */
  readonly feeds?: Feeds | undefined
  /** Id of the queue's job that it is a copy of. */
  readonly queueJob?: string | undefined
  /** What it was started with, where it was from here. */
  readonly asked?: PrintRequest | undefined
}

/** `day` counts from the epoch, `month` is such as 202611; both by UTC. */
export type Unit = 'day' | 'month'
/** All prints, those with a material, and those that failed with a fault; the latter two by their `key`. */
export type Kind = 'print' | 'material' | 'fault'

/** Seconds at work; planned and actual seconds of finished prints with a plan; filament and its cost. */
export interface Amounts {
  readonly prints: number
  readonly seconds: number
  readonly planned: number
  readonly actual: number
  readonly grams: number
  readonly metres: number
  readonly cost: number
}

/** What prints of one unit, printer and outcome come to. */
export interface Sum extends Amounts {
  readonly unit: Unit
  readonly at: number
  readonly kind: Kind
  readonly key: string
  readonly printer: string
  readonly outcome: string
}
