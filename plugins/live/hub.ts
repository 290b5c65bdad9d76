import { randomBytes } from 'node:crypto'
import type { Dispose, FaultGuard, Kernel, LiveTopic, NewestTopic } from '../../core/index.js'
import { checkRoom } from '../http/index.js'
import { TooManyListeners } from './errors.js'
import { createKept } from './replay-buffer.js'
import { messageOf, type Message } from './message.js'
import { createPacer, type Throttle } from './throttle.js'
import { createTold, type Told } from './told.js'

export interface Listener {
  /** Where it listens from. */
  readonly address: string
  readonly topics: ReadonlySet<string>
  /** Undefined: all printers. */
  readonly printer: string | undefined
  /** Whether the listener may know of a printer. */
  readonly sees: (printer: string) => boolean
  deliver (message: Message): void
  /** The service ends. */
  end (): void
}

/** Takes messages from the topics and hands them to listeners. */
export interface Hub {
  readonly topics: readonly LiveTopic[]
  /** @throws PRN_ERR_TOO_MANY_FROM_ADDRESS, PRN_ERR_TOO_MANY_LISTENERS when there is no room for one from an address */
  checkRoom (address: string): void
  /** @param since id of the last message that the listener had: those that count and came after go first */
  listen (listener: Listener, since?: string): Dispose
  /** Begins to follow the topics. */
  open (): void
  close (): void
}

/** Changes of which only the newest matters are sent this often. */
const NEWEST_EVERY_MS = 1_000
/** Each may hold some memory. */
const MOST_LISTENERS = 256
/** Topic of the one message that tells a listener that it missed some for good. */
export const MISSED = 'missed'

const isNewest = (topic: LiveTopic): topic is NewestTopic => topic.every !== true

const isFor = ({ topics, printer, sees }: Listener, message: Pick<Message, 'topic' | 'printer'>) =>
  topics.has(message.topic) && (printer === undefined || printer === message.printer) && sees(message.printer)

export function createHub (kernel: Kernel, topics: readonly LiveTopic[]): Hub {
  const listeners = new Set<Listener>()
  const kept = createKept()
  const pacers = new Map<NewestTopic, Throttle>()
  /** Of topics that say what is the same. */
  const told = new Map<LiveTopic, Told>(topics.flatMap(topic =>
    isNewest(topic) && topic.isSame ? [[topic, createTold(topic.isSame)]] : []))
  const guardOf = (topic: LiveTopic): FaultGuard =>
    kernel.pluginFaults.guard(kernel.originOf(topic), 'live topic', topic.name)
  /** Counts begin anew with each run; an id of another run says nothing about this one's. */
  const run = randomBytes(4).toString('hex')
  let count = 0
  let undo: Dispose[] = []

  const isWanted = (topic: string, printer: string) =>
    [...listeners].some(listener => isFor(listener, { topic, printer }))

  function spread (message: Message): void {
    for (const listener of listeners) if (isFor(listener, message)) listener.deliver(message)
  }

  function sendEvery (topic: string, printer: string, data: unknown): void {
    count++
    const message = messageOf(kernel, { count, id: `${run}-${count}`, topic, printer }, data)
    kept.add(message)
    spread(message)
  }

  /** What is so now, if it is to be told; a topic that fails has nothing to tell. */
  function current (topic: LiveTopic, printer: string, isTold: (data: unknown) => boolean): Message | undefined {
    return guardOf(topic).run(() => {
      const data = topic.current?.(kernel, printer)
      if (data === undefined || !isTold(data)) return undefined
      return messageOf(kernel, { count: 0, id: '', topic: topic.name, printer }, data)
    }, { topic: topic.name, printer })
  }

  function sendNewest (topic: NewestTopic, printer: string): void {
    if (!isWanted(topic.name, printer)) return
    const message = current(topic, printer, data => told.get(topic)?.isNews(printer, data) ?? true)
    if (message) spread(message)
  }

  /** One that cannot be followed has no news. */
  const follow = (topic: LiveTopic): Dispose =>
    guardOf(topic).run(() => watch(topic), { topic: topic.name }) ?? (() => {})

  function watch (topic: LiveTopic): Dispose {
    if (!isNewest(topic)) return topic.watch(kernel, (printer, data) => sendEvery(topic.name, printer, data))
    const pacer = createPacer(NEWEST_EVERY_MS, printer => sendNewest(topic, printer))
    pacers.set(topic, pacer)
    const off = topic.watch(kernel, printer => { if (isWanted(topic.name, printer)) pacer.touch(printer) })
    return () => { off(); pacer.close() }
  }

  function sendCurrent (listener: Listener): void {
    const printers = (listener.printer === undefined ? kernel.printers.names : [listener.printer]).filter(listener.sees)
    for (const topic of topics.filter(({ name }) => listener.topics.has(name))) {
      for (const printer of printers) {
        const message = current(topic, printer, data => {
          told.get(topic)?.joined(printer, data)
          return true
        })
        if (message) listener.deliver(message)
      }
    }
  }

  /** After a restart everything that is kept is new to a listener. */
  function catchUp (listener: Listener, since: string): void {
    const [theirs, number] = since.split('-')
    const same = theirs === run && /^\d{1,15}$/.test(number ?? '')
    const after = same ? Number(number) : 0
    const wanted = (message: Message) => isFor(listener, message)
    if (!same || kept.lost(after, wanted)) listener.deliver(missed(listener))
    for (const message of kept.after(after, wanted)) listener.deliver(message)
  }

  const missed = ({ printer = '' }: Listener) => messageOf(kernel, { count: 0, id: '', topic: MISSED, printer },
    { message: 'Some news came while you were away and is not kept any more' })

  function forget (printer: string): void {
    kept.forget(printer)
    for (const pacer of pacers.values()) pacer.forget(printer)
    for (const one of told.values()) one.forget(printer)
  }

  return {
    topics,
    checkRoom: address => checkRoom(address, [...listeners], MOST_LISTENERS, () => new TooManyListeners()),
    open () { undo = [...topics.map(follow), kernel.events.on('printer:forgotten', forget)] },
    listen (listener, since) {
      if (since !== undefined) catchUp(listener, since)
      sendCurrent(listener)
      listeners.add(listener)
      return () => { listeners.delete(listener) }
    },
    close () {
      for (const off of undo) off()
      for (const listener of [...listeners]) listener.end()
      listeners.clear()
    }
  }
}
