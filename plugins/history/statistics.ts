import { conditions, type Db } from './queries.js'
import { refreshSums, sumsWithin, toNumbers, SUMMED } from './refresh.js'
import type { Filter, Statistics } from './schemas.js'
import { AMOUNT_COLUMNS, grouped, monthOf, NOTHING, plus, spansOf, sumsOf } from './sums.js'
import type { Sum } from './types.js'

type Group = Omit<Statistics['printers'][number], 'printer'>

function groupOf (sums: readonly Sum[]): Group {
  const count = (outcome: string) => sums.filter(sum => sum.outcome === outcome)
    .reduce((prints, sum) => prints + sum.prints, 0)
  const { prints, seconds, grams, metres, cost } = sums.reduce(plus, NOTHING)
  return {
    prints,
    finished: count('finished'),
    failed: count('failed'),
    cancelled: count('cancelled'),
    printing_s: round(seconds),
    grams: round(grams),
    metres: round(metres),
    cost: round(cost)
  }
}

const round = (value: number): number => Math.round(value * 100) / 100

const monthText = ({ unit, at }: Sum): string => {
  const month = String(unit === 'month' ? at : monthOf(at))
  return `${month.slice(0, 4)}-${month.slice(4)}`
}

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => a < b ? -1 : 1

const listOf = <K extends string>(name: K, sums: readonly Sum[], keyOf: (sum: Sum) => string) =>
  [...grouped(sums, keyOf)].sort(byKey)
    .map(([key, own]) => ({ [name]: key, ...groupOf(own) }) as Record<K, string> & Group)

/** @param material when all are of prints with this one */
export function statisticsOf (sums: readonly Sum[], material?: string): Statistics {
  const prints = sums.filter(({ kind, key }) => material === undefined ? kind === 'print' : key === material)
  const { planned, actual } = prints.reduce(plus, NOTHING)
  const all = groupOf(prints)
  const judged = all.finished + all.failed
  return {
    ...all,
    success_rate: judged === 0 ? null : all.finished / judged,
    estimate: planned === 0 ? null : round(actual / planned),
    printers: listOf('printer', prints, ({ printer }) => printer),
    months: listOf('month', prints, monthText),
    materials: listOf('material', material === undefined ? sums.filter(({ kind }) => kind === 'material') : prints,
      ({ key }) => key),
    faults: [...grouped(sums.filter(({ kind }) => kind === 'fault'), ({ key }) => key)]
      .map(([fault, own]) => ({ fault, prints: own.reduce((count, sum) => count + sum.prints, 0) }))
      .sort((a, b) => b.prints - a.prints)
  }
}

const NOWHERE: Pick<Sum, 'at' | 'printer' | 'key'> = { at: 0, printer: '', key: '' }

/** Sums of whole months and days, as coarse as the answer needs them. */
async function stored (db: Db, { printer_name: printer, result, material, since, until }: Filter): Promise<Sum[]> {
  const { months, days, rest } = spansOf(since, until)
  const read = async (kinds: readonly Sum['kind'][], columns: readonly ('at' | 'printer' | 'key')[]) => {
    const rows = await db.selectFrom('history_sums').where(eb => eb.and([
      eb.or([['month', months] as const, ...days.map(span => ['day', span] as const)].map(([unit, [from, to]]) =>
        eb.and([eb('unit', '=', unit), eb('kind', 'in', kinds), eb('at', '>=', from), eb('at', '<=', to)]))),
      ...(printer === undefined ? [] : [eb('printer', '=', printer)]),
      ...(result === undefined ? [] : [eb('outcome', '=', result)]),
      ...(material === undefined ? [] : [eb('key', '=', material)])
    ])).select(({ fn }) => ['unit', 'kind', 'outcome', ...columns,
      ...AMOUNT_COLUMNS.map(column => fn.sum<number>(column).as(column))])
      .groupBy(['unit', 'kind', 'outcome', ...columns]).execute()
    return rows.map((row): Sum => ({ ...NOWHERE, ...toNumbers(row) }))
  }
  const finest = await read(material === undefined ? ['print'] : ['material'], ['at', 'printer', 'key'])
  const others = material === undefined ? await read(['material', 'fault'], ['key']) : []
  const edges = await Promise.all(rest.map(([from, to]) => sumsWithin(db, from, to)))
  const isAsked = (sum: Sum) => (printer ?? sum.printer) === sum.printer && (result ?? sum.outcome) === sum.outcome
  return [...finest, ...others, ...edges.flat().filter(isAsked)]
}

/** For a text there are no sums. */
async function found (db: Db, filter: Filter): Promise<Sum[]> {
  const passing = db.selectFrom('history_prints').where(eb => eb.and(conditions(eb, filter)))
  const filaments = await db.selectFrom('history_filaments').where('print', 'in', passing.select('id'))
    .select(['print', 'material', 'grams', 'metres', 'cost']).execute()
  return sumsOf(await passing.select(SUMMED).execute(), filaments)
}

/** Counts and sums over all prints that pass. */
export async function statistics (db: Db, filter: Filter): Promise<Statistics> {
  if (filter.text !== undefined) return statisticsOf(await found(db, filter), filter.material)
  await refreshSums(db)
  return statisticsOf(await stored(db, filter), filter.material)
}
