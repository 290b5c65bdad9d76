import { recorded, type Kernel } from '../../core/index.js'
import type { Finding } from '../alerts/index.js'
import { textOf, type Why } from './decide/index.js'
import type { Store } from './store/index.js'
import type { FailureRecord, Snapshot } from './types.js'
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
  readonly store: Pick<Store, 'failures' | 'tellStop'>
  readonly raise: (printer: string, finding: Finding) => void
}

/**
 * Tells of printers that were stopped, with an entry in the audit log. That somebody was told is recorded afterwards: a
 * kill between the two, or two services at the very same moment, tell twice, which is better than never.
 */
export function createStopTeller ({ kernel, store, raise }: StopTellerDeps) {
  /** The stop that this service has told of, by serial. */
  const told = new Map<string, number>()

  async function tell (printer: string, reason: Why): Promise<void> {
    const note = `${textOf(reason).replace(/\.$/, '')}; release it on the page of the queue once the cause is removed`
    await recorded(kernel, 'queue.stopPrinter', { surface: 'queue', printer, note }, () =>
      raise(printer, { type: 'queue_blocked', severity: 'medium', payload: { reason: note } }))
  }

  /** Another service may have told of it since the turn began. */
  const isOpen = async (serial: string, stoppedAt: number): Promise<boolean> => {
    const now = (await store.failures()).get(serial)
    return now?.stoppedAt === stoppedAt && !now.isTold && told.get(serial) !== stoppedAt
  }

  async function see (serial: string, record: FailureRecord): Promise<void> {
    const { stoppedAt, isTold } = record
    const reason = whyStopped(record)
    if (stoppedAt === undefined || reason === undefined || isTold) return
    const session = kernel.printers.sessions.find(({ config }) => config.serial === serial)
    if (session === undefined || session.remote !== undefined) return
    if (await isOpen(serial, stoppedAt)) {
      await tell(session.name, reason)
      told.set(serial, stoppedAt)
    }
    await store.tellStop(serial, stoppedAt)
  }

  /** One after the other; a printer for which it fails does not stop the others. */
  return async ({ failures }: Pick<Snapshot, 'failures'>): Promise<void> => {
    const problems: unknown[] = []
    for (const [serial, record] of failures) await see(serial, record).catch((error: unknown) => problems.push(error))
    if (problems.length > 0) throw problems[0]
  }
}
