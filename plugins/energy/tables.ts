import type { Kysely } from '../database/index.js'

/** Longer than everything that one switch waits for: after a crash another one may follow then, ms. */
export const CLAIM_MS = 45_000

export interface PlugRow {
  id: string
  name: string
  kind: string
  /** JSON, without the password. */
  settings: string
  /** Of its printer; empty for a plug that stands alone. */
  serial: string
  /** The drying unit of that printer that it feeds; null: it feeds the printer. */
  unit: number | null
  on_for_jobs: number
  off_after_min: number | null
  /** Id of the service where it was set up, which has its password and drives it while it stands alone. */
  service: string
  /** Until then one service may switch it, ms since the epoch. */
  switching_until: number
  switching_by: string
  /** `idle`: this service switched it off by itself, and nobody has switched it since; else empty. */
  off_by: string
  /**
   * When a claim to switch the plug of a printer off began whose outcome is not known yet, ms since the epoch: the plug
   * may still obey. 0: none.
   */
  off_sent_at: number
  /** What the plug is on the network, the same for no two of them. */
  place: string
  created_at: number
  created_by: string
}

/** By plug: the last count, and all that was booked. */
export interface MeterRow {
  id: string
  /** As the plug said, Wh; null for one that has none. */
  counter: number | null
  at: number
  counted_by: 'counter' | 'power'
  wh: number
  service: string
}

/** By plug, local day and print: adds up to the meter. */
export interface UseRow {
  id: string
  plug: string
  serial: string
  /** `2026-11-29`. */
  day: string
  /** Empty while nothing was printed. */
  print: string
  wh: number
  cost: number
  /** As far as a price was known. */
  priced_wh: number
  at: number
}

/** By print, over all plugs of its printer. */
export interface PrintRow {
  id: string
  serial: string
  /** When it was booked first. */
  at: number
  wh: number
  cost: number
  priced_wh: number
  /** From the power that plugs reported, as they have no counter. */
  is_estimated: number
  /** Some of it was not measured. */
  is_partial: number
}

export interface Tables {
  energy_plugs: PlugRow
  energy_meters: MeterRow
  energy_use: UseRow
  energy_prints: PrintRow
  energy_prices: { id: string, prices: string }
}

export type Db = Kysely<Tables>
