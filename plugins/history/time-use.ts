import { Type, type Static } from 'typebox'
import { conditions, type Db } from './queries.js'
import { Filter } from './schemas.js'
import { DAY_MS, grouped } from './sums.js'

export const TimeUseInput = Type.Object({ since: Filter.since, printer_name: Filter.printer_name })
type TimeUseInput = Static<typeof TimeUseInput>

const Seconds = (description: string) => Type.Number({ description: `${description}, s` })
export const TimeUse = Type.Object({
  printers: Type.Array(Type.Object({
    printer: Type.String(),
    since: Type.Integer({ description: 'Beginning of this time, or of its first recorded print if that was later, ms since the epoch' }),
    finished_s: Seconds('Prints that were finished or are running'),
    lost_s: Seconds('Prints that failed, were cancelled or whose end is unknown'),
    paused_s: Seconds('In pauses'),
    unseen_s: Seconds('During prints while the service or the connection was down'),
    between_s: Seconds('Between prints: idle, off, or with a finished part on its plate, which is not recorded')
  }), { description: 'By name' })
}, { 'x-name': 'TimeUse' })
export type TimeUse = Static<typeof TimeUse>

/** No print takes longer; bounds the search for prints that began before a time and ended after it. */
const LONGEST_PRINT_MS = 14 * DAY_MS
const GOOD = new Set(['finished', 'running'])

interface Used {
  readonly printer: string
  readonly outcome: string
  readonly busy: number
  readonly paused: number
  readonly unseen: number
}

/** The part of prints that began before a time and went on after it. */
async function begunBefore (db: Db, filter: Filter, since: number, now: number): Promise<Used[]> {
  const rows = await db.selectFrom('history_prints')
    .where(eb => eb.and(conditions(eb, { ...filter, since: since - LONGEST_PRINT_MS, until: since })))
    .where(eb => eb.or([eb('ended_at', '>', since), eb('outcome', '=', 'running')]))
    .select(['printer', 'outcome', 'started_at', 'ended_at', 'prepare_s', 'printing_s', 'paused_s', 'unseen_s']).execute()
  return rows.map(row => {
    const end = row.ended_at ?? now
    const part = end > row.started_at ? Math.max(0, end - since) / (end - row.started_at) : 0
    return {
      printer: row.printer,
      outcome: row.outcome,
      busy: (row.prepare_s + row.printing_s) * part,
      paused: row.paused_s * part,
      unseen: row.unseen_s * part
    }
  })
}

const round = (seconds: number): number => Math.round(seconds * 10) / 10
const sum = (rows: readonly Used[], of: 'busy' | 'paused' | 'unseen'): number => rows.reduce((all, row) => all + row[of], 0)

/** What printers did since a time, as far as the record of prints says. @param now ms since the epoch */
export async function timeUse (db: Db, { since = 0, ...filter }: TimeUseInput, now: number): Promise<TimeUse> {
  const firsts = await db.selectFrom('history_prints').where(eb => eb.and(conditions(eb, filter)))
    .select(({ fn }) => ['printer', fn.min('started_at').as('first')]).groupBy('printer').execute()
  const begun = await db.selectFrom('history_prints')
    .where(eb => eb.and(conditions(eb, { ...filter, since })))
    .select(({ fn }) => [
      'printer', 'outcome', fn.sum<number>('prepare_s').as('prepare'), fn.sum<number>('printing_s').as('printing'),
      fn.sum<number>('paused_s').as('paused'), fn.sum<number>('unseen_s').as('unseen')
    ])
    .groupBy(['printer', 'outcome']).execute()
  const used = grouped([
    ...begun.map(({ prepare, printing, ...row }): Used => ({ ...row, busy: prepare + printing })),
    ...await begunBefore(db, filter, since, now)
  ], row => row.printer)
  const printers = firsts.map(({ printer: name, first }) => {
    const own = used.get(name) ?? []
    const from = Math.max(since, Number(first))
    const times = {
      finished_s: round(sum(own.filter(({ outcome }) => GOOD.has(outcome)), 'busy')),
      lost_s: round(sum(own.filter(({ outcome }) => !GOOD.has(outcome)), 'busy')),
      paused_s: round(sum(own, 'paused')),
      unseen_s: round(sum(own, 'unseen'))
    }
    const rest = (now - from) / 1000 - Object.values(times).reduce((all, seconds) => all + seconds, 0)
    return { printer: name, since: from, ...times, between_s: round(Math.max(0, rest)) }
  })
  return { printers: printers.sort((a, b) => a.printer < b.printer ? -1 : 1) }
}
