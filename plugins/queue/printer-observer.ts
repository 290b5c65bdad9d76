import { createHash } from 'node:crypto'
import { hasCurrentState, isActive, type Job, type PrinterSession } from '../../core/index.js'
import { identityOf, isOurs, type Observation, type Progress } from './run-verdict.js'
import { startOfRun } from './start-record.js'
import type { PlateRecord, Run } from './types.js'

interface Ran extends Progress, Pick<Job, 'taskId' | 'subtaskId' | 'subtaskName'> {}

interface WatchedPrinter {
  readonly session: PrinterSession
  /** ms of the monotonic clock. */
  liveSince: number
  settledSince: number
  identity: string
  state: string
  wasActive: boolean
  /** The job that was last observed active. */
  ran: Ran | undefined
  isMarking: boolean
}

export interface PrinterObserverOptions {
  /** Records that the plate is no longer clear. */
  readonly markUsed: (serial: string) => Promise<unknown>
  /** Called when any print has ended, whoever started it. */
  readonly ended: (session: PrinterSession) => void
  /** Called when something that a decision may depend on has changed. */
  readonly wake: () => void
}

/** The progress of a job after one more report. */
function progressOf (before: Ran | undefined, job: Job): Ran {
  const { taskId, subtaskId, subtaskName, gcodeState, percent, layer } = job
  const now = { taskId, subtaskId, subtaskName, percent, layer, hasRun: gcodeState === 'RUNNING' || gcodeState === 'PAUSE' }
  if (before === undefined || identityOf(before) !== identityOf(now)) return now
  return {
    ...now,
    percent: Math.max(before.percent, percent),
    layer: Math.max(before.layer, layer),
    hasRun: before.hasRun || now.hasRun
  }
}

const FINGERPRINT_LENGTH = 12

const monotonicMs = (): number => performance.now()

const watchedPrinter = (session: PrinterSession): WatchedPrinter => ({
  session,
  liveSince: monotonicMs(),
  settledSince: monotonicMs(),
  identity: '',
  state: '',
  wasActive: false,
  ran: undefined,
  isMarking: false
})

/**
 * Observes printers during prints of the queue and all others. Every print makes its plate used; so does a job that
 * differs from the one reported when the plate was confirmed, even if no print was observed.
 */
export class PrinterObserver {
  readonly #options: PrinterObserverOptions
  /** By serial. */
  readonly #watched = new Map<string, WatchedPrinter>()
  #plates: ReadonlyMap<string, PlateRecord> = new Map()

  constructor (options: PrinterObserverOptions) { this.#options = options }

  /** @returns stops watching the printer */
  watch (session: PrinterSession): () => void {
    const { wake } = this.#options
    const watched = watchedPrinter(session)
    this.#watched.set(session.config.serial, watched)
    const off = [
      session.events.on('state', (now, before) => {
        if (now.job !== before?.job) this.#see(watched)
        else if (now.spools !== before.spools || now.ams !== before.ams || now.errors !== before.errors) wake()
      }),
      session.events.on('live', live => {
        if (live) watched.liveSince = monotonicMs()
        this.#see(watched)
        wake()
      }),
      session.events.on('service', wake)
    ]
    this.#see(watched)
    wake()
    return () => {
      for (const undo of off) undo()
      this.#watched.delete(session.config.serial)
      wake()
    }
  }

  /** Identity of the job that a printer reports; empty for none. */
  identity ({ state, context }: PrinterSession): string {
    return state ? identityOf(state.job, context.reportedStart) : ''
  }

  /**
   * Changes with every print that begins or ends. Computed from what a node reports to its hubs, so both compute the
   * same value. @param run the printer's current run, which counts while its outcome is unknown
   */
  fingerprint (session: PrinterSession, run: Run | undefined): string {
    const { startedAt, endedAt } = session.context.jobClock
    const parts = [this.identity(session), startedAt, endedAt, run?.state === 'unknown' ? run.id : '']
    return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, FINGERPRINT_LENGTH)
  }

  /** Takes the stored plates; each observed printer is checked against its own. */
  plates (plates: ReadonlyMap<string, PlateRecord>): void {
    this.#plates = plates
    for (const watched of this.#watched.values()) if (watched.state !== '') this.#checkPlate(watched)
  }

  /** What the printer shows of a run; undefined before its first report. @param sinceSent ms */
  observe (session: PrinterSession, run: Run, sinceSent: number | undefined, isBeingStarted: boolean):
  Observation | undefined {
    const watched = this.#watched.get(session.config.serial)
    const { state } = session
    if (!watched || !state) return undefined
    return {
      job: state.job,
      identity: this.identity(session),
      sinceSent,
      watchedMs: monotonicMs() - watched.liveSince,
      settledMs: monotonicMs() - watched.settledSince,
      isBeingStarted,
      start: startOfRun(session, run),
      ran: watched.ran && isOurs(run, watched.ran) ? watched.ran : undefined,
      hasError: state.errors.faults.some(({ type }) => type === 'device_error')
    }
  }

  #see (watched: WatchedPrinter): void {
    const { session } = watched
    const { state } = session
    if (!state || !hasCurrentState(session)) return
    const identity = this.identity(session)
    const { gcodeState } = state.job
    const active = isActive(gcodeState)
    if (active) watched.ran = progressOf(watched.ran, state.job)
    if (identity !== watched.identity || gcodeState !== watched.state) {
      Object.assign(watched, { identity, state: gcodeState, settledSince: monotonicMs() })
      this.#options.wake()
    }
    if (watched.wasActive && !active) this.#options.ended(session)
    watched.wasActive = active
    this.#checkPlate(watched)
  }

  #checkPlate (watched: WatchedPrinter): void {
    const { markUsed, wake } = this.#options
    const { serial } = watched.session.config
    const plate = this.#plates.get(serial)
    const isUsed = watched.wasActive || (plate?.state === 'clear' && plate.job !== watched.identity)
    if (plate === undefined || plate.state === 'used' || !isUsed || watched.isMarking) return
    watched.isMarking = true
    markUsed(serial).then(wake, () => {}).finally(() => { watched.isMarking = false })
  }
}
