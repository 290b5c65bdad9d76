import { jsonBytes, type Dispose, type Kernel } from '../../core/index.js'
import type { LiveTopic } from './topics.js'

/** A message as it goes out. */
export interface Message {
  /** Counts up over all topics whose every message counts; 0 for the others. */
  readonly id: number
  readonly topic: string
  readonly printer: string
  /** JSON text of `{ topic, printer, at, data }`, with `id` where it counts. */
  readonly text: string
}

export interface Listener {
  readonly topics: ReadonlySet<string>
  /** Undefined: all printers. */
  readonly printer: string | undefined
  deliver (message: Message): void
}

/** Takes news from the topics and hands them to listeners. */
export interface Hub {
  readonly topics: readonly LiveTopic[]
  /** @param after messages that count and came after this id are delivered first */
  listen (listener: Listener, after?: number): Dispose
  /** Begins to follow the topics. */
  open (): void
  close (): void
}

/** Messages kept for listeners that come back. */
const KEPT = 256
/** News of which only the newest matters is sent this often. */
const NEWEST_EVERY_MS = 1_000

export function createHub (kernel: Kernel, topics: readonly LiveTopic[]): Hub {
  const listeners = new Set<Listener>()
  const kept: Message[] = []
  const waiting = new Map<string, { timer: NodeJS.Timeout, data: unknown }>()
  const sentAt = new Map<string, number>()
  let count = 0

  const isFor = ({ topics, printer }: Listener, message: Message) =>
    topics.has(message.topic) && (printer === undefined || printer === message.printer)

  function publish (topic: LiveTopic, printer: string, data: unknown): void {
    const id = topic.every ? ++count : 0
    const at = new Date(kernel.now()).toISOString()
    const head = JSON.stringify({ ...(id > 0 && { id }), topic: topic.name, printer, at })
    const text = `${head.slice(0, -1)},"data":${jsonBytes(data, kernel.redact).toString()}}`
    const message: Message = { id, topic: topic.name, printer, text }
    if (topic.every) {
      kept.push(message)
      if (kept.length > KEPT) kept.shift()
    }
    for (const listener of listeners) if (isFor(listener, message)) listener.deliver(message)
  }

  /** The first goes out at once, then the newest of each second. */
  function publishNewest (topic: LiveTopic, printer: string, data: unknown): void {
    if (![...listeners].some(listener => listener.topics.has(topic.name))) return
    const key = `${topic.name}\n${printer}`
    const pending = waiting.get(key)
    if (pending) { pending.data = data; return }
    const wait = (sentAt.get(key) ?? -Infinity) + NEWEST_EVERY_MS - performance.now()
    if (wait <= 0) {
      sentAt.set(key, performance.now())
      return publish(topic, printer, data)
    }
    const entry = {
      data,
      timer: setTimeout(() => {
        waiting.delete(key)
        sentAt.set(key, performance.now())
        publish(topic, printer, entry.data)
      }, wait).unref()
    }
    waiting.set(key, entry)
  }

  let undo: Dispose[] = []

  const open = () => {
    undo = topics.map(topic => topic.watch(kernel, (printer, data) =>
      topic.every ? publish(topic, printer, data) : publishNewest(topic, printer, data)))
  }

  return {
    topics,
    open,
    listen (listener, after = Infinity) {
      for (const message of kept) if (message.id > after && isFor(listener, message)) listener.deliver(message)
      listeners.add(listener)
      return () => { listeners.delete(listener) }
    },
    close () {
      for (const off of undo) off()
      for (const { timer } of waiting.values()) clearTimeout(timer)
      listeners.clear()
    }
  }
}
