import type { FastifyBaseLogger } from 'fastify'
import { whyOfError } from '../author.js'
import type { HeatStore, OpenHeat } from '../heat-store.js'
import { MOST, type Heat } from '../types.js'
import { why, type Why } from '../words/why.js'
import type { Ending, Look } from './heaters.js'

/** Between two looks at heat that runs have not ended. */
const LOOK_MS = 5_000
/** So long after a run, a command of it may still arrive. */
const SETTLE_MS = 60_000
/** So long after a run, its heat may be on without people being told. */
const TELL_MS = 60_000
/** So long after the time at which a rule would have ended its heat, its run is waited for. */
const OVERDUE_MS = 180_000
/** A printer that was away for so long is left to people, who were told. */
const GIVE_UP_MS = 7 * 86_400_000

export interface HeatKeeperDeps {
  readonly store: HeatStore
  readonly now: () => number
  readonly look: (heat: Heat) => Look
  /** Sends one command that ends heat. */
  readonly cool: (heat: Heat, ending: Ending) => Promise<void>
  /** Tells people that something may still be on. */
  readonly tell: (heat: Heat, reason: Why) => void
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>
}

/**
 * Ends the heat of runs that ended without ending it: they were stopped, failed, their rule was switched off, or their
 * service was gone. It acts without an author, since nobody's lost rights are to keep a heater on, and from memory
 * while the database is away. It leaves alone what somebody else has set, and what a print uses.
 */
export class HeatKeeper {
  readonly #deps: HeatKeeperDeps
  /** As they were last read, with those that this service has begun since. */
  #open = new Map<string, OpenHeat>()
  /** Of which a command to end it was sent. */
  readonly #cooled = new Set<string>()
  readonly #told = new Set<string>()
  #nextAt = 0
  #isBusy = false

  constructor (deps: HeatKeeperDeps) { this.#deps = deps }

  /** A run heats, or has ended that. */
  heated (heat: Heat): void { this.#open.set(heat.id, { ...heat, endedAt: undefined }) }
  ended (id: string): void { this.#open.delete(id) }
  /** A run ended: its heat is looked at with the next tick. */
  hurry (): void { this.#nextAt = 0 }

  async tick (): Promise<void> {
    const now = this.#deps.now()
    if (now < this.#nextAt || this.#isBusy) return
    this.#nextAt = now + LOOK_MS
    this.#isBusy = true
    try {
      await this.#read()
      for (const heat of this.#open.values()) {
        const since = heat.endedAt ?? heat.until + OVERDUE_MS
        if (since <= now) await this.#settle(heat, since)
      }
    } finally {
      this.#isBusy = false
    }
  }

  /** Without a database it goes on with what it knows. */
  async #read (): Promise<void> {
    const rows = await this.#tried(() => this.#deps.store.open())
    if (rows === undefined) return
    this.#open = new Map(rows.map(row => [row.id, row]))
    for (const ids of [this.#cooled, this.#told]) for (const id of ids) if (!this.#open.has(id)) ids.delete(id)
  }

  async #settle (heat: OpenHeat, since: number): Promise<void> {
    const { now, look } = this.#deps
    const passed = now() - since
    // Another run has set the same since, and owns it.
    if (this.#isOwned(heat)) return await this.#forget(heat)
    const found = look(heat)
    if (found.is === 'over') {
      if (passed >= SETTLE_MS || this.#cooled.has(heat.id)) await this.#forget(heat)
      return
    }
    if (found.is === 'printing') return
    if (found.is === 'unknown') {
      if (passed >= GIVE_UP_MS) await this.#forget(heat)
      else if (passed >= TELL_MS) await this.#tell(heat, why('not_current', { printer: heat.printer }))
      return
    }
    const problem = await this.#cool(heat, found.endings)
    if (passed >= TELL_MS) await this.#tell(heat, problem ?? why('still_on'))
  }

  #isOwned ({ printer, operation, extruder, celsius }: OpenHeat): boolean {
    const now = this.#deps.now()
    const isSame = (other: Heat) => other.printer === printer && other.operation === operation &&
      other.extruder === extruder && other.celsius === celsius
    return [...this.#open.values()].some(other =>
      other.endedAt === undefined && other.until + OVERDUE_MS > now && isSame(other))
  }

  /** @returns why it failed */
  async #cool (heat: OpenHeat, endings: readonly Ending[]): Promise<Why | undefined> {
    const { cool, log } = this.#deps
    const isFirst = !this.#cooled.has(heat.id)
    try {
      for (const ending of endings) await cool(heat, ending)
      this.#cooled.add(heat.id)
      if (isFirst) log.info({ rule: heat.ruleName, printer: heat.printer }, 'what a rule had heated was switched off')
      if (isFirst) await this.#note(heat, undefined)
      return undefined
    } catch (error) {
      const reason = whyOfError(error)
      log.warn({ err: error, rule: heat.ruleName, printer: heat.printer }, 'what a rule had heated could not be switched off')
      return reason
    }
  }

  async #tell (heat: OpenHeat, reason: Why): Promise<void> {
    const { store, tell } = this.#deps
    if (heat.isTold || this.#told.has(heat.id)) return
    this.#told.add(heat.id)
    // Of two services one tells; without a database, each does.
    if (await this.#tried(() => store.tell(heat.id)) === false) return
    tell(heat, reason)
    await this.#note(heat, reason)
  }

  /** In the log of the run, after its own steps. */
  async #note (heat: OpenHeat, problem: Why | undefined): Promise<void> {
    const at = this.#deps.now()
    const reason = problem === undefined ? why('cooled') : why('cooled_not', { reason: problem })
    const index = [...this.#open.values()].filter(({ run }) => run === heat.run).indexOf(heat)
    await this.#tried(() => this.#deps.store.note({
      run: heat.run,
      step: MOST.steps + Math.max(0, index),
      state: problem === undefined ? 'done' : 'failed',
      at,
      endedAt: at,
      what: `${heat.operation} on ${heat.printer}`,
      reason
    }))
  }

  async #forget (heat: OpenHeat): Promise<void> {
    await this.#tried(() => this.#deps.store.settle(heat.id))
    this.#open.delete(heat.id)
  }

  async #tried<T> (work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'what rules have heated cannot be stored or read')
      return undefined
    }
  }
}
