import { createHash } from 'node:crypto'
import { hasCurrentState, isActive, isServiceError, type Job, type PrinterSession, type StartRecord } from '../../core/index.js'
import { identityOf, isOurs, partsOf, type Look, type Progress } from './follow.js'
import type { UsedPlate } from '../projects/index.js'
import type { Store } from './store/index.js'
import type { PlateRecord, Run } from './types.js'

interface Ran extends Progress, Pick<Job, 'taskId' | 'subtaskId' | 'subtaskName'> {}

interface Sight {
  readonly session: PrinterSession
  /** ms of a clock that never jumps. */
  liveSince: number
  settledSince: number
  identity: string
  state: string
  wasActive: boolean
  /** The job that was last seen to be active. */
  ran: Ran | undefined
  isMarking: boolean
}

export interface SightsOptions {
  /** Writes down that something lies on the plate. */
  readonly markUsed: (serial: string) => Promise<unknown>
  /** A print of whatever origin has ended. */
  readonly ended: (session: PrinterSession) => void
  /** Something that a decision may depend on has changed. */
  readonly wake: () => void
}

/** What was seen of a job so far, with one more report of it. */
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

/** What the printer showed before the run was sent, as far as it was written down; its state is that of now. */
export const shownBefore = ({ state }: PrinterSession, { before }: Run): StartRecord['before'] => state && {
  gcodeState: state.job.gcodeState,
  printError: state.errors.printError,
  ...partsOf(before ?? '')
}

const MARK_LENGTH = 12

const steady = (): number => performance.now()

/**
 * Watches what printers do, the queue's prints and all others. Whatever prints uses up the plate, and a job that was
 * not there when the plate was confirmed has used it, though nobody saw it.
 */
export function createSights ({ markUsed, ended, wake }: SightsOptions) {
  const sights = new Map<string, Sight>()
  let known: ReadonlyMap<string, PlateRecord> = new Map()

  const identity = (session: PrinterSession): string =>
    session.state ? identityOf(session.state.job, session.context.reportedStart) : ''

  function checkPlate (session: PrinterSession, sight: Sight): void {
    const { serial } = session.config
    const plate = known.get(serial)
    const isUsed = sight.wasActive || (plate?.state === 'clear' && plate.job !== sight.identity)
    if (plate === undefined || plate.state === 'used' || !isUsed || sight.isMarking) return
    sight.isMarking = true
    markUsed(serial).then(wake, () => {}).finally(() => { sight.isMarking = false })
  }

  function see (session: PrinterSession, sight: Sight): void {
    const { state } = session
    if (!state || !hasCurrentState(session)) return
    const now = identity(session)
    const { gcodeState } = state.job
    const active = isActive(gcodeState)
    if (active) sight.ran = progressOf(sight.ran, state.job)
    if (now !== sight.identity || gcodeState !== sight.state) {
      Object.assign(sight, { identity: now, state: gcodeState, settledSince: steady() })
      wake()
    }
    if (sight.wasActive && !active) ended(session)
    sight.wasActive = active
    checkPlate(session, sight)
  }

  function watch (session: PrinterSession): () => void {
    const sight: Sight = {
      session,
      liveSince: steady(),
      settledSince: steady(),
      identity: '',
      state: '',
      wasActive: false,
      ran: undefined,
      isMarking: false
    }
    sights.set(session.config.serial, sight)
    const off = [
      session.events.on('state', (now, before) => {
        if (now.job !== before?.job) see(session, sight)
        else if (now.spools !== before.spools || now.ams !== before.ams || now.errors !== before.errors) wake()
      }),
      session.events.on('live', live => {
        if (live) sight.liveSince = steady()
        see(session, sight)
        wake()
      }),
      session.events.on('service', wake)
    ]
    see(session, sight)
    wake()
    return () => {
      for (const undo of off) undo()
      sights.delete(session.config.serial)
      wake()
    }
  }

  return {
    watch,
    identity,
    /**
     * Changes with every print that begins or ends. Made of what a node tells its hubs, so that it is the same there.
     * @param run of which nobody knows what became of it
     */
    mark (session: PrinterSession, run: Run | undefined): string {
      const { startedAt, endedAt } = session.context.jobClock
      const parts = [identity(session), startedAt, endedAt, run?.state === 'unknown' ? run.id : '']
      return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, MARK_LENGTH)
    },
    /** Plates as they are kept; each printer is compared with its own. */
    plates (plates: ReadonlyMap<string, PlateRecord>): void {
      known = plates
      for (const sight of sights.values()) if (sight.state !== '') checkPlate(sight.session, sight)
    },
    look (session: PrinterSession, run: Run, sinceSent: number | undefined, isBeingStarted: boolean): Look | undefined {
      const sight = sights.get(session.config.serial)
      const { state } = session
      if (!sight || !state) return undefined
      return {
        job: state.job,
        identity: identity(session),
        sinceSent,
        watchedMs: steady() - sight.liveSince,
        settledMs: steady() - sight.settledSince,
        isBeingStarted,
        start: startOfRun(session, run),
        ran: sight.ran && isOurs(run, sight.ran) ? sight.ran : undefined,
        hasError: state.errors.faults.some(({ type }) => type === 'device_error')
      }
    }
  }
}

export type Sights = ReturnType<typeof createSights>

export interface UsedPlateDeps {
  readonly store: Pick<Store, 'plates' | 'activeRun'>
  readonly sights: Pick<Sights, 'identity'>
}

const sinceWhat = ({ state }: PrinterSession): string => {
  const { subtaskName = '' } = state?.job ?? {}
  return subtaskName === '' ? 'its last print' : `'${subtaskName}' was printed`
}

/**
 * What a print that is started by hand is told of the plate. A plate that was never confirmed clear is one that the
 * queue does not look after, and the queue's own start holds a plate that was.
 */
export const createUsedPlate = ({ store, sights }: UsedPlateDeps): UsedPlate => async session => {
  const { name, config: { serial } } = session
  try {
    const plate = (await store.plates()).get(serial)
    if (plate === undefined || (plate.state === 'clear' && plate.job === sights.identity(session))) return undefined
    if (plate.state === 'taken' && (await store.activeRun(serial))?.state !== 'unknown') return undefined
    return `Nobody has told the queue that the plate of '${name}' is clear since ${sinceWhat(session)}.`
  } catch (error) {
    if (isServiceError(error)) return undefined // without its database the queue knows of no plate
    throw error
  }
}
