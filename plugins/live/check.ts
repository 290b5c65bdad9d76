import { BadTopic } from './errors.js'
import type { LiveTopic } from './topics.js'

/** It stands in addresses, and alone in a line of the stream. */
const NAME = /^[a-z][a-z0-9-]{0,39}$/

function problemOf ({ name, watch, every, current }: LiveTopic): string | undefined {
  if (typeof name !== 'string' || !NAME.test(name)) {
    return 'the name must be lower-case letters, digits and hyphens, 40 at most'
  }
  if (typeof watch !== 'function') return 'watch must be a function'
  return every === true || typeof current === 'function' ? undefined : 'it needs every or current'
}

/** @throws PRN_ERR_LIVE_TOPIC naming the topic and its plugin */
export function checkTopics (topics: readonly LiveTopic[], originOf: (topic: LiveTopic) => string): void {
  const seen = new Map<string, LiveTopic>()
  for (const topic of topics) {
    const first = seen.get(topic.name)
    const problem = first ? `plugin '${originOf(first)}' has one of the same name` : problemOf(topic)
    if (problem !== undefined) throw new BadTopic(String(topic.name), originOf(topic), problem)
    seen.set(topic.name, topic)
  }
}
