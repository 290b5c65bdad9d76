import type { Message } from './connect-broker.js'
import { matchesLevels } from './topic-filter.js'

export type Listener = (message: Message) => void

interface Subscription {
  readonly filter: string
  /** Its parts; undefined for one without wildcards, which is looked up by its topic. */
  readonly levels: readonly string[] | undefined
  readonly listeners: Set<Listener>
}

/** Who wants which topics. */
export class Subscriptions {
  readonly #all = new Map<string, Subscription>()
  readonly #patterns = new Set<Subscription>()

  get filters (): string[] { return [...this.#all.keys()] }
  get size (): number { return this.#all.size }

  /** @returns ends it, and says whether nobody wants these topics any more */
  add (filter: string, listener: Listener): () => boolean {
    const levels = /[+#]/.test(filter) ? filter.split('/') : undefined
    const subscription = this.#all.get(filter) ?? { filter, levels, listeners: new Set() }
    this.#all.set(filter, subscription)
    if (levels !== undefined) this.#patterns.add(subscription)
    const own: Listener = message => listener(message) // one function may be given twice
    subscription.listeners.add(own)
    return () => {
      if (!subscription.listeners.delete(own) || subscription.listeners.size > 0) return false
      this.#patterns.delete(subscription)
      return this.#all.delete(filter)
    }
  }

  /** A topic is split once, and compared with patterns only. */
  of (topic: string): Listener[] {
    const exact = this.#all.get(topic)
    const found = exact?.levels === undefined ? [...exact?.listeners ?? []] : []
    if (this.#patterns.size === 0) return found
    const levels = topic.split('/')
    for (const { levels: wanted = [], listeners } of this.#patterns) {
      if (matchesLevels(wanted, levels)) found.push(...listeners)
    }
    return found
  }
}

/** More is no plug, scale or sensor; the topics of one second are remembered up to the second limit. */
const MOST_PER_TOPIC = 100
const MOST_PER_SECOND = 10_000

/** Lets messages through, up to so many of a topic and in all in one second. @param now ms that only grow */
export function createFloodGate (now = () => performance.now()): (topic: string) => boolean {
  const counts = new Map<string, number>()
  let second = -1
  let count = 0
  return topic => {
    const current = Math.floor(now() / 1_000)
    if (current !== second) {
      counts.clear();
      [second, count] = [current, 0]
    }
    const ofTopic = (counts.get(topic) ?? 0) + 1
    if (ofTopic > MOST_PER_TOPIC || count >= MOST_PER_SECOND) return false
    counts.set(topic, ofTopic)
    count++
    return true
  }
}
