import { parse } from 'csv-parse/sync'
import { BadInput } from '../../../core/index.js'

/** A row of a list, before anything in it is understood. */
export interface SourceRow {
  /** Line of a CSV file, or number of the entry in a JSON list, from 1. */
  readonly line: number
  /** By the name of the column as written. */
  readonly cells: Readonly<Record<string, string>>
}

/** Why something in a list cannot be read, in words. */
export interface Problem {
  readonly line: number
  /** Name of the column as written; empty for the whole row. */
  readonly column: string
  readonly value: string
  readonly reason: string
}

export interface Source {
  readonly columns: readonly string[]
  readonly rows: readonly SourceRow[]
  readonly problems: readonly Problem[]
  /** Between cells; empty for JSON. */
  readonly delimiter: string
}

export const MOST_ROWS = 50_000
const MOST_COLUMNS = 200
const LONGEST_ROW = 20_000
/** Of a name before that of a member: each member repeats it. */
const LONGEST_NAME = 200
const SHOWN = 60

/** The part of a value that a message shows. */
export const shown = (value: string): string => value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value

const DELIMITERS = [',', ';', '\t', '|']

/** What separates cells: what is most often in the first line that is not empty. */
function delimiterOf (text: string): string {
  const line = text.split(/\r\n|\r|\n/, 20).find(line => line.trim() !== '') ?? ''
  const counts = DELIMITERS.map(delimiter => line.split(delimiter).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ','
}

const REASONS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quotation mark opens here and is never closed: nothing after it can be read',
  CSV_MAX_RECORD_SIZE: `the row has more than ${LONGEST_ROW} characters: is a quotation mark missing?`
}

/** A spreadsheet may name its separator in a line of its own. */
const SEPARATOR = /^\uFEFF?sep=(.)\r?\n/i

/** Called before anything is made of the rows. @throws PRN_ERR_BAD_INPUT */
function checkSize (columns: number, rows: number): void {
  if (columns > MOST_COLUMNS) throw new BadInput(`The file has ${columns} columns; ${MOST_COLUMNS} are read at most`)
  if (rows > MOST_ROWS) throw new BadInput(`The file has more than ${MOST_ROWS} rows: split it`)
}

function readCsv (given: string): Source {
  const named = SEPARATOR.exec(given)
  const text = named ? given.slice(named[0].length) : given
  const delimiter = named?.[1] ?? delimiterOf(text.replace(/^\uFEFF/, ''))
  const problems: Problem[] = []
  const first = named ? 1 : 0
  const records = parse(text, {
    bom: true,
    delimiter,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: LONGEST_ROW,
    to: MOST_ROWS + 2,
    on_record: (row: any, { records }) => {
      if (records === 1) checkSize(row.record.length, 0) // the parser reserves so many cells for each further row
      return row
    },
    on_skip: (error: any) => {
      const reason = REASONS[error?.code] ?? 'the row cannot be read'
      problems.push({ line: first + Number(error?.lines ?? 1), column: '', value: '', reason })
      return undefined
    }
  }) as unknown as { readonly record: readonly string[], readonly info: { readonly lines: number } }[]
  const [head, ...body] = records
  const columns = (head?.record ?? []).map(column => column.trim())
  checkSize(columns.length, body.length)
  const own = [...columns.entries()].filter(([at, column]) => column !== '' && columns.indexOf(column) === at)
  const rows = body.map(({ record, info }) => {
    const within = record.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0)
    return { line: first + info.lines - within, cells: cellsOf(own, record), extra: record.slice(columns.length) }
  }).filter(({ cells, extra }) => [...Object.values(cells), ...extra].some(cell => cell.trim() !== ''))
  for (const { line, extra } of rows) {
    const [value = ''] = extra.filter(cell => cell.trim() !== '')
    if (value !== '') problems.push({ line, column: '', value: shown(value), reason: 'the row has more cells than the first line has columns' })
  }
  return { columns, rows, problems, delimiter }
}

/** Cells that are not empty, so that short rows of a wide list take little memory. */
const cellsOf = (
  columns: readonly (readonly [at: number, name: string])[], record: readonly string[]
): Record<string, string> => {
  const cells: Record<string, string> = Object.create(null)
  for (const [at, name] of columns) {
    const cell = record[at] ?? ''
    if (cell !== '') cells[name] = cell
  }
  return cells
}

/** Members of nested objects with dots, as Spoolman writes them. */
function flatten (value: unknown, prefix: string, cells: Record<string, string>, depth = 0): void {
  if (value === null || value === undefined) return
  if (Array.isArray(value)) cells[prefix] = value.filter(part => typeof part !== 'object').join(',')
  else if (typeof value !== 'object') cells[prefix] = String(value)
  else if (depth < 4 && prefix.length <= LONGEST_NAME) {
    for (const [name, part] of Object.entries(value)) flatten(part, prefix === '' ? name : `${prefix}.${name}`, cells, depth + 1)
  }
}

/** @throws PRN_ERR_BAD_INPUT for text that is no list */
function readJson (text: string): Source {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new BadInput(`The file is no JSON: ${(error as Error).message}`)
  }
  const list = Array.isArray(value) ? value : (value as { spools?: unknown } | null)?.spools
  if (!Array.isArray(list)) throw new BadInput('The file must hold a list of spools, or an object with the list `spools`')
  checkSize(0, list.length)
  const problems: Problem[] = []
  const columns = new Set<string>()
  const rows: SourceRow[] = []
  list.forEach((entry: unknown, at) => {
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
      problems.push({ line: at + 1, column: '', value: shown(String(entry)), reason: 'the entry is no object' })
      return
    }
    const cells: Record<string, string> = Object.create(null)
    flatten(entry, '', cells)
    for (const column of Object.keys(cells)) if (columns.size < MOST_COLUMNS) columns.add(column)
    rows.push({ line: at + 1, cells })
  })
  return { columns: [...columns], rows, problems, delimiter: '' }
}

/**
 * Reads a list of spools: CSV, or JSON.
 * @throws PRN_ERR_BAD_INPUT for text that is no list at all
 */
export function readSource (text: string): Source {
  return /^\uFEFF?\s*[[{]/.test(text) ? readJson(text) : readCsv(text)
}
