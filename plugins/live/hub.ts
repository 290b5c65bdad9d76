import type { Dispose, FaultGuard, Kernel, LiveTopic, NewestTopic } from '../../core/index.js'
import { createLastSent, type LastSent } from './last-sent.js'
import { isFor, Listeners, type Listener } from './listeners.js'
import { messageOf, type Message } from './message.js'
import { NumberedMessages } from './numbered-messages.js'
import { createThrottle, type Throttle } from './throttle.js'

/** Minimum interval of topics of which only the newest message matters. */
const NEWEST_EVERY_MS = 1_000
/** Topic of the message that tells a listener that some messages are lost. */
export const MISSED = 'missed'

const isNewest = (topic: LiveTopic): topic is NewestTopic => topic.every !== true

/** Distributes messages of the topics to listeners. */
export class Hub {
  readonly topics: readonly LiveTopic[]
  readonly #kernel: Kernel
  readonly #listeners = new Listeners()
  readonly #numbered = new NumberedMessages()
  readonly #throttles = new Map<NewestTopic, Throttle>()
  /** For topics with `isSame`. */
  readonly #lastSent: ReadonlyMap<LiveTopic, LastSent>
  #undo: readonly Dispose[] = []

  constructor (kernel: Kernel, topics: readonly LiveTopic[]) {
    this.#kernel = kernel
    this.topics = topics
    this.#lastSent = new Map(topics.flatMap(topic =>
      isNewest(topic) && topic.isSame ? [[topic, createLastSent(topic.isSame)]] : []))
  }

  /** Starts watching the topics. */
  open (): void {
    const { events } = this.#kernel
    this.#undo = [
      ...this.topics.map(topic => this.#follow(topic)),
      events.on('printer:forgotten', printer => this.#forget(printer))
    ]
  }

  /** @throws PRN_ERR_TOO_MANY_FROM_ADDRESS, PRN_ERR_TOO_MANY_LISTENERS if a limit is reached */
  checkRoom (address: string): void { this.#listeners.checkRoom(address) }

  /** @param since id of the last message that the listener received: later replayable ones are sent first */
  listen (listener: Listener, since?: string): Dispose {
    if (since !== undefined) this.#catchUp(listener, since)
    this.#sendCurrent(listener)
    return this.#listeners.add(listener)
  }

  close (): void {
    for (const off of this.#undo) off()
    this.#listeners.end()
  }

  /** A topic that cannot be watched sends nothing. */
  #follow (topic: LiveTopic): Dispose {
    return this.#guardOf(topic).run(() => this.#watch(topic), { topic: topic.name }) ?? (() => {})
  }

  #guardOf (topic: LiveTopic): FaultGuard {
    const { pluginFaults, originOf } = this.#kernel
    return pluginFaults.guard(originOf(topic), 'live topic', topic.name)
  }

  #watch (topic: LiveTopic): Dispose {
    const kernel = this.#kernel
    if (!isNewest(topic)) return topic.watch(kernel, (printer, data) => this.#sendEvery(topic.name, printer, data))
    const throttle = createThrottle(NEWEST_EVERY_MS, printer => this.#sendNewest(topic, printer))
    this.#throttles.set(topic, throttle)
    const off = topic.watch(kernel, printer => {
      if (this.#listeners.isWanted(topic.name, printer)) throttle.touch(printer)
    })
    return () => { off(); throttle.close() }
  }

  #sendEvery (topic: string, printer: string, data: unknown): void {
    const message = messageOf(this.#kernel, { ...this.#numbered.next(), topic, printer }, data)
    this.#numbered.add(message)
    this.#listeners.deliver(message)
  }

  #sendNewest (topic: NewestTopic, printer: string): void {
    if (!this.#listeners.isWanted(topic.name, printer)) return
    const message = this.#current(topic, printer, data => this.#lastSent.get(topic)?.isNews(printer, data) ?? true)
    if (message) this.#listeners.deliver(message)
  }

  /** The current message of a topic, if it should be sent; undefined if the topic fails. */
  #current (topic: LiveTopic, printer: string, shouldSend: (data: unknown) => boolean): Message | undefined {
    return this.#guardOf(topic).run(() => {
      const data = topic.current?.(this.#kernel, printer)
      if (data === undefined || !shouldSend(data)) return undefined
      return messageOf(this.#kernel, { count: 0, id: '', topic: topic.name, printer }, data)
    }, { topic: topic.name, printer })
  }

  #sendCurrent (listener: Listener): void {
    const all = listener.printer === undefined ? this.#kernel.printers.names : [listener.printer]
    const printers = all.filter(listener.sees)
    for (const topic of this.topics.filter(({ name }) => listener.topics.has(name))) {
      for (const printer of printers) {
        const message = this.#current(topic, printer, data => {
          this.#lastSent.get(topic)?.joined(printer, data)
          return true
        })
        if (message) listener.deliver(message)
      }
    }
  }

  #catchUp (listener: Listener, since: string): void {
    const { messages, hasGap } = this.#numbered.since(since, message => isFor(listener, message))
    if (hasGap) listener.deliver(this.#missed(listener))
    for (const message of messages) listener.deliver(message)
  }

  #missed ({ printer = '' }: Listener): Message {
    return messageOf(this.#kernel, { count: 0, id: '', topic: MISSED, printer },
      { message: 'Some messages sent while you were disconnected are no longer available' })
  }

  #forget (printer: string): void {
    this.#numbered.forget(printer)
    for (const throttle of this.#throttles.values()) throttle.forget(printer)
    for (const one of this.#lastSent.values()) one.forget(printer)
  }
}
