import type { ModelInfo } from '../../../core/index.js'
import type { Layer } from '../layers.js'
import type { Declared } from '../read/declared.js'
import type { Orders } from '../read/moves.js'

/** `stop` refuses a print, `warn` asks before it, `note` only says it. */
export type Weight = 'stop' | 'warn' | 'note'

/** Names of everything that a plate may be blamed for. They are part of the API: none is ever renamed. */
export const FINDING_CODES = [
  'outside_area', 'too_high', 'excluded_area', 'other_nozzle_area', 'cold_extrusion', 'nozzle_too_hot', 'bed_too_hot',
  'chamber_too_hot', 'flow_too_high', 'filament_not_mapped', 'no_such_tool', 'not_homed', 'other_bed', 'other_nozzle',
  'spool_runs_out', 'no_layers', 'too_many_layers', 'md5_mismatch', 'time_differs', 'weight_differs', 'settings_changed',
  'truncated', 'not_gcode', 'untried_start_code'
] as const
export type FindingCode = (typeof FINDING_CODES)[number]

/** Something that is wrong with a plate, or that a person should know before it is printed. */
export interface Finding {
  readonly code: FindingCode
  readonly weight: Weight
  /** Whether a person may print it all the same. Notes always may be. */
  readonly mayAccept: boolean
  /** Where it is for the first time; 0 if it concerns the whole file. */
  readonly line: number
  /** From 1; 0 before the first, or if it concerns the whole file. */
  readonly layer: number
  /** mm, for what has a place on the plate. */
  readonly position?: { readonly x: number, readonly y: number, readonly z: number }
  /** How many moves or commands of the file it concerns. */
  readonly times: number
  /**
   * The figures of the message, by name: mm, °C, g, mm³/s, seconds. `case` is which of several sentences it is, for
   * translations.
   */
  readonly figures: Readonly<Record<string, number | string>>
  readonly message: string
  readonly remedy: string
}

/** What is left on a spool, g. */
export interface SpoolLeft {
  /** Where it is, such as `AMS B slot 1`. */
  readonly place?: string
  /** The tools that it feeds, from 0. */
  readonly tools: readonly number[]
  readonly grams: number
  /** On spools that the printer would change over to by itself; 0 if it is not set to. */
  readonly backupGrams: number
}

/** What a plate is judged against: the printer, and what the print would be started with, as far as it is known. */
export interface Target {
  readonly model: ModelInfo
  /** mm, diameters of the nozzles that are in the printer; empty if unknown. */
  readonly nozzles: readonly number[]
  /** Nozzle by tool, from 0, as the plate's own record in the archive has it; absent if it has none. */
  readonly nozzleByTool?: readonly number[]
  /** Tray by tool, -1 for none; absent if the print takes nothing from an AMS. */
  readonly mapping?: readonly number[]
  /** Of the spools whose weight is known. */
  readonly spools?: readonly SpoolLeft[]
  /** The plate's surface as a person has chosen it, in the words of slicers or reports. */
  readonly bedType?: string
  /** A person accepted the start code of the built-in profiles for this printer. */
  readonly acceptsOwnStartCode?: boolean
  /** When the print would start, ms since 1970; now if absent. */
  readonly startsAt?: number
}

/** A file that was read to its end. */
export interface PlateRead {
  readonly declared: Declared
  readonly layers: readonly Layer[]
  /** Lines that were read. */
  readonly lines: number
  /** The archive or the transfer ended before the file did. */
  readonly isCutOff: boolean
  /** Of the file's text, in hexadecimal digits; `stated` is what the archive says. Absent where it says nothing. */
  readonly md5?: { readonly stated: string, readonly computed: string }
}

/**
 * Finds what depends on the file and the printer's model alone, while the file is read: a listener of the orders of
 * `Machine`. What depends on spools, mapping or surface is judged from what was read, by
 * `startFindings`.
 */
export interface Finder extends Orders {
  /** Findings that stop a print whatever the rest of the file says. */
  readonly sure: readonly Finding[]
  /** All that was found, worst first. */
  end (plate: PlateRead): readonly Finding[]
}
