import type { FastifyBaseLogger } from 'fastify'
import { ShuttingDown, type Dispose, type Kernel } from '../../core/index.js'
import { connectEngine, type Engine } from './engine/engine.js'
import { predicateId } from './engine/rule-index.js'
import { LATE_MS } from './engine/schedules.js'
import type { RuleStore, Shared } from './rule-store.js'
import type { RunStore } from './run-store.js'
import type { Rule } from './types.js'
import type { Words } from './vocabulary/index.js'

/** Changes of another service are noticed within this time. */
const LOOK_MS = 5_000
const SEEN_MS = 60_000
const RETRY_MS = 15_000
const PRUNE_MS = 6 * 3_600_000
const MOST_RUNS = 100_000
const DAY_MS = 86_400_000

export interface RuleBookDeps {
  readonly kernel: Kernel
  readonly engine: Engine
  readonly words: Words
  readonly rules: RuleStore
  readonly runs: RunStore
  readonly keepDays: number
  /** Another service may change rules. */
  readonly isShared: () => boolean
  /** Called after each change of the rules. */
  readonly changed: () => void
  readonly log: FastifyBaseLogger
}

/** The rules in memory: read when the first printer, or the first caller, needs them. */
export class RuleBook {
  readonly #deps: RuleBookDeps
  #all: readonly Rule[] = []
  #shared: Shared = { isOn: true, switchedAt: undefined, switchedBy: '', version: '', seenAt: undefined }
  #opening: Promise<void> | undefined
  #off: Dispose[] = []
  #timer: NodeJS.Timeout | undefined
  #ticking = false
  #reloading: Promise<void> = Promise.resolve()
  #at = { look: 0, seen: 0, prune: 0, tried: 0 }

  constructor (deps: RuleBookDeps) { this.#deps = deps }

  get all (): readonly Rule[] { return this.#all }
  get shared (): Shared { return this.#shared }
  find (id: string): Rule | undefined { return this.#all.find(rule => rule.id === id) }

  /** @throws PRN_ERR_DATABASE_UNAVAILABLE; the next call tries again */
  open (): Promise<void> {
    this.#opening ??= this.#open().catch(error => {
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }

  /** Reads everything again after a change, one after the other: an older list must not replace a newer one. */
  reload (): Promise<void> {
    const next = this.#reloading.catch(() => {}).then(() => this.#reload())
    this.#reloading = next
    return next
  }

  async #reload (): Promise<void> {
    const { rules, engine, changed } = this.#deps
    this.#shared = await rules.shared()
    this.#all = await rules.rules()
    await engine.use(this.#all, this.#shared.isOn)
    changed()
  }

  /** Moves everything that waits for time. Tests call it with a clock of their own. */
  async tick (): Promise<void> {
    if (this.#ticking) return
    this.#ticking = true
    try {
      if (this.#opening === undefined) await this.#tryAgain()
      await this.#deps.engine.tick()
      await this.#look()
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'rules wait for the database')
    } finally {
      this.#ticking = false
    }
  }

  /** @param everyMs interval of looks at the clock */
  start (everyMs: number): void {
    if (this.#timer !== undefined) return
    this.#timer = setInterval(() => { void this.tick() }, everyMs)
    this.#timer.unref()
  }

  close (): void {
    clearInterval(this.#timer)
    for (const off of this.#off) off()
    this.#off = []
    this.#deps.engine.close()
  }

  /** Without a database at the start. */
  async #tryAgain (): Promise<void> {
    const now = this.#deps.kernel.now()
    if (now - this.#at.tried < RETRY_MS) return
    this.#at.tried = now
    await this.open()
  }

  async #open (): Promise<void> {
    const { rules, engine, kernel, words } = this.#deps
    if (kernel.signal.aborted) throw new ShuttingDown()
    engine.remember(await rules.edges())
    await this.reload()
    const now = kernel.now()
    const { seenAt } = this.#shared
    if (seenAt !== undefined && now - seenAt > LATE_MS) engine.missed(seenAt)
    if (kernel.signal.aborted) return
    this.#off = connectEngine(engine, kernel, words, this.#deps.log)
  }

  async #look (): Promise<void> {
    const { kernel, rules, runs, isShared, keepDays } = this.#deps
    const now = kernel.now()
    if (isShared() && now - this.#at.look >= LOOK_MS) {
      this.#at.look = now
      const { version, isOn } = await rules.shared()
      if (version !== this.#shared.version || isOn !== this.#shared.isOn) await this.reload()
    }
    if (now - this.#at.seen >= SEEN_MS && this.#all.length > 0) {
      this.#at.seen = now
      await rules.see(now)
    }
    if (now - this.#at.prune >= PRUNE_MS) {
      this.#at.prune = now
      if (this.#all.length > 0) await runs.prune(now - keepDays * DAY_MS, MOST_RUNS)
      await this.#pruneEdges(now)
    }
  }

  /** Also of rules that are off, which go on from what was seen. Another service may have added one a moment ago. */
  async #pruneEdges (now: number): Promise<void> {
    const used = new Set(this.#all.flatMap(({ when }) => when.flatMap(trigger => trigger.kind === 'state' ? [predicateId(trigger)] : [])))
    await this.#deps.rules.pruneEdges(id => used.has(id.slice(0, id.indexOf(':'))), now - DAY_MS)
  }
}
