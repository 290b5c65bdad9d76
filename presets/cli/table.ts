import { environment } from '../../core/index.js'
/** Formatting of the command line's output. */

export type Tone = 'bad' | 'warn' | 'busy' | 'good' | 'plain'

/** Codes of ECMA-48: red, yellow, blue, green. */
const COLOURS: Readonly<Record<Exclude<Tone, 'plain'>, number>> = { bad: 31, warn: 33, busy: 34, good: 32 }

/** On a terminal, unless colours are disabled: https://no-color.org. */
export const hasColours = ({ isTTY = false }: { isTTY?: boolean } = process.stdout, env = environment()): boolean =>
  isTTY && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb'

export const painted = (text: string, tone: Tone, colours: boolean): string =>
  colours && tone !== 'plain' ? `\u001B[${COLOURS[tone]}m${text}\u001B[39m` : text

/** Removes control characters, as names come from printers and files. */
// eslint-disable-next-line no-control-regex
export const printable = (text: string): string => text.replaceAll(/[\u0000-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g, '')

export interface Cell { readonly text: string, readonly tone?: Tone }
export type Row = readonly (string | Cell)[]

const cellOf = (cell: string | Cell): Cell => typeof cell === 'string' ? { text: cell } : cell
const GAP = '  '

/** Rows with aligned columns; the last column is not padded. */
export function table (rows: readonly Row[], colours: boolean): string[] {
  const cells = rows.map(row => row.map(cellOf).map(({ text, tone = 'plain' }) => ({ text: printable(text), tone })))
  const widths = (cells[0] ?? []).map((_, at) => Math.max(...cells.map(row => row[at]?.text.length ?? 0)))
  return cells.map(row => row.map(({ text, tone }, at) =>
    painted(text, tone, colours) + ' '.repeat(at === row.length - 1 ? 0 : Math.max(0, (widths[at] ?? 0) - text.length)))
    .join(GAP).trimEnd())
}

/** A progress bar of `width` characters. */
export function bar (percent: number, width = 24): string {
  const done = Math.round(Math.min(100, Math.max(0, percent)) / 100 * width)
  return `[${'#'.repeat(done)}${'.'.repeat(width - done)}]`
}

/** A number with its noun: `1 printer`, `2 printers`. */
export const counted = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`
