import type { Kernel } from '../../core/index.js'
import type { Database } from '../database/index.js'
import type { Messages } from '../notify/index.js'
import { reportUntil, unrecordedEnds } from './report.js'
import type { Settings } from './settings.js'
import type { NightStore } from './store.js'
import { dayOf, lastAt } from './clock.js'
import { reportWords } from './words.js'

/** A report that is later than this is left out: it would be about another day. */
const LATEST_MS = 6 * 3_600_000

/** The report waits so long for prints that ended unseen, as after a restart or an outage, or are not written yet. */
const WAIT_MS = 10 * 60_000

export interface MorningDeps {
  readonly kernel: Kernel
  readonly database: Pick<Database, 'status'>
  readonly store: NightStore
  readonly messages: () => Pick<Messages, 'send' | 'targets'>
  readonly signal: AbortSignal
  /** Kept from turn to turn: since when the database answers, ms since the epoch; undefined: it does not. */
  readonly answers: { since: number | undefined }
}

/** Those of these acts that are done. What waits for a database that was away is written after its first answer. */
async function endedOf (ids: readonly string[], { kernel, store, answers }: MorningDeps): Promise<ReadonlySet<string>> {
  try {
    const ended = await store.hasEnded(ids)
    answers.since ??= kernel.now()
    return ended
  } catch (error) {
    answers.since = undefined
    throw error
  }
}

/**
 * Sends the report of this morning unless it was sent, by this service or another one. Its messages have ids of their
 * own, so that one that was begun before a restart is not sent twice.
 * @param since when it was switched on: an earlier morning does not count
 */
export async function sendMorning (settings: Settings, since: number, deps: MorningDeps): Promise<void> {
  const { kernel, database, store, messages, signal, answers } = deps
  const { report: { at, targets, language }, time_zone: timeZone } = settings
  const now = kernel.now()
  if (at === null || targets.length === 0) return
  const due = lastAt(at, timeZone, now)
  if (due < since || now - due > LATEST_MS) return
  // Places are those of a service: another one sends to its own.
  const here = new Set(messages().targets().map(({ name }) => name))
  const day = `report:${dayOf(due, timeZone)}`
  const nameOf = (id: string) => id.slice(day.length + 1)
  const ids = targets.filter(name => here.has(name)).map(name => `${day}:${name}`)
  // An earlier version had one act for all places.
  const told = await endedOf([day, ...ids], deps)
  if (told.has(day) || ids.every(id => told.has(id))) return
  const isPatient = now - Math.max(due, answers.since ?? now) < WAIT_MS
  if (isPatient && (database.status.problem !== undefined || (await unrecordedEnds(deps, due)).length > 0)) return
  const begun = await store.begin(ids.filter(id => !told.has(id)), 'report')
  if (begun.length === 0) return
  try {
    const report = await reportUntil({ kernel, signal }, due)
    const sent = new Set(await messages().send({
      id: day.replace(':', '-'),
      kind: 'morning_report',
      severity: 'low',
      printers: kernel.printers.names,
      ...reportWords(report, language),
      payload: { from: report.from, until: report.until, ...report.printed }
    }, begun.map(nameOf)))
    for (const id of begun) {
      await store.end([id], sent.has(nameOf(id)) ? nameOf(id) : `'${nameOf(id)}' may not know of all printers`)
    }
  } catch (error) {
    await store.giveBack(begun)
    throw error
  }
}
