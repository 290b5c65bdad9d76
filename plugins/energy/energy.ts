import type { RuleName } from '../../core/index.js'
import type { Reading } from './decode/reading.js'
import type { PlugKind, PlugSettings } from './kinds.data.js'
import type { Stays } from './off-check.js'
import type { Plug } from './plugs.js'
import type { Prices } from './prices.js'
import type { EnergyView, UseView } from './schemas.js'
import type { PrintsEnergy, UseFilter } from './use.js'

/** What a person gives for a plug; what is undefined stays as it is. */
export interface PlugChange {
  readonly name?: string | undefined
  readonly kind?: PlugKind | undefined
  readonly settings?: PlugSettings | undefined
  /** Name; empty: it stands alone. */
  readonly printer?: string | undefined
  readonly unit?: number | null | undefined
  readonly on_for_jobs?: boolean | undefined
  readonly off_after_min?: number | null | undefined
  /** Null removes it. */
  readonly password?: string | null | undefined
}

export type PlugTrial = PlugChange & { readonly kind: PlugKind }

/** Of a printer by its name. */
export type UseQuery = Omit<UseFilter, 'serial'> & { readonly printer?: string | undefined }

/** Plugs, their switching, and the energy that they counted. */
export interface Energy {
  view (): Promise<EnergyView>
  setup (): { id: string, settings: PlugSettings, has_password: boolean }[]
  use (filter: UseQuery): Promise<UseView>
  add (change: PlugChange & { readonly name: string, readonly kind: PlugKind }, by: string): Promise<string>
  change (id: string, change: PlugChange): Promise<void>
  remove (id: string): Promise<void>
  try (given: PlugTrial, id: string | undefined, signal: AbortSignal): Promise<Reading>
  setPrices (prices: Prices): Promise<void>
  /** @param given an id, or a name in any case @throws PRN_ERR_NO_SUCH_PLUG */
  idOf (given: string): string
  turnOn (id: string, by: string, signal: AbortSignal): Promise<void>
  turnOff (id: string, by: string, signal: AbortSignal): Promise<void>
  /** Why it must stay on now; undefined: it may be switched off. @throws PRN_ERR_NO_SUCH_PLUG */
  whyStays (id: string): Promise<Stays | undefined>
  /** The plug that feeds a printer; undefined without one. */
  ofPrinter (printer: string): Plug | undefined
  /** Plugs as people know them; undefined until they have been read. */
  names (): readonly RuleName[] | undefined
  /** Of a kWh; undefined when unknown. */
  priceNow (): number | undefined
  /** What these prints used, whichever service counted it; null when none was measured. @param ids of the record */
  ofPrints (ids: readonly string[]): Promise<PrintsEnergy | null>
}
