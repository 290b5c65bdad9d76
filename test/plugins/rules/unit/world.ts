import { Type } from 'typebox'
import { defineRuleEvent, defineRuleValue, operation, type AnyOperation } from '../../../../core/index.js'
import { createClock } from '../../../../plugins/rules/engine/compare.js'
import { Engine } from '../../../../plugins/rules/engine/engine.js'
import type { Edge, Tally } from '../../../../plugins/rules/rule-store.js'
import type { Advance, Claim, ClaimLimits, RunStore } from '../../../../plugins/rules/run-store.js'
import { MOST, type Plain, type Rule, type Run, type StepRecord } from '../../../../plugins/rules/types.js'

const HOUR_MS = 3_600_000

/** A database in memory, for several engines; it can fail before or after a write. */
export class Memory {
  readonly runs = new Map<string, Run>()
  readonly steps = new Map<string, StepRecord>()
  readonly edgeRows = new Map<string, Edge>()
  readonly ruleRows = new Map<string, Rule>()
  /** Called before each use; throws to fail it. */
  fault: (what: string) => void = () => {}

  readonly store: RunStore = {
    claim: async (run: Run, { aliases, mostPerHour, mostOfAll }: ClaimLimits): Promise<Claim> => {
      this.fault('claim')
      if ([run.id, ...aliases].some(id => this.runs.has(id))) return 'taken'
      const rule = this.ruleRows.get(run.rule)
      if (rule?.changedAt !== run.version || !rule.enabled || rule.pausedReason !== null) return 'changed'
      const recent = [...this.runs.values()].filter(({ beganAt, state }) => beganAt > run.beganAt - HOUR_MS && state !== 'skipped')
      const own = recent.filter(one => one.rule === run.rule && one.printer === run.printer)
      const running = [...this.runs.values()].filter(({ state }) => state === 'running')
      if (running.some(one => one.rule === run.rule && one.printer === run.printer)) return 'busy'
      if (running.length >= MOST.running) return 'full'
      if (own.length >= mostPerHour) return 'rate'
      if (recent.length >= mostOfAll) return 'all'
      this.runs.set(run.id, run)
      return 'claimed'
    },
    skip: async run => {
      this.fault('skip')
      if (!this.runs.has(run.id)) this.runs.set(run.id, run)
    },
    advance: async (run: Run, { end, ...to }: Advance, record?: StepRecord) => {
      this.fault('advance')
      const row = this.runs.get(run.id)
      if (row === undefined || row.owner !== run.owner || row.state !== 'running' || row.step !== run.step || row.stepState !== run.stepState) return false
      const ended = end && { state: end.state, reason: end.reason, endedAt: end.at }
      this.runs.set(run.id, { ...row, ...to, waitUntil: to.waitUntil, ...ended })
      if (record) this.steps.set(`${record.run}:${record.step}`, record)
      this.fault('advanced')
      return true
    },
    stop: async (id, reason, at) => {
      const row = this.runs.get(id)
      if (row?.state !== 'running') return false
      this.runs.set(id, { ...row, state: 'stopped', reason, endedAt: at })
      return true
    },
    renew: async (owner, ids, until) => {
      this.fault('renew')
      const ours = ids.filter(id => this.runs.get(id)?.owner === owner && this.runs.get(id)?.state === 'running')
      for (const id of ours) this.runs.set(id, { ...this.runs.get(id) as Run, leaseUntil: until })
      return ours
    },
    expired: async now => {
      this.fault('expired')
      return [...this.runs.values()].filter(({ state, leaseUntil }) => state === 'running' && leaseUntil < now)
    },
    takeOver: async (run, owner, until) => {
      const row = this.runs.get(run.id)
      if (row?.state !== 'running' || row.owner !== run.owner || row.leaseUntil !== run.leaseUntil) return false
      this.runs.set(run.id, { ...row, owner, leaseUntil: until })
      return true
    },
    find: async id => this.runs.get(id),
    list: async () => ({ runs: [...this.runs.values()], steps: [...this.steps.values()] }),
    newest: async () => [],
    prune: async () => {}
  }

  readonly rules = {
    turn: async (id: string, isTrue: boolean, at: number): Promise<Edge> => {
      this.fault('turn')
      const row = this.edgeRows.get(id)
      if (row !== undefined && row.isTrue === isTrue) return row
      const edge = { isTrue, since: at }
      this.edgeRows.set(id, edge)
      return edge
    },
    tally: async (id: string, version: number, work: (before: Tally) => Tally): Promise<Tally | undefined> => {
      const rule = this.ruleRows.get(id)
      if (rule?.changedAt !== version) return undefined
      const after = work(rule)
      this.ruleRows.set(id, { ...rule, ...after })
      return after
    }
  }
}

/** An act as it reached a printer. */
export interface Act {
  readonly operation: string
  readonly printer: string
  readonly input: Record<string, unknown>
  readonly at: number
  readonly who: string
}

export const operationOf = (name: string): AnyOperation => operation({
  name, summary: name, effect: 'local', input: Type.Object({ n: Type.Optional(Type.Number()) }), output: Type.Object({}), run: () => ({})
}) as AnyOperation

/** Printers with values, a clock, and what rules did to them. */
export class World {
  now = 1_700_000_000_000
  readonly memory = new Memory()
  readonly acts: Act[] = []
  readonly messages: string[] = []
  readonly paused: string[] = []
  readonly values = new Map<string, Plain>()
  printers: string[] = ['p1', 'p2']
  reachable = new Set(['p1', 'p2'])
  /** What an act does beside being noted; throws to fail. */
  effect: (act: Act) => void | Promise<void> = () => {}
  engines: Engine[] = []

  readonly words = {
    events: new Map([
      ['print.ended', defineRuleEvent({
        name: 'print.ended', named: { en: 'a print ends' }, fields: Type.Object({ result: Type.String() }), fieldNames: {}, perPrinter: true, watch: () => () => {}
      })]
    ]),
    values: new Map(['bed', 'light'].map(name => [name, defineRuleValue({
      name, named: { en: name }, type: name === 'bed' ? 'number' : 'text', perPrinter: true, read: () => undefined
    })])),
    operations: new Map(['climate.setFan', 'climate.setLight', 'print.pause', 'other.act'].map(name => [name, operationOf(name)]))
  }

  /** A service that starts. */
  start (): Engine {
    const world = this
    const engine = new Engine({
      rules: this.memory.rules,
      runs: this.memory.store,
      words: this.words,
      now: () => world.now,
      clock: createClock('UTC'),
      schedule: { place: undefined, timeZone: 'UTC' },
      mostOfAll: 10_000,
      printers: () => world.printers,
      reaches: printer => world.reachable.has(printer),
      kernel: {
        printers: { get: (name: string) => ({ name, service: 'CONNECTED', live: true, state: { job: { gcodeState: 'IDLE' } } }) } as never,
        call: (async (called: AnyOperation, input: Record<string, unknown>, { printer = '', caller, signal }: any) => {
          if (signal?.aborted) throw signal.reason
          const act = { operation: called.name, printer, input, at: world.now, who: caller.name }
          world.acts.push(act)
          await world.effect(act)
          return {}
        }) as never
      },
      read: (name, printer) => world.values.get(`${name}@${printer}`),
      callerOf: ({ name, author }) => author.name === 'gone'
        ? 'its author is no longer a user'
        : { name: `rule ${name} of ${author.name}`, id: 'user 1', role: 'operate', printers: author.name === 'anna' ? new Set(['p1']) : undefined },
      message: (_rule, printer, text) => { world.messages.push(`${printer ?? ''}: ${text}`) },
      paused: async ({ name }, reason) => { world.paused.push(`${name}: ${reason}`) },
      log: { info () {}, warn () {}, debug () {} } as never
    })
    this.engines.push(engine)
    return engine
  }

  /** A service ends without warning: nothing more of it is heard. */
  kill (engine: Engine): void {
    engine.close()
    this.engines = this.engines.filter(other => other !== engine)
  }

  /** Changes a value, and tells the services. */
  set (name: string, printer: string, value: Plain): void {
    this.values.set(`${name}@${printer}`, value)
    for (const engine of this.engines) engine.values.reported(printer)
  }

  async use (...rules: Rule[]): Promise<void> {
    this.memory.ruleRows.clear()
    for (const rule of rules) this.memory.ruleRows.set(rule.id, rule)
    for (const engine of this.engines) await this.load(engine)
  }

  async load (engine: Engine): Promise<void> {
    engine.remember(this.memory.edgeRows)
    await engine.use([...this.memory.ruleRows.values()], true)
  }

  occur (event: string, printer: string | undefined, key: string, fields: Record<string, Plain> = {}): void {
    for (const engine of this.engines) engine.occurred(event, printer, { key, at: this.now, fields })
  }

  /** Lets time pass, in steps of at most a second of the services. */
  async pass (seconds: number, step = 1): Promise<void> {
    for (let left = seconds; left > 0; left -= step) {
      this.now += step * 1000
      for (const engine of [...this.engines]) await engine.tick().catch(() => {}) // a database that is down
      await this.settle()
    }
  }

  /** Until nothing is in progress. */
  async settle (): Promise<void> {
    for (let turn = 0; turn < 50; turn++) await new Promise(resolve => setImmediate(resolve))
  }

  runsOf (rule: string): Run[] { return [...this.memory.runs.values()].filter(run => run.rule === rule) }
}

let count = 0

/** A rule that is on; every member can be given. */
export const ruleOf = (given: Partial<Rule> = {}): Rule => ({
  id: `rule-${++count}`,
  name: `Rule ${count}`,
  enabled: true,
  author: { name: 'ben', kind: 'local' },
  createdAt: 0,
  changedAt: 1,
  armedAt: 0,
  pausedReason: null,
  webhook: '',
  failures: 0,
  printers: null,
  when: [{ kind: 'event', event: 'print.ended' }],
  if: [],
  then: [{ kind: 'call', operation: 'climate.setLight' }],
  most_per_hour: 60,
  ...given
})
