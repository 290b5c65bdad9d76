import { hasCurrentState, type Kernel, type PrinterSession } from '../../core/index.js'
import type { QueueAlerts } from './alerts.js'
import { isSelfClearing } from './plate-clearing.js'
import type { PrinterObserver } from './printer-observer.js'
import { sessionOf, type RunChanges } from './run-changes.js'
import { nameOnPrinter, verdictOf, type Limits, type Verdict } from './run-verdict.js'
import { shownBefore, startOfRun } from './start-record.js'
import { LONGEST_MINUTES } from './soak/limits.js'
import type { HeatRecord, Run } from './types.js'
import type { GroupOptions } from './view.js'

export interface RunReviewDeps {
  readonly kernel: Kernel
  readonly groups: () => readonly GroupOptions[]
  readonly observer: Pick<PrinterObserver, 'observe'>
  readonly alerts: QueueAlerts
  readonly changes: RunChanges
  /** Id of this service, the same across restarts. */
  readonly instance: string
  /** Whether this service is preparing or starting a run. */
  readonly isStarting: (id: string) => boolean
  /** Ends a run in preparation that no service works on any more. */
  readonly endAbandoned: (run: Run) => Promise<void>
  readonly limits: Limits
  /** Whether another plugin sees to the plate of a printer. */
  readonly handles: (serial: string) => boolean
}

/** Longer than a printer can be claimed for an upload: a run still preparing then was abandoned. */
const ABANDONED_MS = 20 * 60_000
/** No printer is warmed for so long. */
const WARMING_MS = (LONGEST_MINUTES + 5) * 60_000
/** Time that another service may need between recording a start and sending it. */
const ELSEWHERE_MS = 60_000

/** Compares active runs with what their printers report, and stores what has become of them. */
export class RunReview {
  readonly #deps: RunReviewDeps

  constructor (deps: RunReviewDeps) { this.#deps = deps }

  /** @returns whether the run may have changed */
  async review (run: Run, heat?: HeatRecord): Promise<boolean> {
    const { kernel, observer, limits } = this.#deps
    if (this.#isAbandoned(run, heat)) {
      await this.#deps.endAbandoned(run)
      return true
    }
    const session = sessionOf(kernel, run.serial)
    if (!session || !hasCurrentState(session)) return false
    const sinceSent = run.sentAt === undefined ? undefined : kernel.now() - run.sentAt
    const isBeingStarted = this.#isBeingStarted(run, sinceSent)
    if (!isBeingStarted) this.#restoreStart(run, session)
    const observation = observer.observe(session, run, sinceSent, isBeingStarted)
    const verdict = observation && verdictOf(run, observation, limits)
    await this.#settle(run, verdict)
    if (verdict === undefined) await this.#explain(run)
    return verdict !== undefined
  }

  /** A run in preparation that no service works on any more: nothing was sent. */
  #isAbandoned ({ id, state, owner, createdAt }: Run, heat: HeatRecord | undefined): boolean {
    const { kernel, instance, isStarting } = this.#deps
    if (state !== 'preparing' || isStarting(id)) return false
    const isWarming = heat?.run === id && kernel.now() - heat.heatedAt < WARMING_MS
    return owner === instance || (kernel.now() - createdAt > ABANDONED_MS && !isWarming)
  }

  #isBeingStarted ({ id, owner }: Run, sinceSent: number | undefined): boolean {
    const { instance, isStarting } = this.#deps
    return isStarting(id) || (owner !== instance && (sinceSent ?? 0) < ELSEWHERE_MS)
  }

  /**
   * Restores the start record of a run that was sent before a restart or by another service. This service keeps a
   * record of every start it sends, so its own start without one hardly reached the printer; a start sent by another
   * service is assumed to be accepted.
   */
  #restoreStart (run: Run, session: PrinterSession): void {
    const { kernel, instance } = this.#deps
    const { start } = session.context
    const isNewer = start !== undefined && start.at > (run.sentAt ?? 0)
    if (run.state !== 'sending' || startOfRun(session, run) || isNewer) return
    session.restoreStart({
      taskId: String(run.task),
      subtaskName: nameOnPrinter(run),
      at: run.sentAt ?? kernel.now(),
      accepted: run.owner !== instance,
      before: shownBefore(session, run),
      outcome: undefined,
      printError: 0
    })
  }

  async #settle (run: Run, verdict: Verdict): Promise<void> {
    if (verdict === undefined) return
    const { kernel, alerts, changes, handles } = this.#deps
    const session = sessionOf(kernel, run.serial)
    if (verdict === 'printing') {
      await changes.transition(run, ['sending', 'unknown'], 'printing')
    } else if (verdict === 'unknown') {
      const reason = alerts.errorOf(session) || 'the printer reports nothing about it'
      await changes.transition(run, ['sending', 'printing'], 'unknown', reason)
    } else if (verdict === 'not_started') {
      const isAccepted = session !== undefined && startOfRun(session, run)?.accepted === true
      // An accepted start may still begin: a person must check the plate before the next one.
      const plate = isAccepted ? 'used' : 'as_before'
      await changes.end(run, { state: 'not_started', reason: 'the printer never began it', plate })
    } else {
      const isClear = verdict === 'finished' && session !== undefined && isSelfClearing(session.name, this.#deps.groups()) && !handles(run.serial)
      const reason = verdict === 'failed' ? alerts.faultOf(session) : ''
      await changes.end(run, { state: verdict, reason, plate: isClear ? 'clear' : 'used' })
    }
  }

  /** The error that explains a failure may arrive long after the printer has reported the end of the job. */
  async #explain (run: Run): Promise<void> {
    const { kernel, alerts, changes } = this.#deps
    const error = run.state === 'unknown' ? alerts.errorOf(sessionOf(kernel, run.serial)) : ''
    if (error !== '' && run.reason !== error) await changes.transition(run, ['unknown'], 'unknown', error)
  }
}
