import { Type } from 'typebox'
import { defineRuleEvent, defineRuleValue, operation, type AnyOperation } from '../../../../core/index.js'
import { createClock } from '../../../../plugins/rules/engine/compare.js'
import { Engine } from '../../../../plugins/rules/engine/engine.js'
import { lookAtHeaters } from '../../../../plugins/rules/engine/heaters.js'
import type { Plain, Rule, Run } from '../../../../plugins/rules/types.js'
import { why, whyInWords } from '../../../../plugins/rules/words/why.js'
import { Memory } from './memory.js'

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
  /** Alerts of heat that was left on. */
  readonly told: string[] = []
  readonly values = new Map<string, Plain>()
  printers: string[] = ['p1', 'p2']
  reachable = new Set(['p1', 'p2'])
  /** Targets of beds, and states of jobs, by printer. */
  readonly beds = new Map<string, number>()
  readonly jobs = new Map<string, string>()
  isShared = false
  /** Users that are known. */
  readonly known = new Set<string>()
  /** What an act does beside being noted; throws to fail. */
  effect: (act: Act) => void | Promise<void> = () => {}
  engines: Engine[] = []

  readonly words = {
    events: new Map([
      ['print.ended', defineRuleEvent({
        name: 'print.ended', named: { en: 'a print ends' }, fields: Type.Object({ result: Type.String() }), fieldNames: {}, perPrinter: true, watch: () => () => {}
      })]
    ]),
    values: new Map(['bed', 'bed.celsius', 'light', 'light.state'].map(name => [name, defineRuleValue({
      name, named: { en: name }, type: name.startsWith('bed') ? 'number' : 'text', perPrinter: true, read: () => undefined
    })])),
    operations: new Map(['climate.setFan', 'climate.setLight', 'climate.setBedTarget', 'print.pause', 'queue.pause', 'other.act'].map(name => [name, operationOf(name)]))
  }

  sessionOf (name: string): object {
    const state = {
      receivedAt: this.now,
      job: { gcodeState: this.jobs.get(name) ?? 'IDLE' },
      heat: { bed: { target: this.beds.get(name) ?? 0 } },
      extruders: []
    }
    return { name, service: 'CONNECTED', live: this.reachable.has(name), context: {}, state }
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
        printers: { get: (name: string) => world.sessionOf(name) } as never,
        call: (async (called: AnyOperation, input: Record<string, unknown>, { printer = '', caller, signal }: any) => {
          if (signal?.aborted) throw signal.reason
          const act = { operation: called.name, printer, input, at: world.now, who: caller.name }
          world.acts.push(act)
          await world.effect(act)
          if (called.name === 'climate.setBedTarget') world.beds.set(printer, Number(input.celsius))
          return {}
        }) as never
      },
      read: (name, printer) => world.values.get(`${name}@${printer}`),
      callerOf: ({ name, author }) => {
        if (author.name === 'late' && !world.known.has('late')) return undefined
        if (author.name === 'gone') return why('author_gone', { name: author.name })
        return { name: `rule ${name} of ${author.name}`, id: 'user 1', role: 'operate', printers: author.name === 'anna' ? new Set(['p1']) : undefined }
      },
      message: (_rule, printer, text) => world.messages.push(`${printer ?? ''}: ${text}`) > 0,
      paused: async ({ name }, reason) => { world.paused.push(`${name}: ${whyInWords(reason)}`) },
      isShared: () => world.isShared,
      heat: {
        store: this.memory.heat,
        look: heat => lookAtHeaters(world.sessionOf(heat.printer) as never, heat, world.now),
        cool: async ({ operation: of, printer, ruleName }, input) => {
          const act = { operation: of, printer, input, at: world.now, who: `the service for ${ruleName}` }
          world.acts.push(act)
          await world.effect(act)
          world.beds.set(printer, 0)
        },
        tell: ({ ruleName, printer, celsius }, reason) => {
          world.told.push(whyInWords(why('heat_left', { rule: ruleName, printer, celsius, heater: why('heater_bed'), reason })))
        }
      },
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

  /** Runs of a rule, with their reasons in words. */
  runsOf (rule: string): (Omit<Run, 'reason'> & { reason: string })[] {
    return [...this.memory.runs.values()].filter(run => run.rule === rule)
      .map(run => ({ ...run, reason: whyInWords(run.reason) }))
  }
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
