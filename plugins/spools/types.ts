/** A spool, wherever it is kept. */
export interface Spool {
  readonly id: string
  readonly name: string
  readonly material: string
  /** `#RRGGBB`; empty when unknown. */
  readonly color: string
  /** Number of its RFID tag; empty without one. */
  readonly tag: string
  /** Filament on it when it was new, g; undefined when unknown. */
  readonly netGrams: number | undefined
  readonly usedGrams: number
}

/** What is left, g; undefined when nobody knows how much there was. Never below 0. */
export const remainingOf = ({ netGrams, usedGrams }: Spool): number | undefined =>
  netGrams === undefined ? undefined : Math.max(0, Math.round((netGrams - usedGrams) * 10) / 10)

/** A place of a printer, and what the printer says is in it. */
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
  /** All of a spool with several; none when unknown. */
  readonly colors: readonly string[]
  readonly isTranslucent: boolean
  /** What the printer believes to be left, g; undefined when it cannot know. */
  readonly seenGrams: number | undefined
  /** Filament of a full spool as its tag says, g; undefined without. */
  readonly fullGrams: number | undefined
}

/**
 * `waiting` to be reported, `sending`: asked, and no answer came; `unclear`: nobody knows whether it was counted;
 * `unknown`: no spool was known in that place; `refused` by Spoolman.
 */
export const USE_STATES = ['waiting', 'sending', 'done', 'unclear', 'refused', 'unknown'] as const
export type UseState = (typeof USE_STATES)[number]

/** What a print took from a spool. */
export interface Use {
  /** Print and number of the filament: nothing is counted twice. */
  readonly id: string
  readonly print: string
  readonly spool: string
  readonly printer: string
  readonly place: string
  readonly material: string
  readonly grams: number
  readonly state: UseState
  /** What Spoolman had counted before it was asked, g. */
  readonly before: number | null
  readonly problem: string | null
  /** When it was recorded, and when Spoolman was asked, ms since the epoch. */
  readonly at: number
  readonly sent_at: number | null
}

/** Where spools are kept. */
export interface SpoolKeeper {
  readonly kind: 'prnd' | 'spoolman'
  /** Why the list is not up to date; undefined while it is. */
  readonly problem: string | undefined
  /** As known now. */
  readonly spools: ReadonlyMap<string, Spool>
  refresh (signal?: AbortSignal): Promise<void>
}
