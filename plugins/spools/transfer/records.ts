import { readBoolean, readColors, readNumber, readTime, numberStyleOf, type NumberStyle, type Read } from './read-cells.js'
import { ALIASES, COLUMNS, type Column } from './columns.data.js'
import { shown, type Problem, type Source, type SourceRow } from './source-rows.js'

/** Where a list comes from, by its columns. */
export const FORMATS = ['prnd', 'spoolman', '3dfilamentprofiles', 'list'] as const
export type Format = (typeof FORMATS)[number]

type Numbers = 'diameter_mm' | 'density' | 'net_g' | 'left_g' | 'used_g' | 'empty_g' | 'price' | 'nozzle_min_c' | 'nozzle_max_c' | 'bed_c' |
  'dry_c' | 'dry_hours'
type Times = 'bought_at' | 'opened_at' | 'dried_at'
type Texts = Exclude<Column, Numbers | Times | 'archived' | 'color'>

/** A row that was understood, with its line in the file. Members of columns that are missing or empty are left out. */
export type SpoolRecord = { readonly row: number, readonly colors: readonly string[], readonly archived?: boolean } &
  { readonly [N in Numbers | Times]?: number } & { readonly [T in Texts]?: string }

export interface Records {
  readonly format: Format
  readonly records: readonly SpoolRecord[]
  readonly problems: readonly Problem[]
  /** Columns that are not understood. */
  readonly ignored: readonly string[]
}

const LIMITS: Readonly<Record<Numbers, readonly [number, number]>> = {
  diameter_mm: [0.1, 10],
  density: [0, 25],
  net_g: [0, 100_000],
  left_g: [0, 100_000],
  used_g: [0, 100_000],
  empty_g: [0, 100_000],
  price: [0, 1_000_000],
  nozzle_min_c: [0, 500],
  nozzle_max_c: [0, 500],
  bed_c: [0, 200],
  dry_c: [0, 200],
  dry_hours: [0, 200]
}
const LENGTHS: Readonly<Record<Texts, number>> = {
  id: 64,
  name: 100,
  brand: 60,
  line: 80,
  material: 40,
  color_name: 60,
  currency: 3,
  place: 80,
  place_kind: 10,
  lot: 64,
  tag: 64,
  catalogue: 80,
  notes: 1000
}
const PATTERNS: Partial<Readonly<Record<Texts, readonly [RegExp, string]>>> = {
  id: [/^(?!(accuracy|assign|catalogue|export|import|inventory|labels|many|places|scan|settle|shopping|tags|types)$)[A-Za-z0-9][\w.:-]*$/, 'an id has letters, digits and . : _ - only, and is no word of the interface'],
  tag: [/^[0-9A-Za-z]*$/, 'a tag has letters and digits only'],
  currency: [/^[A-Z]{3}$/, 'a currency has three capital letters, such as EUR'],
  place_kind: [/^(shelf|dryer|ams|holder|other)$/, 'it must be shelf, dryer, ams, holder or other']
}
const TIMES: readonly string[] = ['bought_at', 'opened_at', 'dried_at']

const keyOf = (name: string): string => name.trim().toLowerCase().normalize('NFKD').replaceAll(/\p{Mn}/gu, '').replaceAll(/[^a-z0-9.]+/g, '_')
  .replaceAll(/^_+|_+$/g, '')

/** Columns of the list for each of ours, the preferred one first. */
function columnsIn (names: readonly string[]): ReadonlyMap<Column, readonly string[]> {
  const byKey = new Map(names.map(name => [keyOf(name), name]))
  const namesOf = (column: Column) => [column, ...ALIASES[column]].flatMap(key => byKey.get(key) ?? [])
  const found = COLUMNS.map(column => [column, namesOf(column)] as const)
  return new Map(found.filter(([, own]) => own.length > 0))
}

function formatOf (names: readonly string[]): Format {
  const keys = new Set(names.map(keyOf))
  if (keys.has('filament.material') || keys.has('filament.id') || keys.has('filament.density')) return 'spoolman'
  if (keys.has('material_type') && keys.has('rgb')) return '3dfilamentprofiles'
  return keys.has('net_g') && keys.has('left_g') ? 'prnd' : 'list'
}

/** An apostrophe before a sign that begins a formula was put there by an export. */
const unguarded = (text: string): string => /^'[=+\-@\t\r]/.test(text) ? text.slice(1) : text

/** Spoolman's extra fields are JSON, with quotation marks. In our own lists a tag is written as it is stored. */
const tagFrom = (text: string, format: Format): string => {
  const tag = text.replaceAll(/\s/g, '').replace(/^"(.*)"$/, '$1')
  return format === 'prnd' ? tag : tag.toUpperCase()
}

/** Reads the rows of a list, and says of each cell that cannot be understood why. */
export function readRecords (source: Source): Records {
  const columns = columnsIn(source.columns)
  const used = new Set([...columns.values()].flat())
  const format = formatOf(source.columns)
  const problems: Problem[] = [...source.problems]
  const numeric = [...columns].filter(([column]) => column in LIMITS).flatMap(([, names]) => names)
  const style = numberStyleOf((function * () { for (const { cells } of source.rows) for (const name of numeric) yield cells[name] ?? '' }()), source.delimiter)
  const broken = new Set(source.problems.map(({ line }) => line))
  const seen = new Map<string, number>()
  const records = source.rows.flatMap(row => {
    const own: Problem[] = []
    const record = recordOf(row, columns, { style, format }, own)
    const first = record.id === undefined ? undefined : seen.get(record.id)
    if (first !== undefined) own.push({ line: row.line, column: 'id', value: shown(record.id ?? ''), reason: `the same id as in line ${first}` })
    else if (record.id !== undefined) seen.set(record.id, row.line)
    if (own.length === 0 && record.material === undefined) own.push({ line: row.line, column: 'material', value: '', reason: 'the material is missing' })
    problems.push(...own)
    return own.length > 0 || broken.has(row.line) ? [] : [record]
  })
  return {
    format, records, problems: problems.sort((a, b) => a.line - b.line), ignored: source.columns.filter(name => name !== '' && !used.has(name))
  }
}

function recordOf ({ line, cells }: SourceRow, columns: ReadonlyMap<Column, readonly string[]>,
  { style, format }: { readonly style: NumberStyle, readonly format: Format }, problems: Problem[]): SpoolRecord {
  const record: Record<string, unknown> = { row: line, colors: [] }
  for (const [column, names] of columns) {
    const name = names.find(name => (cells[name] ?? '').trim() !== '')
    if (name === undefined) continue
    const cell = unguarded((cells[name] ?? '').trim())
    const text = column === 'tag' ? tagFrom(cell, format) : cell
    if (text === '') continue
    if (column === 'color') {
      const colors = readColors(text)
      record.colors = colors
      // Lists of people say `red`; some have a column for the name, and the value in another.
      const other = names.map(one => cells[one] ?? '').find(value => readColors(value).length > 0)
      if (colors.length === 0 && other !== undefined) record.colors = readColors(other)
      if (colors.length === 0 && record.color_name === undefined) record.color_name = text.slice(0, LENGTHS.color_name)
      continue
    }
    const read: Read<unknown> = readCell(column, text, style)
    if ('reason' in read) problems.push({ line, column: name, value: shown(cell), reason: read.reason })
    else record[column] = read.value
  }
  if (typeof record.id === 'string' && (format === 'spoolman' || format === '3dfilamentprofiles')) {
    record.id = `${format === 'spoolman' ? 'spoolman' : '3dfp'}-${record.id}`.slice(0, LENGTHS.id)
  }
  return record as unknown as SpoolRecord
}

function readCell (column: Exclude<Column, 'color'>, text: string, style: NumberStyle): Read<unknown> {
  if (column in LIMITS) {
    const [minimum, maximum] = LIMITS[column as Numbers]
    return readNumber(text, style, { minimum, maximum, scales: column.endsWith('_g') })
  }
  if (TIMES.includes(column)) return readTime(text)
  if (column === 'archived') return readBoolean(text)
  const name = column as Texts
  if (text.length > LENGTHS[name]) return { reason: `it has ${text.length} characters; ${LENGTHS[name]} are allowed` }
  const [pattern, reason] = PATTERNS[name] ?? []
  return pattern === undefined || pattern.test(text) ? { value: text } : { reason: reason ?? '' }
}
