import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { Database } from '../database/index.js'
import { list, positionOf, type Db } from './queries.js'
import type { Filter, PrintView } from './schemas.js'

export const FORMATS = ['csv', 'jsonl'] as const
export type Format = (typeof FORMATS)[number]

/** Rows per page, which bounds the memory however many prints there are. */
const ROWS_AT_ONCE = 500

const total = ({ filaments }: PrintView, of: 'grams' | 'metres'): number =>
  Math.round(filaments.reduce((sum, filament) => sum + (filament[of] ?? 0), 0) * 100) / 100

const time = (ms: number | null): string => ms === null ? '' : new Date(ms).toISOString()

const COLUMNS: Readonly<Record<string, (print: PrintView) => string | number | null>> = {
  id: ({ id }) => id,
  printer: ({ printer }) => printer,
  model: ({ model }) => model,
  name: ({ name }) => name,
  file: ({ file }) => file,
  plate: ({ plate }) => plate,
  started_at: print => time(print.started_at),
  ended_at: print => time(print.ended_at),
  result: ({ result }) => result,
  job: ({ job }) => job,
  started_by: print => print.started_by,
  ended_by: print => print.ended_by,
  percent: ({ percent }) => percent,
  layer: ({ layer }) => layer,
  total_layers: print => print.total_layers,
  planned_s: print => print.planned_s,
  prepare_s: print => print.prepare_s,
  printing_s: print => print.printing_s,
  paused_s: print => print.paused_s,
  unseen_s: print => print.unseen_s,
  materials: ({ filaments }) => [...new Set(filaments.map(({ material }) => material))].join(' '),
  grams: print => total(print, 'grams'),
  metres: print => total(print, 'metres'),
  cost: ({ cost }) => cost,
  faults: ({ faults }) => faults.map(({ code, text }) => `${code} ${text}`).join('; '),
  rating: ({ rating }) => rating,
  tags: ({ tags }) => tags.join(' '),
  note: ({ note }) => note,
  layers_percent: print => print.layers_percent,
  grams_basis: ({ filaments }) => [...new Set(filaments.flatMap(one => one.grams_basis ?? []))].join(' '),
  parts: ({ parts }) => parts
}

/** An apostrophe keeps spreadsheets from running a text that begins like a formula. */
function cell (value: string | number | null): string {
  if (typeof value === 'number' || value === null) return String(value ?? '')
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A line of a CSV file. */
export const csvLine = (values: readonly (string | number | null)[]): string => `${values.map(cell).join(',')}\r\n`

const line: Readonly<Record<Format, (print: PrintView) => string>> = {
  csv: print => csvLine(Object.values(COLUMNS).map(valueOf => valueOf(print))),
  jsonl: print => `${JSON.stringify(print)}\n`
}

/** Page by page, newest first, so that a slow reader blocks nothing. */
export async function * pages (database: Database, filter: Filter): AsyncGenerator<readonly PrintView[]> {
  let cursor: string | null | undefined
  do {
    const after = cursor ? positionOf(cursor) : undefined
    const page = await database.query((db: Db) => list(db, filter, ROWS_AT_ONCE, after))
    cursor = page.cursor
    yield page.prints
    await setImmediate() // lets other requests run in between
  } while (cursor)
}

/** All matching prints, newest first. If the database fails meanwhile, the stream fails and the answer is cut off. */
export function exported (
  database: Database, format: Format, filter: Filter, redact: (text: string) => string
): Readable {
  async function * text (): AsyncGenerator<string> {
    if (format === 'csv') yield `${Object.keys(COLUMNS).join(',')}\r\n`
    for await (const prints of pages(database, filter)) {
      if (prints.length > 0) yield redact(prints.map(line[format]).join(''))
    }
  }
  return Readable.from(text(), { objectMode: false })
}
