import type { ChangeKind, PlaceKind, UseState } from './types.js'

/** Local spools. */
export interface SpoolRow {
  id: string
  name: string
  material: string
  color: string
  tag: string
  net: number | null
  /** Used before this service counted, g. */
  used: number
  archived: number
  created_at: number
  /** Id of its type; empty without one. */
  type: string
  /** Id of where it is kept; empty when unknown. */
  place: string
  lot: string
  notes: string
  /** Weight of the empty spool, g; null: that of its type. */
  empty: number | null
  /** What was paid for it; null: the price of its type. */
  price: number | null
  currency: string
  /** Times, ms since the epoch. */
  bought_at: number | null
  opened_at: number | null
  dried_at: number | null
  archived_at: number | null
}

/** What a spool has that was added without knowing more. */
export const NO_DETAILS = {
  type: '',
  place: '',
  lot: '',
  notes: '',
  empty: null,
  price: null,
  currency: '',
  bought_at: null,
  opened_at: null,
  dried_at: null,
  archived_at: null
} as const satisfies Partial<SpoolRow>

/** A product that one buys: all of its spools are alike. */
export interface TypeRow {
  id: string
  brand: string
  line: string
  material: string
  /** `#RRGGBB`, several separated by commas. */
  colors: string
  color_name: string
  diameter: number
  density: number | null
  net: number | null
  empty: number | null
  price: number | null
  currency: string
  nozzle_min: number | null
  nozzle_max: number | null
  bed: number | null
  dry_temp: number | null
  dry_hours: number | null
  catalogue: string
  notes: string
  archived: number
  created_at: number
}

export interface PlaceRow {
  id: string
  name: string
  kind: PlaceKind
  capacity: number | null
  notes: string
  archived: number
  created_at: number
}

/** Why the remainder of a spool changed, other than by a print. */
export interface ChangeRow {
  id: string
  spool: string
  kind: ChangeKind
  /** By how much the remainder grew, g; negative: it shrank. */
  grams: number
  at: number
  made_by: string
  note: string
  /** Weight on the scale and of the empty spool, g. */
  gross: number | null
  empty: number | null
  /** What was thought to be left before, g; null: that was unknown. */
  expected: number | null
  /** What prints in progress had used of it then, as JSON by id of the print; empty without any. */
  running: string
}

/** Assignment of a spool to a place. By serial and place. */
export interface SlotRow {
  id: string
  serial: string
  place: string
  spool: string
  /** What was loaded then: another tag, material or colour means another spool. */
  tag: string
  material: string
  color: string
  assigned_at: number
  assigned_by: string
}

/** Assignment of a spool to a tag. By tag. */
export interface TagRow { id: string, spool: string }

export interface UseRow {
  id: string
  print: string
  spool: string
  printer: string
  place: string
  material: string
  grams: number
  state: UseState
  before: number | null
  problem: string | null
  at: number
  sent_at: number | null
}

export interface Tables {
  spools_spools: SpoolRow
  spools_slots: SlotRow
  spools_tags: TagRow
  spools_uses: UseRow
  spools_types: TypeRow
  spools_places: PlaceRow
  spools_changes: ChangeRow
}
