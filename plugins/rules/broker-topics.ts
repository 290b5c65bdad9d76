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

/** The member of a JSON text at a path; undefined if there is none. */
export function memberAt (text: string, path: string): Plain | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isNestedWithin(value, MOST_LEVELS)) return undefined
  for (const part of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<string, unknown>)[part]
  }
  return ['string', 'number', 'boolean'].includes(typeof value) ? value as Plain : undefined
}

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
    for (const bound of this.#deps.engine.index.topics.get(filter) ?? []) this.#judge(bound, topic, text, isRetained)
  }

  #isFlood (filter: string): boolean {
    const second = Math.floor(this.#deps.now() / 1000)
    const known = this.#counts.get(filter)
    if (known?.second === second) return ++known.count > MOST_PER_S
    this.#counts.set(filter, { second, count: 1 })
    return false
  }

  #judge ({ rule, trigger: { path, is, than } }: Bound<'mqtt'>, topic: string, text: string, isRetained: boolean): void {
    const value = path === undefined ? valueOf(text) : memberAt(text, path)
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
