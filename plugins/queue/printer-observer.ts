import { createHash } from 'node:crypto'
import { hasCurrentState, isActive, isServiceError, type Job, type PrinterSession, type StartRecord } from '../../core/index.js'
import { identityOf, isOurs, partsOf, type Observation, type Progress } from './run-verdict.js'
import type { UsedPlate } from '../projects/index.js'
import type { Store } from './store/index.js'
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

/** The record of the run's start command, unless another one was sent since. */
export const startOfRun = ({ context: { start } }: PrinterSession, run: Run): StartRecord | undefined =>
  start?.taskId === String(run.task) ? start : undefined

/** What the printer showed before the run was sent, as far as it was recorded; the state is the current one. */
export const shownBefore = ({ state }: PrinterSession, { before }: Run): StartRecord['before'] => state && {
  gcodeState: state.job.gcodeState,
  printError: state.errors.printError,
  ...partsOf(before ?? '')
}

const MARK_LENGTH = 12

const monotonicMs = (): number => performance.now()

/**
 * Observes printers during prints of the queue and all others. Every print makes its plate used; so does a job that
 * differs from the one reported when the plate was confirmed, even if no print was observed.
 */
export function createPrinterObserver ({ markUsed, ended, wake }: PrinterObserverOptions) {
  const watchedPrinters = new Map<string, WatchedPrinter>()
  let known: ReadonlyMap<string, PlateRecord> = new Map()

  const identity = (session: PrinterSession): string =>
    session.state ? identityOf(session.state.job, session.context.reportedStart) : ''

  function checkPlate (session: PrinterSession, watched: WatchedPrinter): void {
    const { serial } = session.config
    const plate = known.get(serial)
    const isUsed = watched.wasActive || (plate?.state === 'clear' && plate.job !== watched.identity)
    if (plate === undefined || plate.state === 'used' || !isUsed || watched.isMarking) return
    watched.isMarking = true
    markUsed(serial).then(wake, () => {}).finally(() => { watched.isMarking = false })
  }

  function see (session: PrinterSession, watched: WatchedPrinter): void {
    const { state } = session
    if (!state || !hasCurrentState(session)) return
    const now = identity(session)
    const { gcodeState } = state.job
    const active = isActive(gcodeState)
    if (active) watched.ran = progressOf(watched.ran, state.job)
    if (now !== watched.identity || gcodeState !== watched.state) {
      Object.assign(watched, { identity: now, state: gcodeState, settledSince: monotonicMs() })
      wake()
    }
    if (watched.wasActive && !active) ended(session)
    watched.wasActive = active
    checkPlate(session, watched)
  }

  function watch (session: PrinterSession): () => void {
    const watched: WatchedPrinter = {
      session,
      liveSince: monotonicMs(),
      settledSince: monotonicMs(),
      identity: '',
      state: '',
      wasActive: false,
      ran: undefined,
      isMarking: false
    }
    watchedPrinters.set(session.config.serial, watched)
    const off = [
      session.events.on('state', (now, before) => {
        if (now.job !== before?.job) see(session, watched)
        else if (now.spools !== before.spools || now.ams !== before.ams || now.errors !== before.errors) wake()
      }),
      session.events.on('live', live => {
        if (live) watched.liveSince = monotonicMs()
        see(session, watched)
        wake()
      }),
      session.events.on('service', wake)
    ]
    see(session, watched)
    wake()
    return () => {
      for (const undo of off) undo()
      watchedPrinters.delete(session.config.serial)
      wake()
    }
  }

  return {
    watch,
    identity,
    /**
     * Changes with every print that begins or ends. Computed from what a node reports to its hubs, so both compute the
     * same value. @param run the printer's current run, which counts while its outcome is unknown
     */
    fingerprint (session: PrinterSession, run: Run | undefined): string {
      const { startedAt, endedAt } = session.context.jobClock
      const parts = [identity(session), startedAt, endedAt, run?.state === 'unknown' ? run.id : '']
      return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, MARK_LENGTH)
    },
    /** Takes the stored plates; each observed printer is checked against its own. */
    plates (plates: ReadonlyMap<string, PlateRecord>): void {
      known = plates
      for (const watched of watchedPrinters.values()) if (watched.state !== '') checkPlate(watched.session, watched)
    },
    observe (session: PrinterSession, run: Run, sinceSent: number | undefined, isBeingStarted: boolean):
    Observation | undefined {
      const watched = watchedPrinters.get(session.config.serial)
      const { state } = session
      if (!watched || !state) return undefined
      return {
        job: state.job,
        identity: identity(session),
        sinceSent,
        watchedMs: monotonicMs() - watched.liveSince,
        settledMs: monotonicMs() - watched.settledSince,
        isBeingStarted,
        start: startOfRun(session, run),
        ran: watched.ran && isOurs(run, watched.ran) ? watched.ran : undefined,
        hasError: state.errors.faults.some(({ type }) => type === 'device_error')
      }
    }
  }
}

export type PrinterObserver = ReturnType<typeof createPrinterObserver>

export interface UsedPlateDeps {
  readonly store: Pick<Store, 'plates' | 'activeRun'>
  readonly observer: Pick<PrinterObserver, 'identity'>
}

const sinceWhat = ({ state }: PrinterSession): string => {
  const { subtaskName = '' } = state?.job ?? {}
  return subtaskName === '' ? 'its last print' : `'${subtaskName}' was printed`
}

/**
 * Warns about a used plate before a print is started by hand. Plates that were never confirmed clear are not managed
 * by the queue, and the queue's own starts reserve a clear one.
 */
export const createUsedPlate = ({ store, observer }: UsedPlateDeps): UsedPlate => async session => {
  const { name, config: { serial } } = session
  try {
    const plate = (await store.plates()).get(serial)
    if (plate === undefined || (plate.state === 'clear' && plate.job === observer.identity(session))) return undefined
    if (plate.state === 'taken' && (await store.activeRun(serial))?.state !== 'unknown') return undefined
    return `The plate of '${name}' has not been confirmed clear since ${sinceWhat(session)}.`
  } catch (error) {
    if (isServiceError(error)) return undefined // without its database the queue manages no plates
    throw error
  }
}
