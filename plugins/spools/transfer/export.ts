import { Readable } from 'node:stream'
import { csvLine } from '../../history/index.js'
import { leftOf, listOf, round } from '../inventory-views.js'
import type { Existing } from '../inventory-store.js'
import { COLUMNS, type Column } from './columns.data.js'

export const EXPORTS = ['csv', 'json'] as const
export type ExportFormat = (typeof EXPORTS)[number]

type Value = string | number | null

const day = (ms: number | null): string => ms === null ? '' : new Date(ms).toISOString()

/** Every spool as a row that an import understands. */
function * rowsOf ({ types, places, spools }: Existing): Generator<Record<Column, Value>> {
  const typeBy = new Map(types.map(type => [type.id, type]))
  const placeBy = new Map(places.map(place => [place.id, place]))
  for (const spool of spools) {
    const [type, place] = [typeBy.get(spool.type), placeBy.get(spool.place)]
    const colors = type && listOf(type.colors)[0] === spool.color ? type.colors : spool.color
    const left = leftOf(spool)
    yield {
      id: spool.id,
      name: spool.name,
      brand: type?.brand ?? '',
      line: type?.line ?? '',
      material: spool.material,
      color: colors,
      color_name: type?.color_name ?? '',
      diameter_mm: type?.diameter ?? null,
      density: type?.density ?? null,
      net_g: spool.net,
      left_g: left,
      // Below 0 where more was weighed than a full spool has: `left_g` says that.
      used_g: Math.max(0, round(spool.used)),
      empty_g: spool.empty ?? type?.empty ?? null,
      price: spool.price ?? type?.price ?? null,
      currency: spool.currency || (type?.currency ?? ''),
      nozzle_min_c: type?.nozzle_min ?? null,
      nozzle_max_c: type?.nozzle_max ?? null,
      bed_c: type?.bed ?? null,
      dry_c: type?.dry_temp ?? null,
      dry_hours: type?.dry_hours ?? null,
      place: place?.name ?? '',
      place_kind: place?.kind ?? '',
      lot: spool.lot,
      tag: spool.tag,
      bought_at: day(spool.bought_at),
      opened_at: day(spool.opened_at),
      dried_at: day(spool.dried_at),
      archived: spool.archived === 1 ? 'true' : 'false',
      catalogue: type?.catalogue ?? '',
      notes: spool.notes
    }
  }
}

const ROWS_AT_ONCE = 500

/** All spools as text, in parts, so that a slow reader blocks nothing. */
export function exportSpools (existing: Existing, format: ExportFormat, redact: (text: string) => string): Readable {
  function * parts (): Generator<string> {
    if (format === 'csv') yield csvLine([...COLUMNS])
    else yield '['
    let [part, count, isFirst] = ['', 0, true]
    for (const row of rowsOf(existing)) {
      part += format === 'csv' ? csvLine(COLUMNS.map(column => row[column])) : `${isFirst ? '' : ','}\n${JSON.stringify(row)}`
      isFirst = false
      if (++count % ROWS_AT_ONCE > 0) continue
      yield redact(part)
      part = ''
    }
    yield redact(part) + (format === 'csv' ? '' : '\n]\n')
  }
  return Readable.from(parts(), { objectMode: false })
}
