import { randomInt, randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { hasCurrentState, type PrinterSession } from '../../core/index.js'
import type { QueueAlerts } from './alerts.js'
import { decide, type SpoolFinder, type Start } from './decide/index.js'
import { judge, nameOnPrinter, type Limits, type Verdict } from './follow.js'
import { cardPathOf, type Library } from './library.js'
import { shownBefore, startOfRun, type Sights } from './sights.js'
import { startRun, type StartDeps } from './start.js'
import type { End, Store } from './store/index.js'
import { ACTIVE_STATES, type Run, type Snapshot } from './types.js'
import { groupsOf, viewOf, type GroupOptions, type Situation, type Turn } from './view.js'

export interface Timing extends Limits {
  /** Least time between two turns, ms. */
  readonly turnMs: number
  /** A turn is due at the latest after this time: for what comes with time, and from other services. */
  readonly idleMs: number
  /** First wait of a printer that could not be started, ms. */
  readonly retryMs: number
}

/**
 * What this service is to the queue. A node of a fleet starts jobs on printers that it holds; a hub looks at all of
 * them and says what blocks a job; at a hub without a shared database there is no queue.
 */
export type Role = 'alone' | 'node' | 'hub' | 'none'

export interface RunnerDeps extends Omit<StartDeps, 'identity'> {
  readonly library: Library
  readonly store: Store
  readonly groups: readonly GroupOptions[]
  readonly sights: Sights
  readonly situation: (snapshot: Snapshot) => Situation
  readonly alerts: QueueAlerts
  /** Of this service, across restarts. */
  readonly instance: string
  readonly role: () => Role
  readonly spools: () => Promise<SpoolFinder>
  readonly timing: Timing
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>
  /** Something about these printers changed. */
  readonly changed: (printers: readonly string[]) => void
  readonly told: (run: Run) => void
}

/** Uploads at the same time: more would share one network. */
const MOST_STARTS = 8
/** Preparing takes no longer than a printer can be held. */
const ABANDONED_MS = 20 * 60_000
const LARGEST_TASK = 2 ** 31 - 2
/** What another service may need from writing down to sending. */
const ELSEWHERE_MS = 60_000

/** Lets the queue go on: one turn at a time, whenever something may have changed. */
export function createRunner (deps: RunnerDeps) {
  const { kernel, store, library, groups, sights, alerts, instance, timing, log } = deps
  /** Runs that this service prepares or starts, by id. */
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
    const identity = session ? sights.identity(session) : ''
    const done = await store.end(run, { ...how, identity, by: 'queue', now: kernel.now() })
    if (!done) return
    log.info({ printer: run.printer, job: run.job, state: how.state, reason: how.reason }, 'a copy has ended')
    deps.told({ ...run, state: how.state, reason: how.reason, endedAt: kernel.now() })
    if (session && how.state !== 'not_started') {
      await deps.files.remove(session, run.path).catch(() => {})
    }
  }

  async function go (run: Run, from: readonly Run['state'][], to: 'printing' | 'unknown', reason = ''): Promise<void> {
    if (await store.change(run, from, to, reason)) deps.told({ ...run, state: to, reason })
  }

  /** What the printer shows of a run of which nobody knows what became of it. */
  const reasonOf = ({ serial }: Run): string =>
    alerts.errorOf(sessionOf(serial)) || 'the printer tells nothing of it'

  /** The error that tells why may come long after the printer has said that the job is over. */
  async function explain (run: Run): Promise<void> {
    const error = run.state === 'unknown' ? alerts.errorOf(sessionOf(run.serial)) : ''
    if (error !== '' && run.reason !== error) await go(run, ['unknown'], 'unknown', error)
  }

  /**
   * Of a run that another service sent nobody here has seen whether the printer accepted it. This one keeps a record of
   * all that it sends: without one the start hardly reached the printer.
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
    if (verdict === 'printing') await go(run, ['sending', 'unknown'], 'printing')
    else if (verdict === 'unknown') await go(run, ['sending', 'printing'], 'unknown', reasonOf(run))
    else if (verdict === 'not_started') {
      const session = sessionOf(run.serial)
      const isAccepted = session !== undefined && startOfRun(session, run)?.accepted === true
      // What was accepted may yet begin: somebody looks at the plate before something else does.
      await end(run, { state: 'not_started', reason: 'the printer never began it', plate: isAccepted ? 'used' : 'as_before' })
    } else {
      const isClear = verdict === 'finished' && isSelfClearing(run.printer)
      const reason = verdict === 'failed' ? alerts.faultOf(sessionOf(run.serial)) : ''
      await end(run, { state: verdict, reason, plate: isClear ? 'clear' : 'used' })
    }
  }

  /** Nothing was sent of what is still being prepared by nobody. */
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
    const look = sights.look(session, run, sinceSent, isBeingStarted)
    const verdict = look && judge(run, look, timing)
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
      deps.told(run)
      alerts.spoolsLow(session.name, job.name, low)
      const outcome = await startRun(session, { run, job, mapping, confirmed }, { ...deps, identity: sights.identity })
      if (outcome.kind === 'started') await go(run, ['sending'], 'printing')
      if (outcome.kind !== 'not_started') return
      await end(run, { state: 'not_started', reason: outcome.reason, plate: 'as_before' })
    }
    const working = work()
      .catch((error: unknown) => log.warn({ err: error, printer: run.printer }, 'the queue cannot start a print now'))
      .finally(() => {
        beginning.delete(id)
        wake()
      })
    beginning.set(id, working)
    await Promise.resolve()
  }

  async function take (): Promise<void> {
    const before = await store.snapshot()
    const role = deps.role()
    const moved = role === 'hub' ? [] : await Promise.all(before.runs.map(review))
    const snapshot = moved.includes(true) ? await store.snapshot() : before
    sights.plates(snapshot.plates)
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
    await take().catch((error: unknown) => log.warn({ err: error }, 'the queue stands still'))
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
    /** A person waits no longer for a start. @returns whether the queue waited for one of this printer */
    async giveUp (session: PrinterSession, by: string): Promise<boolean> {
      if (deps.role() === 'none') return false
      const run = await store.activeRun(session.config.serial)
      const isOnItsWay = run !== undefined && beginning.has(run.id) && !startOfRun(session, run)
      if (run?.state !== 'sending' || isOnItsWay) return false
      await end(run, { state: 'not_started', reason: `given up, says ${by}`, plate: 'used' })
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
