import { Type, type Static, type TObject } from 'typebox'
import { Currency, OrNone } from './details.js'
import { SlotView, UseView } from './schemas.js'
import { CHANGE_KINDS, PLACE_KINDS } from './types.js'

const OrNull = (description: string) => Type.Union([Type.Number(), Type.Null()], { description: `${description}; null unknown` })
const TimeOrNull = (description: string) => OrNull(`${description}, ms since the epoch`)
const Short = (maxLength: number, description?: string) =>
  Type.Optional(Type.String({ maxLength, ...(description && { description }) }))

/** Members of a type that callers give. */
export const typeFields = {
  line: Short(80, 'Product line, such as `PLA Matte`'),
  colors: Type.Optional(Type.Array(Type.String({ pattern: '^#[0-9A-Fa-f]{6}$' }), { maxItems: 8, description: '`#RRGGBB`' })),
  color_name: Short(60, 'As the maker calls it'),
  diameter_mm: Type.Optional(Type.Number({ minimum: 0.1, maximum: 10, description: 'Left out: 1.75' })),
  density: OrNone('g/cm³', 25),
  net_g: OrNone('Filament on a new spool, g'),
  empty_g: OrNone('Weight of the empty spool, g'),
  price: OrNone('Of one spool', 1_000_000),
  currency: Currency,
  nozzle_min_c: OrNone('Nozzle, °C', 500),
  nozzle_max_c: OrNone('Nozzle, °C', 500),
  bed_c: OrNone('Plate, °C', 200),
  dry_c: OrNone('Drying, °C', 200),
  dry_hours: OrNone('Drying, h', 200),
  catalogue: Short(80, 'Id in the catalogue that it was made from'),
  notes: Short(1000)
}
export const Brand = Type.String({ minLength: 1, maxLength: 60 })
export const Material = Type.String({ minLength: 1, maxLength: 40 })
export type GivenType = Static<TObject<{ brand: typeof Brand, material: typeof Material } & typeof typeFields>>

export const placeFields = {
  kind: Type.Optional(Type.Enum(PLACE_KINDS, { description: 'Left out: `shelf`' })),
  capacity: Type.Optional(Type.Union([Type.Integer({ minimum: 1, maximum: 100_000 }), Type.Null()], {
    description: 'Spools that it holds; null: unknown'
  })),
  notes: Short(1000)
}
export const PlaceName = Type.String({ minLength: 1, maxLength: 80 })

export const TypeView = Type.Object({
  id: Type.String(),
  brand: Type.String(),
  line: Type.String(),
  material: Type.String(),
  colors: Type.Array(Type.String()),
  color_name: Type.String(),
  diameter_mm: Type.Number(),
  density: OrNull('g/cm³'),
  net_g: OrNull('Filament on a new spool, g'),
  empty_g: OrNull('Weight of the empty spool, g'),
  price: OrNull('Of one spool'),
  currency: Type.String(),
  nozzle_min_c: OrNull('°C'),
  nozzle_max_c: OrNull('°C'),
  bed_c: OrNull('°C'),
  dry_c: OrNull('°C'),
  dry_hours: OrNull('h'),
  catalogue: Type.String(),
  notes: Type.String(),
  archived: Type.Boolean()
}, { 'x-name': 'SpoolType' })
export type TypeView = Static<typeof TypeView>

export const PlaceView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  kind: Type.Enum(PLACE_KINDS),
  capacity: OrNull('Spools that it holds'),
  notes: Type.String(),
  archived: Type.Boolean(),
  spools: Type.Integer({ description: 'Spools that are there now' })
}, { 'x-name': 'SpoolPlace' })
export type PlaceView = Static<typeof PlaceView>

export const InventorySpool = Type.Object({
  id: Type.String(),
  name: Type.String(),
  material: Type.String(),
  color: Type.String({ description: '`#RRGGBB`; empty when unknown' }),
  tag: Type.String(),
  net_g: OrNull('Filament on it when new, g'),
  left_g: OrNull('Amount left, g'),
  type: Type.String({ description: 'Id of its type; empty without one' }),
  place: Type.String({ description: 'Id of its place; empty when unknown' }),
  lot: Type.String(),
  notes: Type.String(),
  empty_g: OrNull('Weight of the empty spool if it differs from that of its type, g'),
  price: OrNull('What was paid, if it differs from the price of its type'),
  currency: Type.String(),
  bought_at: TimeOrNull('Bought'),
  opened_at: TimeOrNull('Opened'),
  dried_at: TimeOrNull('Last dried'),
  archived: Type.Boolean()
}, { 'x-name': 'InventorySpool' })
export type InventorySpool = Static<typeof InventorySpool>

export const InventoryView = Type.Object({
  kept_by: Type.Enum(['prnd', 'spoolman']),
  problem: Type.Union([Type.String(), Type.Null()], { description: 'Why the list is not up to date' }),
  total: Type.Integer({ description: 'Spools that match' }),
  spools: Type.Array(InventorySpool),
  types: Type.Array(TypeView),
  places: Type.Array(PlaceView),
  slots: Type.Array(SlotView),
  open_uses: Type.Array(UseView)
}, { 'x-name': 'SpoolInventory' })

export const WeighingView = Type.Object({
  at: Type.Number(),
  gross_g: Type.Number({ description: 'On the scale' }),
  empty_g: Type.Number({ description: 'Of the empty spool' }),
  thought_g: Type.Number({ description: 'What was thought to be left' }),
  left_g: Type.Number({ description: 'What is left' }),
  error_g: Type.Number({ description: 'Counted too little; negative: too much' }),
  error_percent: OrNull('The same as a share of what was thought to be left'),
  since: Type.Number({ description: 'Since when prints were counted without a scale' }),
  counted_g: Type.Number({ description: 'Counted since then' }),
  counted_error_percent: OrNull('The error as a share of what was counted'),
  printers: Type.Array(Type.String(), { description: 'Printers that used it since then' }),
  late_g: Type.Number({ description: 'Part of counted_g that was counted only after the weighing' }),
  unsure: Type.Boolean({ description: 'A print was in progress, and what it had used until then is not exactly known' })
}, { 'x-name': 'SpoolWeighing' })
export type WeighingView = Static<typeof WeighingView>

export const SpoolPage = Type.Object({
  kept_by: Type.Enum(['prnd', 'spoolman']),
  spool: InventorySpool,
  type: Type.Union([TypeView, Type.Null()]),
  place: Type.Union([PlaceView, Type.Null()]),
  slot: Type.Union([SlotView, Type.Null()]),
  removable: Type.Boolean({ description: 'It is archived, and no print used it' }),
  history: Type.Array(Type.Object({
    id: Type.String(),
    kind: Type.Enum([...CHANGE_KINDS, 'print', 'added']),
    at: Type.Number(),
    grams: Type.Number({ description: 'By how much the remainder grew; negative: it shrank' }),
    left_g: OrNull('What was left after it'),
    by: Type.String({ description: 'Who did it; for a print the printer' }),
    note: Type.String(),
    print: Type.String({ description: 'Id in the history; empty for others' }),
    weighing: Type.Union([WeighingView, Type.Null()])
  }), { description: 'Why the remainder is what it is, newest first, at most 500' })
}, { 'x-name': 'SpoolWithHistory' })

const AccuracyRow = Type.Object({
  name: Type.String(),
  weighings: Type.Integer(),
  counted_g: Type.Number(),
  error_g: Type.Number({ description: 'Counted too little; negative: too much' }),
  mean_percent: OrNull('Mean error over weighings, as a share of what was counted'),
  spread_percent: OrNull('Standard deviation over weighings')
})
export const AccuracyView = Type.Object({
  all: Type.Union([AccuracyRow, Type.Null()]),
  brands: Type.Array(AccuracyRow),
  printers: Type.Array(AccuracyRow, { description: 'From weighings of spools that one printer alone used since the one before' })
}, { 'x-name': 'SpoolAccuracy' })
