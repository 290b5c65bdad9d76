import { recorded, type Kernel } from '../../core/index.js'
import type { Finding } from '../alerts/index.js'
import { textOf } from './decide/index.js'
import type { Store } from './store/index.js'
import type { Snapshot } from './types.js'
import { groupsOf, whyStopped, type GroupOptions } from './view.js'

export interface FailureLimits {
  readonly groups: readonly GroupOptions[]
  /** For printers whose groups say nothing of it. */
  readonly stopAfterFailures: number
}

/**
 * So many failures in a row stop a printer that a person has set no number for; 0: never. Of several groups the
 * strictest counts.
 */
export function mostFailuresOf (printer: string, { groups, stopAfterFailures }: FailureLimits): number {
  const wanted = groupsOf(printer, groups).flatMap(group => group.stopAfterFailures ?? [])
  if (wanted.length === 0) return stopAfterFailures
  const strict = wanted.filter(most => most > 0)
  return strict.length === 0 ? 0 : Math.min(...strict)
}

export interface StopTellerDeps {
  readonly kernel: Kernel
  readonly store: Pick<Store, 'tellStop'>
  readonly raise: (printer: string, finding: Finding) => void
}

/** Tells of printers that were stopped: once, by one service, with an entry in the audit log. */
export async function tellStops ({ failures }: Pick<Snapshot, 'failures'>, { kernel, store, raise }: StopTellerDeps):
Promise<void> {
  for (const [serial, record] of failures) {
    const { stoppedAt, isTold } = record
    const reason = whyStopped(record)
    if (stoppedAt === undefined || reason === undefined || isTold) continue
    const session = kernel.printers.sessions.find(({ config }) => config.serial === serial)
    if (session === undefined || session.remote !== undefined) continue
    if (!await store.tellStop(serial, stoppedAt)) continue
    const text = `${textOf(reason).replace(/\.$/, '')}; release it on the page of the queue once the cause is removed`
    const act = { surface: 'queue', printer: session.name, note: text }
    await recorded(kernel, 'queue.stopPrinter', act, () =>
      raise(session.name, { type: 'queue_blocked', severity: 'medium', payload: { reason: text } }))
  }
}
