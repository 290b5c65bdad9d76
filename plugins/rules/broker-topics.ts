import { createHash } from 'node:crypto'
import { isNestedWithin, type Dispose } from '../../core/index.js'
import type { BrokerService, Message } from '../broker/index.js'
import { compare } from './engine/compare.js'
import type { Engine } from './engine/engine.js'
import type { Bound } from './engine/rule-index.js'
import type { Plain, Rule } from './types.js'

const MOST_BYTES = 65_536
const MOST_LEVELS = 16
const LONGEST_SHOWN = 200
/** The same message within this time is one: two services hear it at slightly different times. */
const SAME_MS = 10_000
/** Messages of one topic filter that are looked at in a second. */
const MOST_PER_S = 50

export type Broker = Pick<BrokerService, 'isSetUp' | 'subscribe'>

export interface BrokerTopicsDeps {
  readonly broker: () => Broker | undefined
  readonly engine: Pick<Engine, 'happened' | 'index'>
  readonly now: () => number
}

/** The value of a JSON text; undefined if it is none, or too deep. */
export function parsed (text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isNestedWithin(value, MOST_LEVELS) ? value : undefined
  } catch {
    return undefined
  }
}

/** The member of a value at a path; undefined if there is none. */
export function memberAt (whole: unknown, path: string): Plain | undefined {
  let value = whole
  for (const part of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<string, unknown>)[part]
  }
  return ['string', 'number', 'boolean'].includes(typeof value) ? value as Plain : undefined
}

interface Heard { readonly topic: string, readonly text: string, readonly whole: unknown, readonly isRetained: boolean }

/** A text that is a number or a truth is compared as such. */
const valueOf = (text: string): Plain => {
  const trimmed = text.trim()
  if (trimmed !== '' && trimmed.length < 30 && Number.isFinite(Number(trimmed))) return Number(trimmed)
  return trimmed === 'true' ? true : trimmed === 'false' ? false : trimmed
}

const digest = (...parts: readonly unknown[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24)

/** Listens to the topics of rules. A comparison counts when it becomes true, a topic alone with each message. */
export class BrokerTopics {
  readonly #deps: BrokerTopicsDeps
  #subscribed = new Map<string, Dispose>()
  /** Whether a comparison held with the last message, by rule, comparison and topic. */
  #held = new Map<string, boolean>()
  #counts = new Map<string, { second: number, count: number }>()

  constructor (deps: BrokerTopicsDeps) { this.#deps = deps }

  /** Follows the rules; called when they change. */
  follow (): void {
    const broker = this.#deps.broker()
    const wanted = this.#deps.engine.index.topics
    for (const [filter, off] of this.#subscribed) {
      if (broker !== undefined && wanted.has(filter)) continue
      off()
      this.#subscribed.delete(filter)
    }
    if (broker === undefined) return
    for (const filter of wanted.keys()) {
      if (this.#subscribed.has(filter)) continue
      this.#subscribed.set(filter, broker.subscribe(filter, message => this.#received(filter, message)))
    }
  }

  close (): void {
    for (const off of this.#subscribed.values()) off()
    this.#subscribed.clear()
  }

  #received (filter: string, { topic, payload, isRetained }: Message): void {
    if (payload.length > MOST_BYTES || this.#isFlood(filter)) return
    const text = payload.toString('utf8')
    const all = this.#deps.engine.index.topics.get(filter) ?? []
    // Once for all rules: it may be long.
    const whole = all.some(({ trigger }) => trigger.path !== undefined) ? parsed(text) : undefined
    for (const bound of all) this.#judge(bound, { topic, text, whole, isRetained })
  }

  #isFlood (filter: string): boolean {
    const second = Math.floor(this.#deps.now() / 1000)
    const known = this.#counts.get(filter)
    if (known?.second === second) return ++known.count > MOST_PER_S
    this.#counts.set(filter, { second, count: 1 })
    return false
  }

  #judge ({ rule, trigger: { path, is, than } }: Bound<'mqtt'>, { topic, text, whole, isRetained }: Heard): void {
    const value = path === undefined ? valueOf(text) : memberAt(whole, path)
    if (path !== undefined && value === undefined) return
    if (is !== undefined) {
      const key = digest(rule.id, path, is, than, topic)
      const before = this.#held.get(key)
      const holds = compare(value, { is, than })
      if (holds === undefined) return
      if (this.#held.size > 10_000) this.#held.clear()
      this.#held.set(key, holds)
      // What held before we listened did not become true, and a retained message is of the past.
      if (!holds || before !== false || isRetained) return
    }
    if (!isRetained) this.#happened(rule, topic, text)
  }

  #happened (rule: Rule, topic: string, text: string): void {
    const at = this.#deps.now()
    const bucket = Math.floor(at / SAME_MS)
    const keyAt = (number: number): string => `mqtt:${digest(topic, text)}:${number}`
    this.#deps.engine.happened(rule, {
      key: keyAt(bucket),
      aliases: [keyAt(bucket - 1), keyAt(bucket + 1)],
      at,
      printer: undefined,
      fields: { topic: topic.slice(0, LONGEST_SHOWN), payload: text.slice(0, LONGEST_SHOWN) },
      source: 'mqtt'
    })
  }
}
