import type { FastifyBaseLogger } from 'fastify'
import type { Rights } from '../../../core/index.js'
import type { RunStore } from '../run-store.js'
import { firstUnmet, type Facts } from './compare.js'
import { isWhy, why, type Why } from '../words/why.js'
import { MOST_DEPTH, MOST_RETURNS, type Chains } from './chains.js'
import { concerns, runId } from './rule-index.js'
import { LATE_MS, LEASE_MS } from './runner.js'
import { MOST, type Cause, type Rule, type Run, type RunState } from '../types.js'

const RETRY_MS = 15_000
/** A service that cannot reach the printer waits so long for one that can. */
const ELSEWHERE_MS = 20_000
const MOST_WAITING = 5_000
const AT_ONCE = 8
/** Recorded refusals of a rule in an hour. */
const MOST_SKIPS = 60
const HOUR_MS = 3_600_000

export interface ConsideringDeps {
  readonly store: Pick<RunStore, 'claim' | 'skip' | 'find'>
  readonly owner: string
  readonly now: () => number
  readonly isOn: () => boolean
  readonly ruleOf: (id: string) => Rule | undefined
  /** Undefined: that is not known yet. */
  readonly callerOf: (rule: Rule) => Rights | Why | undefined
  readonly canRun: (rule: Rule, run: Pick<Run, 'printer'>) => boolean
  /** Whether the reports of its printer are current here. */
  readonly isCurrent: (run: Pick<Run, 'printer'>) => boolean
  readonly chains: Chains
  /** Rules whose acts led to what happened, however slowly. */
  readonly trailOf: (rule: Rule, cause: Cause) => Promise<readonly string[]>
  readonly factsOf: (run: Pick<Run, 'printer' | 'fields'>) => Facts
  readonly mostOfAll: number
  /** The rule led to itself, or its author has left: it must not go on. */
  readonly pause: (rule: Rule, reason: Why) => Promise<void>
  readonly begin: (run: Run) => void
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'debug'>
}

interface Waiting { readonly rule: string, readonly cause: Cause, readonly chain: readonly string[], from: number }

const WHY = {
  busy: why('busy'), full: why('full', { most: MOST.running }), rate: why('rate'), all: why('all')
} as const

/** Decides for each occurrence whether a rule runs, and records why not. */
export class Considering {
  readonly #deps: ConsideringDeps
  #waiting: Waiting[] = []
  readonly #skips = new Map<string, { since: number, count: number }>()
  #working = 0
  dropped = 0

  constructor (deps: ConsideringDeps) { this.#deps = deps }

  get waiting (): number { return this.#waiting.length + this.#working }

  /** Costs nothing that waits: it is considered afterwards. */
  add (rule: Rule, cause: Cause): void {
    if (!this.#deps.isOn() || cause.at < rule.armedAt || !concerns(rule, cause.printer)) return
    if (this.#waiting.length >= MOST_WAITING) {
      if (this.dropped++ % MOST_WAITING === 0) this.#deps.log.warn({ dropped: this.dropped }, 'rules do not run: too much happens at once')
      return
    }
    const now = this.#deps.now()
    const chain = this.#deps.chains.leadingTo(cause.source, cause.printer, now)
    const isHere = this.#deps.canRun(rule, { printer: cause.printer })
    this.#waiting.push({ rule: rule.id, cause, chain, from: isHere ? now : now + ELSEWHERE_MS })
    if (isHere) this.wake()
  }

  /** Considers what is due. */
  wake (): void {
    const now = this.#deps.now()
    while (this.#working < AT_ONCE) {
      const at = this.#waiting.findIndex(({ from }) => from <= now)
      if (at < 0) return
      const [next] = this.#waiting.splice(at, 1) as [Waiting]
      this.#working++
      void this.#consider(next).catch((error: Error) => this.#retry(next, error)).finally(() => {
        this.#working--
        this.wake()
      })
    }
  }

  #retry (one: Waiting, error: Error): void {
    const now = this.#deps.now()
    if (now - one.cause.at > LATE_MS) {
      this.dropped++
      this.#deps.log.warn({ err: error, rule: one.rule }, 'a rule did not run: the database, or its author, was unknown for too long')
      return
    }
    one.from = now + RETRY_MS
    this.#waiting.push(one)
  }

  async #consider ({ rule: id, cause, chain }: Waiting): Promise<void> {
    const { now, ruleOf, callerOf, isOn, canRun, isCurrent, store, mostOfAll, factsOf, begin, trailOf } = this.#deps
    const rule = ruleOf(id)
    if (rule === undefined || !isOn() || cause.at < rule.armedAt) return
    const run = this.#runOf(rule, cause, chain)
    if (cause.missed !== undefined) return await this.#skip(rule, run, cause.missed)
    if (now() - cause.at > LATE_MS) return await this.#skip(rule, run, why('late'))
    const caller = callerOf(rule)
    if (caller === undefined) throw new Error(`who '${rule.author.name}' is, is not known yet`)
    if (isWhy(caller)) return await this.#refuse(rule, run, caller)
    if (cause.printer !== undefined && caller.printers !== undefined && !caller.printers.has(cause.printer)) return
    if (chain.includes(rule.id)) {
      return await this.#refuse(rule, run, why('itself', { rules: this.#named([...chain, rule.id]) }))
    }
    if (chain.length >= MOST_DEPTH) return await this.#skip(rule, run, why('each_other', { rules: this.#named([...chain, rule.id]) }))
    if (!canRun(rule, run)) return await this.#skipHere(rule, run, why('no_reports'))
    const unmet = firstUnmet(rule.if, factsOf(run))
    if (unmet?.isUnknown === true && !isCurrent(run)) {
      return await this.#skipHere(rule, run, why('condition_unknown_here', { number: unmet.index + 1 }))
    }
    if (unmet !== undefined) {
      return await this.#skip(rule, run, why(unmet.isUnknown ? 'condition_unknown' : 'condition_unmet', { number: unmet.index + 1 }))
    }
    const trail = await trailOf(rule, cause)
    const count = trail.filter(id => id === rule.id).length
    if (count >= MOST_RETURNS) {
      const rules = this.#named([...trail.slice(trail.lastIndexOf(rule.id)), rule.id])
      return await this.#refuse(rule, run, why('loop', { count, rules }))
    }
    const aliases = (cause.aliases ?? []).map(key => runId(rule.id, key))
    const begun = { ...run, trail }
    const claim = await store.claim(begun, { aliases, mostPerHour: rule.most_per_hour, mostOfAll })
    if (claim === 'claimed') begin(begun)
    else if (claim !== 'taken' && claim !== 'changed') await this.#skip(rule, run, WHY[claim])
  }

  /** It must not go on. */
  async #refuse (rule: Rule, run: Run, reason: Why): Promise<void> {
    await this.#skip(rule, run, reason)
    await this.#deps.pause(rule, reason)
  }

  #named (chain: readonly string[]): string {
    return chain.map(id => this.#deps.ruleOf(id)?.name ?? id).join(' → ')
  }

  #runOf (rule: Rule, { key, at, printer, fields }: Cause, chain: readonly string[]): Run {
    const now = this.#deps.now()
    return {
      id: runId(rule.id, key),
      rule: rule.id,
      ruleName: rule.name,
      version: rule.changedAt,
      printer,
      key,
      at,
      beganAt: now,
      endedAt: undefined,
      state: 'running',
      reason: undefined,
      fields,
      chain,
      trail: [],
      owner: this.#deps.owner,
      leaseUntil: now + LEASE_MS,
      step: 0,
      stepState: 'next',
      waitUntil: undefined
    }
  }

  /** Another service may know more, so the occurrence stays open to it: only this service's own row is written. */
  async #skipHere (rule: Rule, run: Run, reason: Why): Promise<void> {
    if (await this.#deps.store.find(run.id) !== undefined) return
    await this.#skip(rule, { ...run, id: runId(rule.id, `${run.key}\n${this.#deps.owner}`) }, reason)
  }

  /** A flood is recorded only in part. */
  async #skip (rule: Rule, run: Run, reason: Why): Promise<void> {
    const now = this.#deps.now()
    const known = this.#skips.get(rule.id)
    const count = known !== undefined && now - known.since < HOUR_MS ? known : { since: now, count: 0 }
    this.#skips.set(rule.id, count)
    if (this.#skips.size > MOST.rules) this.#forgetSkips(now)
    if (count.count++ >= MOST_SKIPS) return
    const state: RunState = 'skipped'
    await this.#deps.store.skip({ ...run, state, reason, endedAt: now })
  }

  /** Of rules that are gone, or that were quiet for an hour. */
  #forgetSkips (now: number): void {
    for (const [id, { since }] of this.#skips) if (now - since >= HOUR_MS) this.#skips.delete(id)
  }

  close (): void { this.#waiting = [] }
}
