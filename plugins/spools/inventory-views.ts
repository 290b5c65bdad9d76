import type { Static } from 'typebox'
import type { InventorySpool, PlaceView, SpoolPage, TypeView, WeighingView } from './inventory-schemas.js'
import type { Accuracy, Entry, Weighing } from './weighings.js'
import type { PlaceRow, SpoolRow, TypeRow } from './tables.js'

/** Grams to a hundredth. */
export const round = (value: number): number => Math.round(value * 100) / 100
const percent = (part: number, of: number): number | null => of > 0 ? round(part / of * 100) : null

export const listOf = (text: string): string[] => text === '' ? [] : text.split(',')

export const typeView = (row: TypeRow): TypeView => ({
  id: row.id,
  brand: row.brand,
  line: row.line,
  material: row.material,
  colors: listOf(row.colors),
  color_name: row.color_name,
  diameter_mm: row.diameter,
  density: row.density,
  net_g: row.net,
  empty_g: row.empty,
  price: row.price,
  currency: row.currency,
  nozzle_min_c: row.nozzle_min,
  nozzle_max_c: row.nozzle_max,
  bed_c: row.bed,
  dry_c: row.dry_temp,
  dry_hours: row.dry_hours,
  catalogue: row.catalogue,
  notes: row.notes,
  archived: row.archived === 1
})

export const placeView = ({ id, name, kind, capacity, notes, archived }: PlaceRow, spools: number): PlaceView =>
  ({ id, name, kind, capacity, notes, archived: archived === 1, spools })

/** What is left, g, never below 0; null when unknown. */
export const leftOf = ({ net, used }: Pick<SpoolRow, 'net' | 'used'>): number | null => net === null ? null : Math.max(0, round(net - used))

export const spoolView = (row: SpoolRow): InventorySpool => {
  const { id, name, material, color, tag, net, type, place, lot, notes, empty, price, currency, archived } = row
  return {
    id,
    name,
    material,
    color,
    tag,
    net_g: net,
    left_g: leftOf(row),
    type,
    place,
    lot,
    notes,
    empty_g: empty,
    price,
    currency,
    bought_at: row.bought_at,
    opened_at: row.opened_at,
    dried_at: row.dried_at,
    archived: archived === 1
  }
}

export const weighingView = (
  { at, gross, empty, expected, measured, error, since, counted, printers, late, isUnsure }: Weighing
): WeighingView => ({
  at,
  gross_g: round(gross),
  empty_g: round(empty),
  thought_g: round(expected),
  left_g: round(measured),
  error_g: round(error),
  error_percent: percent(error, expected),
  since,
  counted_g: round(counted),
  counted_error_percent: percent(error, counted),
  printers: [...printers],
  late_g: round(late),
  unsure: isUnsure
})

export const entryView = ({ id, kind, at, grams, left, by, note, print, weighing }: Entry): Static<typeof SpoolPage>['history'][number] => ({
  id,
  kind,
  at,
  grams: round(grams),
  left_g: left === undefined ? null : round(left),
  by,
  note,
  print,
  weighing: weighing ? weighingView(weighing) : null
})

export const accuracyView = ({ name, weighings, counted, error, mean, spread }: Accuracy) => ({
  name,
  weighings,
  counted_g: round(counted),
  error_g: round(error),
  mean_percent: mean === undefined ? null : round(mean),
  spread_percent: spread === undefined ? null : round(spread)
})
