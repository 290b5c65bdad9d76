import { activeFaults, LONGEST_START_MS, type Kernel, type PrinterSession } from '../../core/index.js'
import type { Finding } from '../alerts/index.js'
import { placeInWords, placeName } from '../history/index.js'
import { textOf, type Low } from './decide/index.js'
import { createRefusedPlates } from './refused-plates.js'
import type { Job, Run } from './types.js'
import type { Turn } from './view.js'

/** Only the first jobs are checked: the others wait for these. */
const MOST_JOBS = 20

export interface AlertsOptions {
  readonly raise: (printer: string, finding: Finding) => void
  /** Spools are counted by the plugin for them, which raises its own alerts for every print. */
  readonly countsSpools: () => boolean
  readonly hms: Kernel['hms']
  readonly now: () => number
}

function whyPersonIsNeeded ({ state, sentAt }: Run, now: number): string | undefined {
  if (state === 'unknown') return 'it is unknown whether it was printed: say so when you confirm the plate'
  const isLate = state === 'sending' && sentAt !== undefined && now - sentAt > LONGEST_START_MS
  return isLate ? 'the printer accepted it but has not begun: check the printer, or give up the start' : undefined
}

function lowFinding (job: string, { tray, material, neededG, leftG }: Low, isDual: boolean): Finding {
  const { trayId, amsId, slot, isHolder } = tray
  const [needed, left] = [Math.round(neededG), Math.round(leftG)]
  const place = placeName({ amsId: isHolder ? trayId : amsId, slot }, isDual)
  return {
    type: 'spool_low',
    severity: 'medium',
    payload: {
      place,
      material,
      job,
      needed_g: needed,
      left_g: left,
      reason: `the print takes ${needed} g, about ${left} g are left in ${placeInWords(place)}`
    }
  }
}

/** Raises alerts for what only a person can resolve, once for each problem until it is resolved. */
export function createQueueAlerts ({ raise, countsSpools, hms, now }: AlertsOptions) {
  let raised = new Set<string>()
  let jobsWait = false
  let hasTakenTurn = false
  /** Printers whose prints ended before the first turn. */
  const early: PrinterSession[] = []

  /** Runs that only a person can settle. */
  function seeRuns ({ snapshot }: Turn, seen: Set<string>): void {
    for (const run of snapshot.runs) {
      const { id, job, printer } = run
      const reason = whyPersonIsNeeded(run, now())
      if (reason === undefined) continue
      const name = snapshot.jobs.find(known => known.id === job)?.name ?? ''
      report(seen, id, printer, { job, job_name: name, reason })
    }
  }

  /** A job that no printer can take is reported at the first printer that only lacks the right equipment. */
  function seeBlocked ({ snapshot, decision }: Turn, seen: Set<string>): void {
    for (const job of snapshot.jobs.slice(0, MOST_JOBS)) {
      const { isBlocked, printers } = decision.explain({ job, attempts: snapshot.attempts.get(job.id) ?? [] })
      const [first] = printers.filter(({ kind }) => kind === 'fit')
      if (!isBlocked || !first) continue
      report(seen, job.id, first.printer, { job: job.id, job_name: job.name, reason: textOf(first.why) })
    }
  }

  function report (seen: Set<string>, key: string, printer: string, payload: Finding['payload']): void {
    seen.add(key)
    if (!raised.has(key)) raise(printer, { type: 'queue_blocked', severity: 'medium', payload })
  }

  /** Called when a print has ended on a printer that does not clear its own plate. */
  function plateUsed (session: PrinterSession): void {
    if (!hasTakenTurn) early.push(session)
    if (!jobsWait) return
    const job = session.state?.job.subtaskName ?? ''
    raise(session.name, { type: 'plate_needs_clearing', severity: 'low', payload: { job } })
  }

  return {
    /** @param isWhole the turn covers all printers of the queue: a job that fits none of them is blocked */
    see (turn: Turn, { isWhole }: { readonly isWhole: boolean }): void {
      const seen = new Set<string>()
      jobsWait = turn.snapshot.jobs.some(({ copies, taken }) => copies > taken)
      seeRuns(turn, seen)
      if (isWhole) seeBlocked(turn, seen)
      raised = seen
      hasTakenTurn = true
      for (const session of early.splice(0)) plateUsed(session)
    },
    /** Called before a print starts with spools that will not last, which its job allows. */
    spoolsLow ({ name, state }: PrinterSession, job: string, low: readonly Low[]): void {
      if (countsSpools()) return
      const isDual = (state?.extruders.length ?? 1) > 1
      for (const spool of low) raise(name, lowFinding(job, spool, isDual))
    },
    plateUsed,
    /** Called when a job waits until a person has seen to it. */
    jobHeld ({ name }: PrinterSession, { id, name: job }: Pick<Job, 'id' | 'name'>, reason: string): void {
      const text = `${reason}; the job is held: release it to try again`
      raise(name, { type: 'queue_blocked', severity: 'medium', payload: { job: id, job_name: job, reason: text } })
    },
    plateRefused: createRefusedPlates(raise),
    /** The text of the error number that a printer shows. */
    errorOf (session: PrinterSession | undefined): string {
      const fault = session?.state?.errors.faults.find(({ type }) => type === 'device_error')
      return fault ? hms.describe(fault) : ''
    },
    /** The text of the worst fault that a printer shows. */
    faultOf (session: PrinterSession | undefined): string {
      const [fault] = activeFaults(session?.state?.errors.faults ?? [])
      return fault ? hms.sentence(fault) : ''
    }
  }
}

export type QueueAlerts = ReturnType<typeof createQueueAlerts>
