import type { FastifyBaseLogger } from 'fastify'
import type { PrinterSession } from '../../core/index.js'
import type { Finding } from '../alerts/index.js'
import type { WhichStart } from '../projects/index.js'
import type { QueueAlerts } from './alerts.js'
import { CardCleaner } from './card-cleaner.js'
import type { Decision } from './decide/index.js'
import type { PrinterObserver } from './printer-observer.js'
import { RunChanges } from './run-changes.js'
import { RunReview } from './run-review.js'
import { RunStarts } from './run-starts.js'
import type { Limits } from './run-verdict.js'
import { HeatKeeper } from './soak/heat-keeper.js'
import type { OwnHeats } from './soak/own-heats.js'
import type { WarmUpTiming } from './soak/warm-up.js'
import type { StartDeps } from './start.js'
import { startOfRun } from './start-record.js'
import { Turns, type TurnTiming } from './turns.js'
import { ACTIVE_STATES, type Run, type Snapshot } from './types.js'
import type { GroupOptions, Turn } from './view.js'

/** Between two tries to share files with other services. */
const SHARE_AGAIN_MS = 60_000

export interface Timing extends Limits, TurnTiming, WarmUpTiming {
  /** First wait before a failed start is tried again, ms. */
  readonly retryMs: number
}

/**
 * This service's part in the queue. A node of a fleet starts jobs on the printers it is connected to; a hub sees all
 * printers and reports what blocks a job; a hub without a shared database has no queue.
 */
export type Role = 'alone' | 'node' | 'hub' | 'none'

export interface RunnerDeps extends Omit<StartDeps, 'identity' | 'warms' | 'heats'> {
  readonly groups: () => readonly GroupOptions[]
  readonly observer: PrinterObserver
  readonly alerts: QueueAlerts
  readonly ownHeats: OwnHeats
  readonly role: () => Role
  /** Decides on a snapshot without starting anything. */
  readonly evaluate: (snapshot: Snapshot) => Promise<Decision>
  readonly timing: Timing
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>
  /** Whether another plugin sees to the plate of a printer. */
  readonly handles: (serial: string) => boolean
  /** So many failures in a row stop a printer, unless a person has set another number. */
  readonly mostFailuresOf: (printer: string) => number
  readonly raise: (printer: string, finding: Finding) => void
  /** Tells of printers that were stopped after failures, once each. */
  readonly tellStops: (snapshot: Snapshot) => Promise<void>
  /** Called when something about these printers may have changed. */
  readonly changed: (printers: readonly string[]) => void
  /** Called with each new state of a run. */
  readonly runChanged: (run: Run) => void
}

/** Drives the queue: each turn reviews the active runs, decides, and starts what can start. */
export class Runner {
  readonly #deps: RunnerDeps
  readonly #turns: Turns
  readonly #cleaner: CardCleaner
  readonly #changes: RunChanges
  readonly #reviews: RunReview
  readonly #starts: RunStarts
  readonly #heats: HeatKeeper
  #last: Turn | undefined
  #sharedAt = -Infinity

  constructor (deps: RunnerDeps) {
    const { observer, timing } = deps
    this.#deps = deps
    this.#turns = new Turns(() => this.#turn(), timing)
    this.#cleaner = new CardCleaner(deps)
    const changes = this.#changes = new RunChanges({ ...deps, cleaner: this.#cleaner })
    this.#heats = new HeatKeeper({ ...deps, isStarting: id => this.#starts.has(id) })
    this.#starts = new RunStarts({
      ...deps,
      changes,
      keeper: this.#heats,
      identity: session => observer.identity(session),
      wake: () => { this.wake() }
    })
    this.#reviews = new RunReview({
      ...deps,
      changes,
      limits: timing,
      isStarting: id => this.#starts.has(id),
      endAbandoned: run => this.#starts.endAbandoned(run)
    })
  }

  /** Call when something that a decision depends on may have changed. */
  wake (): void { this.#turns.wake() }

  /** The last turn; undefined before the first. */
  get last (): Turn | undefined { return this.#last }

  /** The active run of this printer as it was at the last turn. */
  runOf (serial: string): Run | undefined {
    return this.#last?.snapshot.runs
      .find(run => run.serial === serial && ACTIVE_STATES.includes(run.state as never))
  }

  async end (...change: Parameters<RunChanges['end']>): Promise<void> { await this.#changes.end(...change) }

  /** A person gives up a start, the one of that time if it is given. @returns whether the queue was waiting for it */
  async giveUp (session: PrinterSession, by: string, { since, task }: WhichStart = {}): Promise<boolean> {
    if (this.#deps.role() === 'none') return false
    const run = await this.#deps.store.activeRun(session.config.serial)
    const isOnItsWay = run !== undefined && this.#starts.has(run.id) && !startOfRun(session, run)
    if (run?.state !== 'sending' || isOnItsWay) return false
    if (since !== undefined && since !== (run.sentAt ?? run.createdAt)) return false
    // A start without a number may be any.
    if (task !== undefined && !['', '0', String(run.task)].includes(task)) return false
    await this.end(run, { state: 'not_started', reason: `given up by ${by}`, plate: 'used' })
    this.wake()
    return true
  }

  async close (): Promise<void> {
    await Promise.all([this.#turns.close(), this.#starts.settled(), this.#cleaner.settled()])
    await this.#heats.settled()
  }

  async #turn (): Promise<void> {
    const { role, log } = this.#deps
    if (role() === 'none') return
    await this.#run().catch((error: unknown) => log.warn({ err: error }, 'the queue cannot take its turn'))
  }

  async #run (): Promise<void> {
    const { kernel, store, observer, alerts, evaluate, changed } = this.#deps
    const before = await store.snapshot().catch((error: unknown) => {
      this.#heats.see() // nothing stays hot because the database is away
      throw error
    })
    const role = this.#deps.role()
    if (role !== 'hub') this.#heats.see(before) // first: nothing stays hot because something cannot be stored
    const snapshot = role !== 'hub' && await this.#review(before) ? await store.snapshot() : before
    this.#share(snapshot)
    observer.plates(snapshot.plates)
    if (role !== 'hub') {
      this.#heats.see(snapshot)
      await this.#deps.tellStops(snapshot).catch((error: unknown) =>
        this.#deps.log.warn({ err: error }, 'that a printer was stopped cannot be told or stored now; retrying'))
    }
    const decision = await evaluate(snapshot)
    this.#last = { snapshot, decision }
    alerts.see(this.#last, { isWhole: role !== 'node' })
    const free = role === 'hub' ? 0 : this.#starts.free
    for (const start of decision.starts.filter(({ printer }) => !this.#heats.isAt(printer.serial)).slice(0, free)) {
      this.#starts.begin(start, snapshot.plates.get(start.printer.serial)?.job)
    }
    this.#cleaner.retry()
    changed(kernel.printers.names)
  }

  /** A run that cannot be reviewed now does not stop the others. @returns whether any may have changed */
  async #review ({ runs, heats }: Snapshot): Promise<boolean> {
    const reviews = await Promise.allSettled(runs.map(run => this.#reviews.review(run, heats.get(run.serial))))
    const [failed] = reviews.flatMap(review => review.status === 'rejected' ? [review.reason as unknown] : [])
    if (failed) this.#deps.log.warn({ err: failed }, 'what became of a print cannot be stored now; retrying')
    return reviews.some(review => review.status === 'fulfilled' && review.value)
  }

  /** What an open job needs and this service has alone: the database was away when it was added. */
  #share ({ jobs, files }: Snapshot): void {
    const wanted = new Set(jobs.flatMap(({ alternatives }) => alternatives.map(({ file }) => file)))
    const missing = [...files.values()].filter(({ id, isStored }) => isStored !== true && wanted.has(id))
    if (missing.length === 0 || performance.now() - this.#sharedAt < SHARE_AGAIN_MS) return
    this.#sharedAt = performance.now()
    this.#deps.library.shareMissing(missing).catch((error: unknown) =>
      this.#deps.log.warn({ err: error }, 'a sliced file cannot be shared with the other services now; retrying'))
  }
}
