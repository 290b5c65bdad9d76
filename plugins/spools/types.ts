/** Where spools are kept. */
export const PLACE_KINDS = ['shelf', 'dryer', 'ams', 'holder', 'other'] as const
export type PlaceKind = (typeof PLACE_KINDS)[number]

/**
 * `weighed` on a scale; `corrected` by a person; `printer`: its estimate for a new spool; `imported` from a file;
 * `thrown` away; `net`: the amount when new was corrected; `dried`: the remainder is the same; `balanced`: part of a
 * print that was counted after a weighing that had seen it already, shown with that weighing.
 */
export const CHANGE_KINDS = ['weighed', 'corrected', 'printer', 'imported', 'thrown', 'net', 'dried', 'balanced'] as const
export type ChangeKind = (typeof CHANGE_KINDS)[number]

/** A spool, local or in Spoolman. */
export interface Spool {
  readonly id: string
  readonly name: string
  readonly material: string
  /** `#RRGGBB`; empty when unknown. */
  readonly color: string
  /** Number of its RFID tag; empty without one. */
  readonly tag: string
  /** Filament on it when new, g; undefined when unknown. */
  readonly netGrams: number | undefined
  readonly usedGrams: number
}

/** Amount left, g, never below 0; undefined when the full weight is unknown. */
export const remainingOf = ({ netGrams, usedGrams }: Spool): number | undefined =>
  netGrams === undefined ? undefined : Math.max(0, Math.round((netGrams - usedGrams) * 10) / 10)

/** A place of a printer, and what the printer reports in it. */
export interface Slot {
  readonly serial: string
  readonly printer: string
  /** As in the history: `ams 0 slot 2`, `external`. */
  readonly place: string
  /** Position of its AMS unit; undefined for an external holder. */
  readonly unitId: number | undefined
  /** Within the unit; 254 or 255 for an external holder. */
  readonly slotId: number
  readonly tag: string
  readonly material: string
  /** `#RRGGBB`, the main one; empty when unknown. */
  readonly color: string
  /** All colours of the spool; empty when unknown. */
  readonly colors: readonly string[]
  readonly isTranslucent: boolean
  /** The printer's estimate of the amount left, g; undefined when it cannot know. */
  readonly seenGrams: number | undefined
  /** Weight of a full spool according to its tag, g; undefined without one. */
  readonly fullGrams: number | undefined
}

/**
 * `waiting` to be reported; `sending`: requested, not answered yet; `unclear`: it is unknown whether it was counted;
 * `unknown`: no spool was assigned to the place; `refused` by Spoolman.
 */
export const USE_STATES = ['waiting', 'sending', 'done', 'unclear', 'refused', 'unknown'] as const
export type UseState = (typeof USE_STATES)[number]

/** Filament that a print used from a spool. */
export interface Use {
  /** Print and filament number, so that nothing is counted twice. */
  readonly id: string
  readonly print: string
  readonly spool: string
  readonly printer: string
  readonly place: string
  readonly material: string
  readonly grams: number
  readonly state: UseState
  /** Spoolman's count before the request, g. */
  readonly before: number | null
  readonly problem: string | null
  /** Times of the record and of the request to Spoolman, ms since the epoch. */
  readonly at: number
  readonly sent_at: number | null
}

/** The source of spools: this service or Spoolman. */
export interface SpoolKeeper {
  readonly kind: 'prnd' | 'spoolman'
  /** Why the list is not up to date; undefined while it is. */
  readonly problem: string | undefined
  /** Spools as of the last refresh, by id. */
  readonly spools: ReadonlyMap<string, Spool>
  refresh (signal?: AbortSignal): Promise<void>
}
