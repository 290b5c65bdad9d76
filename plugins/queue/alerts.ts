import { activeFaults, LONGEST_START_MS, type Kernel, type PrinterSession } from '../../core/index.js'
import type { Finding } from '../alerts/index.js'
import { textOf, type Low } from './decide/index.js'
import type { Run } from './types.js'
import type { Turn } from './view.js'

/** Jobs that are looked at: the others wait for these. */
const MOST_JOBS = 20

export interface AlertsOptions {
  readonly raise: (printer: string, finding: Finding) => void
  readonly hms: Kernel['hms']
  readonly now: () => number
}

/** Tells people what only they can do; of each matter once, until it is over. */
export function createQueueAlerts ({ raise, hms, now }: AlertsOptions) {
  let told = new Set<string>()
  let jobsWait = false
  let hasLooked = false
  /** Printers whose prints had ended before the first turn. */
  const early: PrinterSession[] = []

  /** Runs of which only a person can say what becomes of them. */
  function seeRuns ({ snapshot }: Turn, seen: Set<string>): void {
    for (const run of snapshot.runs) {
      const { id, job, printer } = run
      const reason = whyPersonIsNeeded(run)
      if (reason === undefined) continue
      const name = snapshot.jobs.find(known => known.id === job)?.name ?? ''
      tell(seen, id, printer, { job, job_name: name, reason })
    }
  }

  function whyPersonIsNeeded ({ state, sentAt }: Run): string | undefined {
    if (state === 'unknown') return 'nobody knows whether it was printed: say so, with the plate'
    const isLate = state === 'sending' && sentAt !== undefined && now() - sentAt > LONGEST_START_MS
    return isLate ? 'the printer has accepted it and does not begin: look at the printer, or give the start up' : undefined
  }

  /** A job that no printer can take is told of at the first one that only lacks the right equipment. */
  function seeBlocked ({ snapshot, decision }: Turn, seen: Set<string>): void {
    for (const job of snapshot.jobs.slice(0, MOST_JOBS)) {
      const { isBlocked, printers } = decision.explain({ job, attempts: snapshot.attempts.get(job.id) ?? [] })
      const [first] = printers.filter(({ kind }) => kind === 'fit')
      if (!isBlocked || !first) continue
      tell(seen, job.id, first.printer, { job: job.id, job_name: job.name, reason: textOf(first.why) })
    }
  }

  function tell (seen: Set<string>, key: string, printer: string, payload: Finding['payload']): void {
    seen.add(key)
    if (!told.has(key)) raise(printer, { type: 'queue_blocked', severity: 'medium', payload })
  }

  /** A print has ended on a printer that does not clear its plate. */
  function plateUsed (session: PrinterSession): void {
    if (!hasLooked) early.push(session)
    if (!jobsWait) return
    const job = session.state?.job.subtaskName ?? ''
    raise(session.name, { type: 'plate_needs_clearing', severity: 'low', payload: { job } })
  }

  return {
    /** @param isWhole all printers of the queue were looked at: what fits none of them is blocked */
    see (turn: Turn, { isWhole }: { readonly isWhole: boolean }): void {
      const seen = new Set<string>()
      jobsWait = turn.snapshot.jobs.some(({ copies, taken }) => copies > taken)
      seeRuns(turn, seen)
      if (isWhole) seeBlocked(turn, seen)
      told = seen
      hasLooked = true
      for (const session of early.splice(0)) plateUsed(session)
    },
    /** Before a print starts whose spools will not last, as its job allows. */
    spoolsLow (printer: string, job: string, low: readonly Low[]): void {
      for (const { tray: { amsId, slot, isHolder }, material, neededG, leftG } of low) {
        const [needed, left] = [Math.round(neededG), Math.round(leftG)]
        raise(printer, {
          type: 'spool_low',
          severity: 'medium',
          payload: {
            place: isHolder ? 'external' : `ams ${amsId} slot ${slot}`, // as the history and spools name it
            material,
            job,
            needed_g: needed,
            left_g: left,
            reason: `the print takes ${needed} g, about ${left} g are left`
          }
        })
      }
    },
    plateUsed,
    /** The error number that a printer shows, in words. */
    errorOf (session: PrinterSession | undefined): string {
      const fault = session?.state?.errors.faults.find(({ type }) => type === 'device_error')
      return fault ? hms.describe(fault) : ''
    },
    /** The worst fault that a printer shows, in words. */
    faultOf (session: PrinterSession | undefined): string {
      const [fault] = activeFaults(session?.state?.errors.faults ?? [])
      return fault ? hms.sentence(fault) : ''
    }
  }
}

export type QueueAlerts = ReturnType<typeof createQueueAlerts>
