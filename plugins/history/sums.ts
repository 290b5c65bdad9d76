import type { FilamentRow, PrintRow } from './tables.js'
import type { Amounts, Kind, Sum } from './types.js'

export const DAY_MS = 86_400_000

export const NOTHING: Readonly<Amounts> =
  { prints: 0, seconds: 0, planned: 0, actual: 0, grams: 0, metres: 0, cost: 0, parts: 0 }
export const AMOUNT_COLUMNS = Object.keys(NOTHING) as (keyof Amounts)[]

export type SummedPrint = Pick<PrintRow,
  'id' | 'printer' | 'outcome' | 'started_at' | 'prepare_s' | 'printing_s' | 'paused_s' | 'unseen_s' | 'planned_s' |
  'cost' | 'faults' | 'parts'>
export type SummedFilament = Pick<FilamentRow, 'print' | 'material' | 'grams' | 'metres' | 'cost'>

export const dayOf = (at: number): number => Math.floor(at / DAY_MS)

export function monthOf (day: number): number {
  const date = new Date(day * DAY_MS)
  return date.getUTCFullYear() * 100 + date.getUTCMonth() + 1
}

/** First day of a month. */
export const firstDay = (month: number): number => dayOf(Date.UTC(Math.floor(month / 100), month % 100 - 1))

export const nextMonth = (month: number): number => month % 100 === 12 ? month + 89 : month + 1

export const plus = (a: Amounts, b: Amounts): Amounts => ({
  prints: a.prints + b.prints,
  seconds: a.seconds + b.seconds,
  planned: a.planned + b.planned,
  actual: a.actual + b.actual,
  grams: a.grams + b.grams,
  metres: a.metres + b.metres,
  cost: a.cost + b.cost,
  parts: a.parts + b.parts
})

const total = (filaments: readonly SummedFilament[], of: 'grams' | 'metres' | 'cost'): number =>
  filaments.reduce((sum, filament) => sum + (filament[of] ?? 0), 0)

function amountsOf (print: SummedPrint, filaments: readonly SummedFilament[]): Amounts {
  const isMeasure = print.outcome === 'finished' && print.planned_s > 0 && print.unseen_s === 0
  return {
    prints: 1,
    seconds: print.printing_s,
    planned: isMeasure ? print.planned_s : 0,
    actual: isMeasure ? print.prepare_s + print.printing_s : 0,
    grams: total(filaments, 'grams'),
    metres: total(filaments, 'metres'),
    cost: print.cost ?? total(filaments, 'cost'),
    parts: print.outcome === 'finished' ? print.parts : 0
  }
}

export function grouped<T> (values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const value of values) {
    const group = groups.get(keyOf(value))
    if (group) group.push(value)
    else groups.set(keyOf(value), [value])
  }
  return groups
}

interface Fault { readonly code: string, readonly text: string }

/** Faults are grouped by code and text as recorded. */
const faultKeys = ({ faults, outcome }: SummedPrint): string[] => outcome === 'failed'
  ? [...new Set((JSON.parse(faults) as Fault[]).map(({ code, text }) => `${code} ${text}`))]
  : []

/** By day, printer and outcome. */
export function sumsOf (prints: readonly SummedPrint[], filaments: readonly SummedFilament[]): Sum[] {
  const sums = new Map<string, Sum>()
  const spent = grouped(filaments, ({ print }) => print)
  function add (print: SummedPrint, kind: Kind, key: string, amounts: Amounts): void {
    const at = dayOf(print.started_at)
    const name = [at, print.printer, print.outcome, kind, key].join('\n')
    const { printer, outcome } = print
    const before = sums.get(name) ?? { unit: 'day', at, kind, key, printer, outcome, ...NOTHING }
    sums.set(name, { ...before, ...plus(before, amounts) })
  }
  for (const print of prints) {
    const own = spent.get(print.id) ?? []
    add(print, 'print', '', amountsOf(print, own))
    for (const [material, of] of grouped(own, ({ material }) => material)) {
      add(print, 'material', material, amountsOf({ ...print, cost: null }, of))
    }
    for (const key of faultKeys(print)) add(print, 'fault', key, { ...NOTHING, prints: 1 })
  }
  return [...sums.values()]
}

/** Parts of a time span: whole months and days, read from sums, and the rest in ms, read from the prints themselves. */
export interface Spans {
  readonly months: readonly [from: number, to: number]
  readonly days: readonly (readonly [from: number, to: number])[]
  readonly rest: readonly (readonly [from: number, to: number])[]
}

const LAST_MONTH = 999_912
const NO_MONTHS = [1, 0] as const

/** Splits a time span into few rows. Spans of months and days include their end, spans in ms do not. */
export function spansOf (since = -Infinity, until = Infinity): Spans {
  if (since >= until) return { months: NO_MONTHS, days: [], rest: [] }
  const firstFull = Math.ceil(since / DAY_MS)
  const endFull = Math.floor(until / DAY_MS)
  if (firstFull >= endFull) return { months: NO_MONTHS, days: [], rest: [[since, until]] }
  const rest = ([[since, firstFull * DAY_MS], [endFull * DAY_MS, until]] as const).filter(([from, to]) => from < to)
  const from = firstFull === -Infinity ? 0 : monthOf(firstFull - 1) // the first whole month is the one after this
  const to = endFull === Infinity ? LAST_MONTH : monthOf(endFull)
  const fromDay = firstFull === -Infinity ? -Infinity : firstDay(nextMonth(from))
  const toDay = endFull === Infinity ? Infinity : firstDay(to)
  if (fromDay >= toDay) return { months: NO_MONTHS, days: [[firstFull, endFull - 1]], rest }
  const days = ([[firstFull, fromDay - 1], [toDay, endFull - 1]] as const)
    .filter(([first, last]) => Number.isFinite(first + last) && first <= last)
  return {
    months: [firstFull === -Infinity ? 0 : nextMonth(from), endFull === Infinity ? LAST_MONTH : to - 1],
    days,
    rest
  }
}
