import type { Kernel } from '../../core/index.js'
import type { Messages } from '../notify/index.js'
import { reportUntil } from './report.js'
import type { Settings } from './settings.js'
import type { NightStore } from './store.js'
import { dayOf, lastAt } from './clock.js'
import { reportWords } from './words.js'

/** A report that is later than this is left out: it would be about another day. */
const LATEST_MS = 6 * 3_600_000

export interface MorningDeps {
  readonly kernel: Kernel
  readonly store: NightStore
  readonly messages: () => Pick<Messages, 'send'>
  readonly signal: AbortSignal
}

/**
 * Sends the report of this morning unless it was sent, by this service or another one. Its messages have ids of their
 * own, so that one that was begun before a restart is not sent twice.
 * @param since when it was switched on: an earlier morning does not count
 */
export async function sendMorning (settings: Settings, since: number, deps: MorningDeps): Promise<void> {
  const { kernel, store, messages, signal } = deps
  const { report: { at, targets, language }, time_zone: timeZone } = settings
  const now = kernel.now()
  if (at === null || targets.length === 0) return
  const due = lastAt(at, timeZone, now)
  if (due < since || now - due > LATEST_MS) return
  const id = `report:${dayOf(due, timeZone)}`
  if ((await store.hasEnded([id])).has(id) || !await store.begin(id, 'report')) return
  try {
    const report = await reportUntil({ kernel, signal }, due)
    const sent = await messages().send({
      id: id.replace(':', '-'),
      kind: 'morning_report',
      severity: 'low',
      printers: kernel.printers.names,
      ...reportWords(report, language),
      payload: { from: report.from, until: report.until, ...report.printed }
    }, targets)
    await store.end(id, sent.length > 0 ? sent.join(', ') : 'no target that may know of all printers')
  } catch (error) {
    await store.giveBack(id)
    throw error
  }
}
