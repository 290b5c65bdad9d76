import { randomInt, randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { hasCurrentState, type PrinterSession } from '../../core/index.js'
import type { QueueAlerts } from './alerts.js'
import { decide, type SpoolFinder, type Start } from './decide/index.js'
import { verdictOf, nameOnPrinter, type Limits, type Verdict } from './run-verdict.js'
import { cardPathOf, type Library } from './library.js'
import { shownBefore, startOfRun, type PrinterObserver } from './printer-observer.js'
import { startRun, type StartDeps } from './start.js'
import type { End, Store } from './store/index.js'
import { ACTIVE_STATES, type Run, type Snapshot } from './types.js'
import { groupsOf, viewOf, type GroupOptions, type Situation, type Turn } from './view.js'

export interface Timing extends Limits {
  /** Least time between two turns, ms. */
  readonly turnMs: number
  /** Longest time between two turns: for what only time or other services change. */
  readonly idleMs: number
  /** First wait before a failed start is tried again, ms. */
  readonly retryMs: number
}

/**
 * This service's part in the queue. A node of a fleet starts jobs on the printers it is connected to; a hub sees all
 * printers and reports what blocks a job; a hub without a shared database has no queue.
 */
export type Role = 'alone' | 'node' | 'hub' | 'none'

export interface RunnerDeps extends Omit<StartDeps, 'identity'> {
  readonly library: Library
  readonly store: Store
  readonly groups: readonly GroupOptions[]
  readonly observer: PrinterObserver
  readonly situation: (snapshot: Snapshot) => Situation
  readonly alerts: QueueAlerts
  /** Id of this service, the same across restarts. */
  readonly instance: string
  readonly role: () => Role
  readonly spools: () => Promise<SpoolFinder>
  readonly timing: Timing
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>
  /** Called when something about these printers may have changed. */
  readonly changed: (printers: readonly string[]) => void
  /** Called with each new state of a run. */
  readonly runChanged: (run: Run) => void
}

/** Simultaneous uploads: they share one network. */
const MOST_STARTS = 8
/** Longer than a printer can be claimed for an upload: a run still preparing then was abandoned. */
const ABANDONED_MS = 20 * 60_000
const LARGEST_TASK = 2 ** 31 - 2
/** Time that another service may need between recording a start and sending it. */
const ELSEWHERE_MS = 60_000

/** Drives the queue: one turn at a time, whenever something may have changed. */
export function createRunner (deps: RunnerDeps) {
  const { kernel, store, library, groups, observer, alerts, instance, timing, log } = deps
  /** Runs that this service is preparing or starting, by id. */
  const beginning = new Map<string, Promise<void>>()
  let last: Turn | undefined
  let timer: NodeJS.Timeout | undefined
  let turning: Promise<void> | undefined
  let isDue = false
  let isClosed = false

  const sessionOf = (serial: string): PrinterSession | undefined =>
    kernel.printers.sessions.find(({ config }) => config.serial === serial)

  const isSelfClearing = (printer: string): boolean => groupsOf(printer, groups).some(group => group.selfClearing)

  async function end (run: Run, how: Omit<End, 'identity' | 'now' | 'by'>): Promise<void> {
    const session = sessionOf(run.serial)
    const identity = session ? observer.identity(session) : ''
    const done = await store.end(run, { ...how, identity, by: 'queue', now: kernel.now() })
    if (!done) return
    log.info({ printer: run.printer, job: run.job, state: how.state, reason: how.reason }, 'a copy has ended')
    deps.runChanged({ ...run, state: how.state, reason: how.reason, endedAt: kernel.now() })
    // A start that was not refused for certain may still begin, and needs its file.
    if (session && (how.state !== 'not_started' || how.plate === 'as_before')) {
      await deps.files.remove(session, run.path).catch(() => {})
    }
  }

  async function transition (run: Run, from: readonly Run['state'][], to: 'printing' | 'unknown', reason = ''):
  Promise<void> {
    if (await store.change(run, from, to, reason)) deps.runChanged({ ...run, state: to, reason })
  }

  /** The error that the printer shows for a run whose outcome is unknown. */
  const reasonOf = ({ serial }: Run): string =>
    alerts.errorOf(sessionOf(serial)) || 'the printer reports nothing about it'

  /** The error that explains a failure may arrive long after the printer has reported the end of the job. */
  async function explain (run: Run): Promise<void> {
    const error = run.state === 'unknown' ? alerts.errorOf(sessionOf(run.serial)) : ''
    if (error !== '' && run.reason !== error) await transition(run, ['unknown'], 'unknown', error)
  }

  /**
   * Restores the start record of a run that was sent before a restart or by another service. This service keeps a
   * record of every start it sends, so its own start without one hardly reached the printer; a start sent by another
   * service is assumed to be accepted.
   */
  function restoreStart (run: Run, session: PrinterSession): void {
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

  async function settle (run: Run, verdict: Verdict): Promise<void> {
    if (verdict === undefined) return
    if (verdict === 'printing') await transition(run, ['sending', 'unknown'], 'printing')
    else if (verdict === 'unknown') await transition(run, ['sending', 'printing'], 'unknown', reasonOf(run))
    else if (verdict === 'not_started') {
      const session = sessionOf(run.serial)
      const isAccepted = session !== undefined && startOfRun(session, run)?.accepted === true
      // An accepted start may still begin: a person must check the plate before the next one.
      await end(run, { state: 'not_started', reason: 'the printer never began it', plate: isAccepted ? 'used' : 'as_before' })
    } else {
      const isClear = verdict === 'finished' && isSelfClearing(run.printer)
      const reason = verdict === 'failed' ? alerts.faultOf(sessionOf(run.serial)) : ''
      await end(run, { state: verdict, reason, plate: isClear ? 'clear' : 'used' })
    }
  }

  /** A run in preparation that no service works on any more: nothing was sent. */
  function isAbandoned ({ id, state, owner, createdAt }: Run): boolean {
    if (state !== 'preparing' || beginning.has(id)) return false
    return owner === instance || kernel.now() - createdAt > ABANDONED_MS
  }

  async function review (run: Run): Promise<boolean> {
    if (isAbandoned(run)) {
      await end(run, { state: 'not_started', reason: 'the service ended before it was sent', plate: 'as_before' })
      return true
    }
    const session = sessionOf(run.serial)
    if (!session || !hasCurrentState(session)) return false
    const sinceSent = run.sentAt === undefined ? undefined : kernel.now() - run.sentAt
    const isElsewhere = run.owner !== instance && (sinceSent ?? 0) < ELSEWHERE_MS
    const isBeingStarted = beginning.has(run.id) || isElsewhere
    if (!isBeingStarted) restoreStart(run, session)
    const observation = observer.observe(session, run, sinceSent, isBeingStarted)
    const verdict = observation && verdictOf(run, observation, timing)
    await settle(run, verdict)
    if (verdict === undefined) await explain(run)
    return verdict !== undefined
  }

  async function begin (start: Start): Promise<void> {
    const { job, printer, file, plate, seconds, mapping, low } = start
    const session = sessionOf(printer.serial)
    if (!session) return
    const id = randomUUID()
    const confirmed = last?.snapshot.plates.get(printer.serial)?.job
    const run: Run = {
      id,
      job: job.id,
      serial: printer.serial,
      printer: session.name,
      state: 'preparing',
      owner: instance,
      task: randomInt(1, LARGEST_TASK),
      file: file.id,
      plate,
      path: cardPathOf(job.name, id),
      before: undefined,
      seconds,
      createdAt: kernel.now(),
      sentAt: undefined,
      endedAt: undefined,
      reason: '',
      print: ''
    }
    const spacings = printer.groups.filter(({ spacingMs }) => spacingMs > 0)
      .map(({ name, spacingMs }) => ({ group: name, ms: spacingMs }))
    const work = async (): Promise<void> => {
      if (!await store.claim(run, spacings)) return
      deps.runChanged(run)
      alerts.spoolsLow(session.name, job.name, low)
      const { identity } = observer
      const outcome = await startRun(session, { run, job, mapping, confirmed }, { ...deps, identity })
      if (outcome.kind === 'started') await transition(run, ['sending'], 'printing')
      if (outcome.kind !== 'not_started') return
      await end(run, { state: 'not_started', reason: outcome.reason, plate: 'as_before' })
    }
    const working = work()
      .catch((error: unknown) => log.warn({ err: error, printer: run.printer }, 'the queue could not start a print'))
      .finally(() => {
        beginning.delete(id)
        wake()
      })
    beginning.set(id, working)
    await Promise.resolve()
  }

  async function runTurn (): Promise<void> {
    const before = await store.snapshot()
    const role = deps.role()
    const moved = role === 'hub' ? [] : await Promise.all(before.runs.map(review))
    const snapshot = moved.includes(true) ? await store.snapshot() : before
    observer.plates(snapshot.plates)
    const spools = await deps.spools()
    const decision = decide(viewOf(deps.situation(snapshot), library.present, timing.retryMs), spools)
    last = { snapshot, decision }
    alerts.see(last, { isWhole: role !== 'node' })
    const free = role === 'hub' ? 0 : MOST_STARTS - beginning.size
    for (const start of decision.starts.slice(0, Math.max(0, free))) await begin(start)
    deps.changed(kernel.printers.names)
  }

  async function turn (): Promise<void> {
    isDue = false
    if (deps.role() === 'none') return
    await runTurn().catch((error: unknown) => log.warn({ err: error }, 'the queue cannot take its turn'))
  }

  function wake (): void {
    if (isClosed) return
    isDue = true
    if (turning) return
    clearTimeout(timer)
    timer = setTimeout(next, timing.turnMs).unref()
  }

  function next (): void {
    turning = turn().finally(() => {
      turning = undefined
      if (isClosed) return
      clearTimeout(timer)
      timer = setTimeout(next, isDue ? timing.turnMs : timing.idleMs).unref()
    })
  }

  return {
    wake,
    /** The last turn; undefined before the first. */
    get last () { return last },
    /** Runs of this printer as they were at the last turn. */
    runOf: (serial: string): Run | undefined => last?.snapshot.runs
      .find(run => run.serial === serial && ACTIVE_STATES.includes(run.state as never)),
    end,
    /** A person gives up a start. @returns whether the queue was waiting for one on this printer */
    async giveUp (session: PrinterSession, by: string): Promise<boolean> {
      if (deps.role() === 'none') return false
      const run = await store.activeRun(session.config.serial)
      const isOnItsWay = run !== undefined && beginning.has(run.id) && !startOfRun(session, run)
      if (run?.state !== 'sending' || isOnItsWay) return false
      await end(run, { state: 'not_started', reason: `given up by ${by}`, plate: 'used' })
      wake()
      return true
    },
    async close (): Promise<void> {
      isClosed = true
      clearTimeout(timer)
      await Promise.allSettled([turning, ...beginning.values()])
    }
  }
}

export type Runner = ReturnType<typeof createRunner>
