import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Dispose, Kernel, Rights } from '../../../core/index.js'
import type { Edge, RuleStore } from '../rule-store.js'
import type { HeatStore } from '../heat-store.js'
import type { RunStore } from '../run-store.js'
import type { Words } from '../vocabulary/index.js'
import { why, type Why } from '../words/why.js'
import { Chains } from './chains.js'
import type { Clock, Facts } from './compare.js'
import { Considering } from './considering.js'
import { Edges } from './edges.js'
import { HeatKeeper, type HeatKeeperDeps } from './heat-keeper.js'
import { createIndex, fits, type RuleIndex } from './rule-index.js'
import { Runner } from './runner.js'
import { Schedules, timeKey, type Due, type ScheduleOptions } from './schedules.js'
import { readyStep, type StepDeps } from './steps.js'
import { Trails } from './trails.js'
import { ValueWatch } from './value-watch.js'
import type { Cause, Condition, Plain, Rule, Run, RunState, Step } from '../types.js'

const MOST_FAILURES = 3

export interface EngineDeps {
  readonly rules: Pick<RuleStore, 'tally' | 'turn'>
  readonly runs: RunStore
  readonly words: Words
  readonly now: () => number
  readonly clock: Clock
  readonly schedule: ScheduleOptions
  readonly mostOfAll: number
  /** Printers that this service has a session of its own with. */
  readonly printers: () => readonly string[]
  /** Whether a printer reports its state to this service now. */
  readonly reaches: (printer: string) => boolean
  readonly kernel: StepDeps['kernel']
  readonly read: (name: string, printer: string) => Plain | undefined
  readonly callerOf: (rule: Rule) => Rights | Why | undefined
  readonly heat: Pick<HeatKeeperDeps, 'look' | 'cool' | 'tell'> & { readonly store: HeatStore }
  /** Another service may use the database. */
  readonly isShared: () => boolean
  readonly message: StepDeps['message']
  /** Called when a rule was paused, so that it is read again. */
  readonly paused: (rule: Rule, reason: Why) => Promise<void>
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'debug'>
}

const isOfEvent = ({ printer }: { readonly printer?: string }): boolean => (printer ?? 'event') === 'event'

/** Whether a condition, or one inside it, compares something of the printer of the event. */
const needsPrinter = (condition: Condition, words: Words): boolean =>
  (condition.value !== undefined && isOfEvent(condition) && words.values.get(condition.value)?.perPrinter !== false) ||
  (condition.any ?? []).some(inner => needsPrinter(inner, words)) ||
  (condition.not !== undefined && needsPrinter(condition.not, words))

const stepNeedsPrinter = (step: Step, words: Words): boolean => {
  if (step.kind === 'call') return isOfEvent(step) && words.operations.get(step.operation)?.scope !== 'daemon'
  if (step.kind === 'wait_until' || step.kind === 'stop_if') return step.if.some(inner => needsPrinter(inner, words))
  return false
}

/** Whether a rule whose trigger concerns no printer runs once for each of its printers. */
export const isForEach = (rule: Pick<Rule, 'if' | 'then'>, words: Words): boolean =>
  rule.if.some(condition => needsPrinter(condition, words)) || rule.then.some(step => stepNeedsPrinter(step, words))

/** Brings together what happens, the rules that it concerns, and their runs. Time comes by `tick`. */
export class Engine {
  readonly #deps: EngineDeps
  readonly owner = randomUUID()
  readonly chains = new Chains()
  readonly runner: Runner
  readonly considering: Considering
  readonly schedules: Schedules
  readonly values: ValueWatch
  /** What runs have heated and not ended. */
  readonly heat: HeatKeeper
  readonly #trails: Trails
  readonly #edges: Edges
  #index: RuleIndex = createIndex([])
  #isOn = false

  constructor (deps: EngineDeps) {
    this.#deps = deps
    const { now, runs, words, callerOf, mostOfAll, log } = deps
    const ruleOf = (id: string) => this.ruleOf(id)
    const canRun = (rule: Rule, run: Pick<Run, 'printer'>) => this.#reachesAll(rule, run.printer)
    this.schedules = new Schedules(deps.schedule)
    this.heat = new HeatKeeper({ ...deps.heat, now, log })
    this.#trails = new Trails(runs)
    this.runner = new Runner({
      store: runs,
      owner: this.owner,
      now,
      ruleOf,
      callerOf,
      ready: (step, rule, run, caller) =>
        readyStep(step, rule, run, caller, { kernel: deps.kernel, words, message: deps.message }),
      factsOf: run => this.factsOf(run),
      acted: (rule, run, { operation, printer }) =>
        this.chains.acted([...run.chain, rule.id], operation, printer, now()),
      ended: (rule, version, state, reason) => this.#ended(rule, version, state, reason),
      canRun,
      isShared: deps.isShared,
      heat: this.heat,
      log
    })
    this.considering = new Considering({
      store: runs,
      owner: this.owner,
      now,
      isOn: () => this.#isOn,
      ruleOf,
      callerOf,
      canRun,
      isCurrent: ({ printer }) => printer === undefined || deps.reaches(printer),
      chains: this.chains,
      trailOf: (rule, cause) => this.#trails.of(rule, cause),
      factsOf: run => this.factsOf(run),
      mostOfAll,
      pause: (rule, reason) => this.#pause(rule, reason),
      begin: run => { void this.runner.take(run) },
      log
    })
    this.#edges = new Edges({
      turn: deps.rules.turn,
      now,
      isTrue: (predicate, printer) => this.values.isTrue(predicate, printer),
      happened: (rule, cause) => this.considering.add(rule, cause),
      log
    })
    this.values = new ValueWatch({
      read: deps.read,
      isShared: name => this.#isShared(name),
      turned: (...turned) => this.#edges.turned(...turned),
      unknown: (...given) => this.#edges.unknown(...given),
      again: (...given) => this.#edges.again(...given)
    })
  }

  get isOn (): boolean { return this.#isOn }
  get index (): RuleIndex { return this.#index }
  get clock (): Clock { return this.#deps.clock }

  /** A rule that may run now. */
  ruleOf (id: string): Rule | undefined {
    const rule = this.#isOn ? this.#index.rules.get(id) : undefined
    return rule?.enabled === true && rule.pausedReason === null ? rule : undefined
  }

  /** What was seen of values before the start. */
  remember (edges: ReadonlyMap<string, Edge>): void { this.#edges.remember(edges) }

  /** New rules, or the switch. Runs of rules that changed are ended. */
  async use (rules: readonly Rule[], isOn: boolean): Promise<void> {
    if (isOn && !this.#isOn) this.#edges.restart()
    this.#isOn = isOn
    this.#index = createIndex(rules)
    this.values.use(this.#index, name => this.#deps.words.values.get(name)?.watch !== undefined)
    this.#edges.use(this.#index)
    this.#trails.use(this.#index)
    this.schedules.use(this.#index, this.#deps.now())
    // The first look at a value is no change, so it is taken as soon as there is a rule for it.
    for (const printer of ['', ...this.#deps.printers()]) {
      for (const name of this.#index.byValue.keys()) if ((printer === '') === this.#isShared(name)) this.values.changed(name, printer)
    }
    await this.runner.review()
  }

  /** Something happened. */
  occurred (event: string, printer: string | undefined, occurrence: Pick<Cause, 'key' | 'at' | 'fields' | 'aliases'>): void {
    const aliases = occurrence.aliases?.map(key => `${event}:${key}`)
    for (const { rule, wanted } of this.#index.events.get(event) ?? []) {
      if (fits(wanted, occurrence.fields)) {
        this.happened(rule, { ...occurrence, key: `${event}:${occurrence.key}`, ...aliases && { aliases }, printer, source: event })
      }
    }
  }

  /** A cause without a printer counts for each printer of the rule, if the rule is about printers. */
  happened (rule: Rule, cause: Cause): void {
    if (cause.printer !== undefined || !isForEach(rule, this.#deps.words)) return this.considering.add(rule, cause)
    for (const printer of this.#deps.printers()) {
      const aliases = cause.aliases?.map(key => `${key}@${printer}`)
      this.considering.add(rule, { ...cause, printer, key: `${cause.key}@${printer}`, ...aliases && { aliases } })
    }
  }

  /** Every second. */
  async tick (): Promise<void> {
    const now = this.#deps.now()
    for (const due of this.schedules.due(now)) this.#due(due)
    this.#edges.tick()
    this.considering.wake()
    // Before runs, which need the database.
    await this.heat.tick()
    await this.runner.tick()
  }

  /** Times that passed while no service was running: they are said, and not made up for. */
  missed (since: number): void {
    for (const due of this.schedules.missed(since, this.#deps.now())) this.#due(due)
  }

  factsOf ({ printer }: Pick<Run, 'printer'>): Facts {
    const { now, clock, read, words } = this.#deps
    return {
      at: now(),
      clock,
      value: (name, named) => {
        const value = words.values.get(name)
        const of = value?.perPrinter === false ? '' : named ?? printer
        return value === undefined || of === undefined ? undefined : read(name, of)
      }
    }
  }

  /** A printer is no longer one of this service. */
  forget (printer: string): void {
    this.values.forget(printer)
    this.#edges.forget(printer)
  }

  close (): void {
    this.considering.close()
    this.runner.close()
  }

  #isShared (value: string): boolean { return this.#deps.words.values.get(value)?.perPrinter === false }

  #due ({ rule, at, isLate }: Due): void {
    this.happened(rule, {
      key: timeKey(at), at, printer: undefined, fields: {}, source: 'time', ...isLate && { missed: why('missed') }
    })
  }

  #reachesAll (rule: Rule, printer: string | undefined): boolean {
    const named = rule.then.flatMap(step => step.kind === 'call' && !isOfEvent(step) ? step.printer ?? [] : [])
    // One that only tells of a printer needs no session with it: that it is lost may be what it tells.
    const own = printer !== undefined && rule.then.some(step => step.kind === 'call' && stepNeedsPrinter(step, this.#deps.words)) ? [printer] : []
    return [...named, ...own].every(name => this.#deps.reaches(name))
  }

  async #ended (id: string, version: number, state: RunState, reason: Why | undefined): Promise<void> {
    const rule = this.#index.rules.get(id)
    if (rule === undefined) return
    const isBad = state === 'failed' || state === 'unclear'
    if (!isBad && rule.failures === 0) return
    const tally = await this.#deps.rules.tally(id, version, ({ failures, pausedReason }) => {
      const count = isBad ? failures + 1 : 0
      return { failures: count, pausedReason: count >= MOST_FAILURES ? why('failures', { count, reason: reason ?? '' }) : pausedReason }
    }, this.#deps.now())
    if (tally === undefined) return
    this.#replace({ ...rule, ...tally })
    if (isBad && tally.pausedReason !== null) await this.#deps.paused(rule, tally.pausedReason)
  }

  async #pause (rule: Rule, reason: Why): Promise<void> {
    const { rules, now } = this.#deps
    await rules.tally(rule.id, rule.changedAt, ({ failures }) => ({ failures, pausedReason: reason }), now())
    this.#replace({ ...rule, pausedReason: reason })
    await this.#deps.paused(rule, reason)
  }

  /** At once, not only when the rules are read again. */
  #replace (rule: Rule): void {
    (this.#index.rules as Map<string, Rule>).set(rule.id, rule)
  }
}

/** Subscribes an engine to the events and values of the service. */
export function connectEngine (engine: Engine, kernel: Kernel, { events, values }: Words, log: Pick<FastifyBaseLogger, 'warn'>): Dispose[] {
  /** One that fails is left out. */
  const watched = (name: string, watch: () => Dispose): Dispose[] => {
    try {
      return [watch()]
    } catch (error) {
      log.warn({ err: error, name }, 'rules cannot watch this')
      return []
    }
  }
  return [
    ...[...events.values()].flatMap(event => watched(event.name, () =>
      event.watch(kernel, ({ printer, ...occurrence }) => engine.occurred(event.name, printer, occurrence)))),
    ...[...values.values()].flatMap(({ name, watch }) => watch === undefined
      ? []
      : watched(name, () => watch(kernel, printer => engine.values.changed(name, printer)))),
    kernel.printers.eachLocal(session => {
      const reported = () => { engine.values.reported(session.name) }
      const off = [session.events.on('state', reported), session.events.on('live', reported)]
      return () => {
        for (const end of off) end()
        engine.forget(session.name)
      }
    })
  ]
}
