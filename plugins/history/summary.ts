import { Type, type Static } from 'typebox'
import type { ExpressionBuilder } from '../database/index.js'
import { conditions, type Db } from './queries.js'
import { Filter } from './schemas.js'
import { grouped } from './sums.js'
import { textsOf, type Tables } from './tables.js'

export const GROUPS = ['printer', 'material', 'model'] as const

/** Ascending times between two periods; a year of weeks has 52. */
const BOUNDARIES = String.raw`^\d{1,16}(,\d{1,16}){0,199}$`

export const SummaryInput = Type.Object({
  by: Type.Enum(GROUPS, {
    default: 'printer', description: 'A print of several materials counts for each, with its time divided by grams'
  }),
  printer_name: Filter.printer_name,
  since: Filter.since,
  until: Filter.until,
  boundaries: Type.Optional(Type.String({
    pattern: BOUNDARIES,
    description: 'Divide the time into periods: where one ends and the next begins, ms since the epoch, ascending, separated by commas'
  }))
})
type SummaryInput = Static<typeof SummaryInput>

const Amounts = {
  prints: Type.Integer({ description: 'Started in this time' }),
  finished: Type.Integer(),
  failed: Type.Integer(),
  cancelled: Type.Integer({ description: 'Stopped by a person' }),
  printing_s: Type.Number({ description: 'Preparation and printing, s' }),
  grams: Type.Number(),
  priced_grams: Type.Number({ description: 'Of those, with a known price' }),
  cost: Type.Number({ description: 'Of grams with a known price' })
}
const Group = Type.Object({ name: Type.String({ description: 'Empty when unknown' }), ...Amounts })
type Group = Static<typeof Group>

export const Summary = Type.Object({
  total: Type.Object(Amounts, { description: 'Each print once' }),
  groups: Type.Array(Group, { description: 'By name' }),
  periods: Type.Array(Type.Array(Group), { description: 'The groups of each period, in order; one more than boundaries' })
}, { 'x-name': 'PrintSummary' })
export type Summary = Static<typeof Summary>

type Prints = ExpressionBuilder<Tables, 'history_prints'>

/** The number of the period that a print began in, as literals: PostgreSQL takes numbers in parameters for text. */
function periodOf (eb: Prints, boundaries: readonly number[]) {
  const [first, ...later] = boundaries
  if (first === undefined) return eb.lit<number>(0)
  const start = eb.case().when('started_at', '<', first).then(eb.lit<number>(0))
  return later
    .reduce((chain, boundary, at) => chain.when('started_at', '<', boundary).then(eb.lit<number>(at + 1)), start)
    .else(eb.lit<number>(boundaries.length)).end()
}

const COLUMNS = { printer: 'printer', material: 'materials', model: 'model' } as const

/** Prints and the times of them. For materials, `key` is the list of all materials of a print. */
function printsOf (db: Db, { by, boundaries: _, ...filter }: SummaryInput, boundaries: readonly number[]) {
  return db.selectFrom('history_prints').where(eb => eb.and(conditions(eb, filter))).select(eb => [
    'id', 'outcome', 'prepare_s', 'printing_s', `${COLUMNS[by]} as key`, periodOf(eb, boundaries).as('period')
  ])
}

/** The sums of prints with one key, outcome and period. */
interface Sum extends Omit<Group, 'finished' | 'failed' | 'cancelled'> {
  readonly outcome: string
  readonly period: number
}

const NO_USE = { grams: 0, cost: 0, priced_grams: 0 }

/** Not joined with the filaments, of which a print has several. */
async function timesOf (db: Db, input: SummaryInput, boundaries: readonly number[]) {
  const rows = await db.selectFrom(printsOf(db, input, boundaries).as('print')).select(({ fn }) => [
    'key', 'outcome', 'period', fn.countAll<number>().as('prints'),
    fn.sum<number>('prepare_s').as('prepare'), fn.sum<number>('printing_s').as('printing')
  ]).groupBy(['key', 'outcome', 'period']).execute()
  return rows.map(({ key, outcome, period, prints, prepare, printing }) =>
    ({ key, outcome, period: Number(period), prints: Number(prints), printing_s: prepare + printing }))
}

async function usesOf (db: Db, input: SummaryInput, boundaries: readonly number[]) {
  const uses = db.selectFrom(printsOf(db, input, boundaries).as('print'))
    .innerJoin('history_filaments as use', 'use.print', 'print.id')
    .select(eb => [
      'key', 'outcome', 'period', input.by === 'material' ? 'material as name' : 'key as name', 'grams', 'cost',
      eb.case().when('cost', 'is not', null).then(eb.ref('grams')).end().as('priced')
    ])
  const rows = await db.selectFrom(uses.as('use')).select(({ fn }) => [
    'key', 'outcome', 'period', 'name',
    fn.sum<number>('grams').as('grams'), fn.sum<number>('cost').as('cost'), fn.sum<number>('priced').as('priced')
  ]).groupBy(['key', 'outcome', 'period', 'name']).execute()
  return rows.map(({ grams, cost, priced, period, ...rest }) =>
    ({ ...rest, period: Number(period), grams: grams ?? 0, cost: cost ?? 0, priced_grams: priced ?? 0 }))
}

type Use = Awaited<ReturnType<typeof usesOf>>[number]

const cellOf = ({ key, outcome, period }: Pick<Use, 'key' | 'outcome' | 'period'>): string => [key, outcome, period].join('\n')

/** What one material has of prints with several: all of the prints, and the time by its grams. */
function shareOf (name: string, names: readonly string[], uses: readonly Use[]): number {
  const grams = (own: readonly Use[]) => own.reduce((sum, use) => sum + use.grams, 0)
  const known = grams(uses)
  return known > 0 ? grams(uses.filter(use => use.name === name)) / known : 1 / names.length
}

/** The sums by name: those of the keys, or for lists of materials of each material. */
async function sumsBy (db: Db, input: SummaryInput, boundaries: readonly number[]): Promise<Sum[]> {
  const [times, uses] = [await timesOf(db, input, boundaries), await usesOf(db, input, boundaries)]
  const used = grouped(uses, cellOf)
  return times.flatMap(({ key, ...time }) => {
    const own = used.get(cellOf({ key, ...time })) ?? []
    const listed = [...new Set([...own.map(({ name }) => name), ...textsOf(input.by === 'material' ? key : '')])]
    const names = listed.length > 0 ? listed : [input.by === 'material' ? '' : key]
    return names.map(name => ({
      ...NO_USE,
      ...own.find(use => use.name === name),
      ...time,
      name,
      printing_s: time.printing_s * shareOf(name, names, own)
    }))
  })
}

const total = (sums: readonly Sum[], of: 'prints' | 'printing_s' | keyof typeof NO_USE): number =>
  Math.round(sums.reduce((all, sum) => all + sum[of], 0) * 100) / 100

function amountsOf (sums: readonly Sum[]): Summary['total'] {
  const count = (outcome: string) => total(sums.filter(sum => sum.outcome === outcome), 'prints')
  return {
    prints: total(sums, 'prints'),
    finished: count('finished'),
    failed: count('failed'),
    cancelled: count('cancelled'),
    printing_s: total(sums, 'printing_s'),
    grams: total(sums, 'grams'),
    priced_grams: total(sums, 'priced_grams'),
    cost: total(sums, 'cost')
  }
}

const groupsOf = (sums: readonly Sum[]): Group[] => [...grouped(sums, ({ name }) => name)]
  .map(([name, own]) => ({ name, ...amountsOf(own) })).sort((a, b) => a.name < b.name ? -1 : 1)

/** Prints, time and filament by printer, material or model, and by period. */
export async function summarise (db: Db, input: SummaryInput): Promise<Summary> {
  const boundaries = input.boundaries?.split(',').map(Number) ?? []
  const sums = await sumsBy(db, input, boundaries)
  const once = input.by === 'material' ? await sumsBy(db, { ...input, by: 'model' }, []) : sums
  const periods = grouped(sums, ({ period }) => String(period))
  return {
    total: amountsOf(once),
    groups: groupsOf(sums),
    periods: Array.from({ length: boundaries.length + 1 }, (_, at) => groupsOf(periods.get(String(at)) ?? []))
  }
}
