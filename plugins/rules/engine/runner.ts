import type { FastifyBaseLogger } from 'fastify'
import type { Rights } from '../../../core/index.js'
import { whyOfError } from '../author.js'
import type { Advance, RunStore } from '../run-store.js'
import { isWhy, why, type Why } from '../words/why.js'
import { firstUnmet, type Facts } from './compare.js'
import type { HeatKeeper } from './heat-keeper.js'
import { begunHeat, type Acted, type Ready } from './steps.js'
import type { Act, Rule, Run, RunState, Step, StepRecord, StepState } from '../types.js'

/** A run belongs to a service for this long, unless it renews that. */
export const LEASE_MS = 30_000
/** What could not be done for so long is given up: acting on it late would surprise, since another print may run. */
export const LATE_MS = 600_000
const RENEW_MS = 10_000
const LONGEST_WHAT = 300
/** So long another service may take over what this one cannot do. */
const HAND_BACK_MS = 60_000
/** A run that waits is left so long to a service that reaches its printer. */
const LEFT_MS = 3_600_000

export interface RunnerDeps {
  readonly store: Pick<RunStore, 'advance' | 'renew' | 'expired' | 'takeOver' | 'stop'>
  readonly owner: string
  readonly now: () => number
  /** The rule as it is now; undefined if it does not exist, is off, or paused. */
  readonly ruleOf: (id: string) => Rule | undefined
  /** With which rights it acts now, or why it may not; undefined: that is not known yet. */
  readonly callerOf: (rule: Rule) => Rights | Why | undefined
  /** @throws Problem with the reason if the step cannot begin */
  readonly ready: (step: Extract<Step, { kind: 'call' | 'message' }>, rule: Rule, run: Run, caller: Rights) => Ready
  readonly factsOf: (run: Run) => Facts
  readonly acted: (rule: Rule, run: Run, ready: Ready) => void
  /** A run of a rule ended by itself. */
  readonly ended: (rule: string, version: number, state: RunState, reason: Why | undefined) => Promise<void>
  /** Whether this service can act for a run: it reaches the printers. */
  readonly canRun: (rule: Rule, run: Run) => boolean
  /** Another service may continue a run. */
  readonly isShared: () => boolean
  readonly heat: Pick<HeatKeeper, 'heated' | 'ended' | 'hurry'>
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>
}

interface Active { run: Run, readonly controller: AbortController, isBusy: boolean }

interface Where { readonly step: number, readonly stepState: Run['stepState'], readonly waitUntil?: number | undefined }
/** Heat that a step begins, or the id of what it ends. */
type Warmth = Pick<Advance, 'heats' | 'cools'>

/** Whether its next step should have been taken so long ago that no service can have cared for it. */
const isMissed = ({ leaseUntil, waitUntil = 0 }: Run, now: number): boolean =>
  now - Math.max(leaseUntil, waitUntil) > LATE_MS

/**
 * Carries out the steps of runs, each at most once: that a step begins is stored before it acts, by the service that
 * owns the run. A step that was begun and whose end was not stored is never begun again.
 */
export class Runner {
  readonly #deps: RunnerDeps
  readonly #active = new Map<string, Active>()
  /** Runs that were left to another service, and when. */
  readonly #left = new Map<string, number>()
  #renewedAt = 0

  constructor (deps: RunnerDeps) { this.#deps = deps }

  get size (): number { return this.#active.size }

  /** Begins or continues a run of this service. Resolves when it waits or has ended. */
  async take (run: Run): Promise<void> {
    if (this.#active.has(run.id)) return
    const active: Active = { run, controller: new AbortController(), isBusy: false }
    this.#active.set(run.id, active)
    await this.#continue(active)
  }

  /** Continues what has waited long enough, renews what runs, and takes over what another service left. */
  async tick (): Promise<void> {
    const now = this.#deps.now()
    const due = [...this.#active.values()].filter(active => !active.isBusy && active.run.stepState !== 'acting')
    for (const active of due) void this.#continue(active)
    if (now - this.#renewedAt < RENEW_MS) return
    this.#renewedAt = now
    await this.#renew(now)
    await this.#takeOver(now)
  }

  /** The run ended elsewhere: an act in progress is aborted. */
  drop (id: string): void {
    this.#active.get(id)?.controller.abort()
    this.#active.delete(id)
  }

  /** Ends runs of rules that have changed, or that no longer exist. */
  async review (): Promise<void> {
    for (const active of [...this.#active.values()]) {
      if (this.#problemOf(active.run) !== undefined && !active.isBusy) await this.#continue(active)
    }
  }

  /** Runs stay as they are: another service, or the next start, continues them. */
  close (): void {
    for (const { controller } of this.#active.values()) controller.abort()
    this.#active.clear()
  }

  async #renew (now: number): Promise<void> {
    const ids = [...this.#active.keys()]
    const ours = new Set(await this.#deps.store.renew(this.#deps.owner, ids, now + LEASE_MS))
    for (const id of ids) {
      const active = this.#active.get(id)
      if (!ours.has(id)) this.drop(id)
      else if (active) active.run = { ...active.run, leaseUntil: now + LEASE_MS }
    }
  }

  async #takeOver (now: number): Promise<void> {
    const { store, owner, ruleOf, canRun, log } = this.#deps
    for (const run of await store.expired(now)) {
      if (this.#active.has(run.id)) continue
      const rule = ruleOf(run.rule)
      const isOld = isMissed(run, now) || now - run.leaseUntil > this.#leftMs(run)
      if (rule !== undefined && !isOld && run.stepState !== 'acting' && !canRun(rule, run)) continue
      if (!await store.takeOver(run, owner, now + LEASE_MS)) continue
      log.info({ rule: run.ruleName, run: run.id }, 'a run of a rule is continued')
      // With the lease that ended, which tells how long nobody cared for it.
      void this.take({ ...run, owner })
    }
  }

  /** How long a run is left to a service that reaches its printer. */
  #leftMs ({ id, stepState }: Run): number {
    if (this.#left.has(id)) return HAND_BACK_MS
    return stepState === 'waiting' ? LEFT_MS : 10 * LEASE_MS
  }

  /** Why a run must end. */
  #problemOf (run: Run): Why | undefined {
    const rule = this.#deps.ruleOf(run.rule)
    if (rule === undefined) return why('switched_off')
    return rule.changedAt === run.version ? undefined : why('changed')
  }

  /** Errors of the database leave the run as it is stored: it is continued when its lease has ended. */
  async #continue (active: Active): Promise<void> {
    if (active.isBusy) return
    active.isBusy = true
    try {
      while (await this.#next(active));
    } catch (error) {
      this.#deps.log.warn({ err: error, run: active.run.id }, 'a run of a rule cannot be stored')
      this.#active.delete(active.run.id)
    } finally {
      active.isBusy = false
    }
  }

  /** @returns whether it goes on at once */
  async #next (active: Active): Promise<boolean> {
    const { run } = active
    if (this.#active.get(run.id) !== active || active.controller.signal.aborted) return false
    if (run.stepState === 'acting') return await this.#unclear(active, why('after_end'))
    const rule = this.#deps.ruleOf(run.rule)
    const problem = this.#problemOf(run)
    if (rule === undefined || problem !== undefined) return await this.#end(active, 'stopped', problem)
    if (isMissed(run, this.#deps.now())) {
      const record = run.stepState === 'waiting' ? this.#record(active, 'stopped', '', why('missed')) : undefined
      return await this.#end(active, 'stopped', why('missed'), record)
    }
    const step = rule.then[run.step]
    if (step === undefined) return await this.#end(active, 'done', run.reason)
    switch (step.kind) {
      case 'wait': return await this.#wait(active, step.seconds, `wait ${step.seconds} s`)
      case 'wait_until': return await this.#waitUntil(active, step)
      case 'stop_if': return await this.#stopIf(active, step.if)
      default: return await this.#act(active, step, rule)
    }
  }

  async #wait (active: Active, seconds: number, what: string): Promise<boolean> {
    const { run } = active
    const now = this.#deps.now()
    if (run.stepState === 'next') return !await this.#startWait(active, seconds, what)
    if (now < (run.waitUntil ?? 0)) return false
    return await this.#pass(active, 'done', what, why('time_over'), (run.waitUntil ?? now) - seconds * 1000)
  }

  /** @returns whether it waits now */
  async #startWait (active: Active, seconds: number, what: string): Promise<boolean> {
    const waitUntil = this.#deps.now() + seconds * 1000
    const record = this.#record(active, 'waiting', what, undefined)
    await this.#advance(active, { step: active.run.step, stepState: 'waiting', waitUntil }, record)
    return true
  }

  async #waitUntil (active: Active, step: Extract<Step, { kind: 'wait_until' }>): Promise<boolean> {
    const { run } = active
    const what = 'wait until it holds'
    if (firstUnmet(step.if, this.#deps.factsOf(run)) === undefined) return await this.#pass(active, 'done', what, why('holds'))
    if (run.stepState === 'next') return !await this.#startWait(active, step.most_s, what)
    if (this.#deps.now() < (run.waitUntil ?? 0)) return false
    if (step.otherwise === 'go_on') return await this.#pass(active, 'done', what, why('time_first'))
    return await this.#end(active, 'stopped', why('not_in_time'), this.#record(active, 'stopped', what, why('time_first')))
  }

  async #stopIf (active: Active, conditions: Extract<Step, { kind: 'stop_if' }>['if']): Promise<boolean> {
    const unmet = firstUnmet(conditions, this.#deps.factsOf(active.run))
    // Acting on when it is not known whether to stop would be the wrong way round.
    if (unmet === undefined || unmet.isUnknown) {
      const reason = why(unmet === undefined ? 'stop_holds' : 'stop_unknown')
      return await this.#end(active, 'stopped', reason, this.#record(active, 'stopped', 'stop if', reason))
    }
    return await this.#pass(active, 'done', 'stop if', why('stop_unmet'))
  }

  async #act (active: Active, step: Extract<Step, { kind: 'call' | 'message' }>, rule: Rule): Promise<boolean> {
    const { callerOf, ready, acted, heat: keeper } = this.#deps
    const caller = callerOf(rule)
    const what = step.kind === 'call' ? step.operation : 'message'
    if (caller === undefined || await this.#handBack(active, rule)) return false
    if (isWhy(caller)) return await this.#end(active, 'failed', caller, this.#record(active, 'failed', what, caller))
    let act: Ready
    try {
      act = ready(step, rule, active.run, caller)
    } catch (error) {
      const reason = whyOfError(error)
      return await this.#end(active, 'failed', reason, this.#record(active, 'failed', what, reason))
    }
    const began = this.#record(active, 'acting', act.what, undefined, undefined, act.called)
    const heats = begunHeat(act, began.at)
    if (!await this.#advance(active, { step: active.run.step, stepState: 'acting' }, began, { heats })) return false
    if (heats) keeper.heated(heats)
    acted(rule, active.run, act)
    const { state, reason, isSure }: Acted = await act.act(active.controller.signal)
    if (state === 'unclear') return await this.#unclear(active, reason, act.what, began.at)
    if (state === 'failed') {
      return await this.#end(active, 'failed', reason, this.#record(active, 'failed', act.what, reason, began.at))
    }
    const cools = isSure && heats === undefined ? act.heat?.id : undefined
    const isOurs = await this.#pass(active, 'done', act.what, reason, began.at, { cools })
    if (isOurs && cools !== undefined) keeper.ended(cools)
    return isOurs
  }

  /** What this service cannot reach is left to another one, once. @returns whether it was */
  async #handBack (active: Active, rule: Rule): Promise<boolean> {
    const { canRun, isShared, store, now } = this.#deps
    const { run } = active
    if (canRun(rule, run) || !isShared() || this.#left.has(run.id) || run.stepState !== 'next') return false
    this.#left.set(run.id, now())
    for (const [id, at] of this.#left) if (now() - at > LEFT_MS) this.#left.delete(id)
    await store.advance(run, { step: run.step, stepState: 'next', leaseUntil: now() - 1 })
    this.#active.delete(run.id)
    return true
  }

  /** @param what empty: as it was recorded when it began */
  async #unclear (active: Active, reason: Why | undefined, what = '', at?: number): Promise<boolean> {
    return await this.#end(active, 'unclear', reason, this.#record(active, 'unclear', what, reason, at))
  }

  async #pass (active: Active, state: StepState, what: string, reason: Why | undefined, at?: number,
    warmth?: Warmth): Promise<boolean> {
    const { step } = active.run
    const record = this.#record(active, state, what, reason, at)
    return await this.#advance(active, { step: step + 1, stepState: 'next' }, record, warmth)
  }

  async #end (active: Active, state: RunState, reason: Why | undefined, record?: StepRecord): Promise<boolean> {
    const { run } = active
    const now = this.#deps.now()
    const { step, stepState, leaseUntil } = run
    const to: Advance = { step, stepState, leaseUntil, end: { state, reason, at: now } }
    const isOurs = await this.#deps.store.advance(run, to, record)
    this.#active.delete(run.id)
    this.#deps.heat.hurry()
    if (isOurs) await this.#deps.ended(run.rule, run.version, state, reason)
    return false
  }

  /** @returns false if the run is no longer ours */
  async #advance (active: Active, where: Where, record: StepRecord, warmth: Warmth = {}): Promise<boolean> {
    const leaseUntil = this.#deps.now() + LEASE_MS
    const to = { ...where, ...warmth, leaseUntil }
    if (!await this.#deps.store.advance(active.run, to, record)) {
      this.#active.delete(active.run.id)
      return false
    }
    active.run = { ...active.run, ...where, waitUntil: where.waitUntil, leaseUntil }
    return true
  }

  #record ({ run }: Active, state: StepState, what: string, reason: Why | undefined, at = this.#deps.now(),
    act?: Act): StepRecord {
    const isOpen = state === 'acting' || state === 'waiting'
    const endedAt = isOpen ? undefined : this.#deps.now()
    const named = { run: run.id, step: run.step, what: what.slice(0, LONGEST_WHAT), ...act && { act } }
    return { ...named, state, at, endedAt, reason }
  }
}
