import { randomInt, randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { PrinterSession } from '../../core/index.js'
import type { QueueAlerts } from './alerts.js'
import type { Start } from './decide/index.js'
import type { HeatKeeper } from './soak/heat-keeper.js'
import { cardPathOf } from './library.js'
import { sessionOf, type RunChanges } from './run-changes.js'
import { startRun, type Outcome, type StartDeps } from './start.js'
import type { Run, RunState } from './types.js'

export interface RunStartsDeps extends Omit<StartDeps, 'warms' | 'heats'> {
  readonly alerts: QueueAlerts
  readonly changes: RunChanges
  readonly keeper: Pick<HeatKeeper, 'begin' | 'giveUp' | 'takenOver'>
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  /** Called with each run that was assigned to a printer. */
  readonly runChanged: (run: Run) => void
  /** Called when a start is over. */
  readonly wake: () => void
}

/** Simultaneous uploads: they share one network. */
const MOST_STARTS = 8
const LARGEST_TASK = 2 ** 31 - 2

type NotBegun = Pick<Extract<Outcome, { kind: 'not_started' }>, 'reason' | 'isHeld'>

/** The runs that this service is preparing or starting. */
export class RunStarts {
  readonly #deps: RunStartsDeps
  /** By the run's id. */
  readonly #working = new Map<string, Promise<void>>()
  /** Of these: runs whose printers are being warmed. They use no network, and take up to an hour. */
  readonly #warming = new Set<string>()
  /** Why runs did not begin whose end could not be stored yet, by id. */
  readonly #notBegun = new Map<string, NotBegun>()

  constructor (deps: RunStartsDeps) { this.#deps = deps }

  /** How many more may begin now. */
  get free (): number { return Math.max(0, MOST_STARTS - this.#working.size + this.#warming.size) }

  has (id: string): boolean { return this.#working.has(id) }

  /** @param confirmed identity of the job that was reported when the plate was confirmed clear */
  begin (start: Start, confirmed: string | undefined): void {
    const { kernel, log, wake } = this.#deps
    const session = sessionOf(kernel, start.printer.serial)
    if (!session) return
    const run = this.#runOf(start, session)
    const working = this.#start(run, start, session, confirmed)
      .finally(() => { this.#working.delete(run.id) })
      // What cannot be stored is tried again in the next turn, which nothing hurries.
      .then(wake, (error: unknown) => log.warn({ err: error, printer: run.printer }, 'the queue could not start a print'))
    this.#working.set(run.id, working)
  }

  /** Ends a run in preparation that no service works on any more: nothing was sent. */
  async endAbandoned (run: Run): Promise<void> {
    const known = this.#notBegun.get(run.id)
    await this.#end(run, known ?? { reason: 'the service ended before it was sent', isHeld: false }, ['preparing'])
  }

  /** Waits for all that have begun. */
  async settled (): Promise<void> { await Promise.allSettled(this.#working.values()) }

  #runOf ({ job, printer, file, plate, seconds }: Start, session: PrinterSession): Run {
    const id = randomUUID()
    return {
      id,
      job: job.id,
      serial: printer.serial,
      printer: session.name,
      state: 'preparing',
      owner: this.#deps.instance,
      task: randomInt(1, LARGEST_TASK),
      file: file.id,
      plate,
      path: cardPathOf(job.name, id),
      before: undefined,
      seconds,
      createdAt: this.#deps.kernel.now(),
      sentAt: undefined,
      endedAt: undefined,
      reason: '',
      print: ''
    }
  }

  async #start (run: Run, start: Start, session: PrinterSession, confirmed: string | undefined): Promise<void> {
    const { job, mapping, soak, low } = start
    const { store, alerts, changes, keeper, runChanged, spacingsOf } = this.#deps
    if (!await store.claim(run, spacingsOf(session.name))) return
    runChanged(run)
    alerts.spoolsLow(session, job.name, low)
    const outcome = await startRun(session, { run, job, mapping, soak, confirmed }, {
      ...this.#deps,
      warms: (id, isWarming) => {
        if (isWarming && soak) this.#warming.add(id)
        else this.#warming.delete(id)
      },
      heats: heat => keeper.begin(run.serial, heat)
    })
    if (outcome.kind === 'started') {
      await changes.transition(run, ['sending'], 'printing')
      if (soak) await keeper.takenOver(run.id)
    }
    if (outcome.kind !== 'not_started') return
    await keeper.giveUp(run.id, session)
    this.#notBegun.set(run.id, outcome)
    // Told before it is stored: should the service be killed between the two, twice is better than never.
    if (outcome.isHeld) alerts.jobHeld(session, job, outcome.reason)
    await this.#end(run, outcome)
  }

  /** @param from left out: from any state. What a turn has read may be older than the start. */
  async #end (run: Run, { reason, isHeld }: NotBegun, from?: readonly RunState[]): Promise<void> {
    const how = { state: 'not_started', reason, plate: 'as_before', holdsJob: isHeld } as const
    await this.#deps.changes.end(run, { ...how, ...from && { from } })
    this.#notBegun.delete(run.id)
  }
}
