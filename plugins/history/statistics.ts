import { conditions, type Db } from './queries.js'
import { ALL_PRINTERS, refreshSums, sumsWithin, toNumbers, SUMMED } from './refresh.js'
import type { Filter, Statistics as Whole } from './schemas.js'
import { AMOUNT_COLUMNS, DAY_MS, firstDay, grouped, monthOf, nextMonth, NOTHING, plus, spansOf, sumsOf } from './sums.js'
import type { Sum } from './types.js'

/** Energy is added by whoever measures it. */
type Statistics = Omit<Whole, 'energy'>

type Group = Omit<Statistics['printers'][number], 'printer'>

function groupOf (sums: readonly Sum[]): Group {
  const count = (outcome: string) => sums.filter(sum => sum.outcome === outcome)
    .reduce((prints, sum) => prints + sum.prints, 0)
  const { prints, seconds, grams, metres, cost, parts } = sums.reduce(plus, NOTHING)
  return {
    prints,
    finished: count('finished'),
    failed: count('failed'),
    cancelled: count('cancelled'),
    printing_s: round(seconds),
    grams: round(grams),
    metres: round(metres),
    cost: round(cost),
    parts
  }
}

const round = (value: number): number => Math.round(value * 100) / 100

const monthIn = ({ unit, at }: Sum): number => unit === 'month' ? at : monthOf(at)

const monthText = (sum: Sum): string => {
  const month = String(monthIn(sum))
  return `${month.slice(0, 4)}-${month.slice(4)}`
}

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => a < b ? -1 : 1

const listOf = <K extends string>(name: K, sums: readonly Sum[], keyOf: (sum: Sum) => string) =>
  [...grouped(sums, keyOf)].sort(byKey)
    .map(([key, own]) => ({ [name]: key, ...groupOf(own) }) as Record<K, string> & Group)

/** The sums for each part of the answer, each as coarse as its part allows. */
interface Parts {
  readonly printers: readonly Sum[]
  readonly months: readonly Sum[]
  readonly materials: readonly Sum[]
  readonly faults: readonly Sum[]
}

/** Splits sums by day. For one material, prints count by their use of it; faults have no material. */
function partsOf (sums: readonly Sum[], material: string | undefined): Parts {
  const used = sums.filter(({ kind, key }) => kind === 'material' && key === (material ?? key))
  if (material !== undefined) return { printers: used, months: used, materials: used, faults: [] }
  const prints = sums.filter(({ kind }) => kind === 'print')
  return { printers: prints, months: prints, materials: used, faults: sums.filter(({ kind }) => kind === 'fault') }
}

/** @param byMonth the same sums as `months`, perhaps in other months */
function statisticsOf ({ printers, months, materials, faults }: Parts, byMonth = months): Statistics {
  const { planned, actual } = months.reduce(plus, NOTHING)
  const all = groupOf(months)
  const judged = all.finished + all.failed
  return {
    ...all,
    success_rate: judged === 0 ? null : all.finished / judged,
    estimate: planned === 0 ? null : round(actual / planned),
    printers: listOf('printer', printers, ({ printer }) => printer),
    months: listOf('month', byMonth, monthText).filter(({ prints }) => prints > 0),
    materials: listOf('material', materials, ({ key }) => key),
    faults: [...grouped(faults, ({ key }) => key)]
      .map(([fault, own]) => ({ fault, prints: own.reduce((count, sum) => count + sum.prints, 0) }))
      .sort((a, b) => b.prints - a.prints)
  }
}

const NOWHERE: Pick<Sum, 'at' | 'printer' | 'key'> = { at: 0, printer: '', key: '' }

/** Sums of whole months and days; the partial days at either end are summed from the prints themselves. */
async function stored (db: Db, { printer_name: printer, result, material, since, until }: Filter): Promise<Parts> {
  const { months, days, rest } = spansOf(since, until)
  async function read (kind: Sum['kind'], column: 'at' | 'printer' | 'key'): Promise<Sum[]> {
    const rows = await db.selectFrom('history_sums').where('kind', '=', kind).where(eb => eb.or([
      eb.and([
        eb('unit', '=', 'month'), eb('at', '>=', months[0]), eb('at', '<=', months[1]),
        column === 'printer' && printer === undefined
          ? eb('printer', '<>', ALL_PRINTERS)
          : eb('printer', '=', printer ?? ALL_PRINTERS)
      ]),
      ...days.map(([from, to]) => eb.and([
        eb('unit', '=', 'day'), eb('at', '>=', from), eb('at', '<=', to),
        ...(printer === undefined ? [] : [eb('printer', '=', printer)])
      ]))
    ])).where(eb => eb.and([
      ...(result === undefined ? [] : [eb('outcome', '=', result)]),
      ...(material === undefined ? [] : [eb('key', '=', material)])
    ])).select(({ fn }) => ['unit', 'kind', 'outcome', column,
      ...AMOUNT_COLUMNS.map(amount => fn.sum<number>(amount).as(amount))])
      .groupBy(['unit', 'kind', 'outcome', column]).execute()
    return rows.map((row): Sum => ({ ...NOWHERE, ...toNumbers(row) }))
  }
  const kind = material === undefined ? 'print' : 'material'
  const partialDays = (await Promise.all(rest.map(([from, to]) => sumsWithin(db, from, to)))).flat()
    .filter(sum => (printer ?? sum.printer) === sum.printer && (result ?? sum.outcome) === sum.outcome)
  const partial = partsOf(partialDays, material)
  return {
    printers: [...await read(kind, 'printer'), ...partial.printers],
    months: [...await read(kind, 'at'), ...partial.months],
    materials: [...await read('material', 'key'), ...partial.materials],
    faults: material === undefined ? [...await read('fault', 'key'), ...partial.faults] : []
  }
}

/** A time as the clock of a zone shows it, as if that was UTC. */
type ToLocal = (at: number) => number

/** @throws RangeError for a time zone that does not exist */
export function localTime (timeZone: string): ToLocal {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric'
  })
  return at => {
    const { year, month, day, hour, minute, second } =
      Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
    return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second)
  }
}

/**
 * Sums from the prints themselves, because stored sums cannot be filtered by text.
 * @param among only those that began within one of them
 */
async function found (db: Db, filter: Filter, local: ToLocal, among: readonly Span[] = []): Promise<Parts> {
  const passing = db.selectFrom('history_prints').where(eb => eb.and(conditions(eb, filter)))
    .$if(among.length > 0, query => query.where(eb => eb.or(among.map(([from, to]) =>
      eb.and([eb('started_at', '>=', from), eb('started_at', '<', to)])))))
  const filaments = await db.selectFrom('history_filaments').where('print', 'in', passing.select('id'))
    .select(['print', 'material', 'grams', 'metres', 'cost']).execute()
  const prints = await passing.select(SUMMED).execute()
  const shifted = prints.map(print => ({ ...print, started_at: local(print.started_at) }))
  return partsOf(sumsOf(shifted, filaments), filter.material)
}

type Span = readonly [from: number, to: number]
/** No time zone is further from UTC. */
const FURTHEST_MS = 15 * 3_600_000
/** Limits the statement; 20 years. */
const MOST_MONTHS = 240

const negative = (sum: Sum): Sum =>
  ({ ...sum, ...Object.fromEntries(AMOUNT_COLUMNS.map(column => [column, -sum[column]])) })

/**
 * What prints near the ends of months take from the month of UTC, and add to that of another zone. Prints that are
 * deleted stay where they are.
 */
async function moved (db: Db, months: readonly Sum[], filter: Filter, local: ToLocal): Promise<Sum[]> {
  const starts = new Set(months.map(monthIn).flatMap(month => [firstDay(month), firstDay(nextMonth(month))]))
  const near = [...starts].sort((one, other) => one - other).slice(-MOST_MONTHS)
    .map((day): Span => [day * DAY_MS - FURTHEST_MS, day * DAY_MS + FURTHEST_MS])
  if (near.length === 0) return []
  const [before, after] = [await found(db, filter, at => at, near), await found(db, filter, local, near)]
  return [...before.months.map(negative), ...after.months]
}

/** Counts and sums over all matching prints. @param local for the months; left out: UTC */
export async function statistics (db: Db, filter: Filter, local?: ToLocal): Promise<Statistics> {
  if (filter.text !== undefined) return statisticsOf(await found(db, filter, local ?? (at => at)))
  await refreshSums(db)
  const parts = await stored(db, filter)
  return statisticsOf(parts, local && [...parts.months, ...await moved(db, parts.months, filter, local)])
}
