import { randomBytes } from 'node:crypto'
import type { Dispose, FaultGuard, Kernel, LiveTopic, NewestTopic } from '../../core/index.js'
import { checkRoom } from '../http/index.js'
import { TooManyListeners } from './errors.js'
import { createReplayBuffer } from './replay-buffer.js'
import { messageOf, type Message } from './message.js'
import { createThrottle, type Throttle } from './throttle.js'
import { createLastSent, type LastSent } from './last-sent.js'

export interface Listener {
  /** IP address. */
  readonly address: string
  readonly topics: ReadonlySet<string>
  /** Undefined for all printers. */
  readonly printer: string | undefined
  /** Whether the listener may see a printer. */
  readonly sees: (printer: string) => boolean
  deliver (message: Message): void
  /** Called at shutdown. */
  end (): void
}

/** Distributes messages of the topics to listeners. */
export interface Hub {
  readonly topics: readonly LiveTopic[]
  /** @throws PRN_ERR_TOO_MANY_FROM_ADDRESS, PRN_ERR_TOO_MANY_LISTENERS if a limit is reached */
  checkRoom (address: string): void
  /** @param since id of the last message that the listener received: later replayable ones are sent first */
  listen (listener: Listener, since?: string): Dispose
  /** Starts watching the topics. */
  open (): void
  close (): void
}

/** Minimum interval of topics of which only the newest message matters. */
const NEWEST_EVERY_MS = 1_000
/** Bounds the memory, since each may have a backlog. */
const MOST_LISTENERS = 256
/** Topic of the message that tells a listener that some messages are lost. */
export const MISSED = 'missed'

const isNewest = (topic: LiveTopic): topic is NewestTopic => topic.every !== true

const isFor = ({ topics, printer, sees }: Listener, message: Pick<Message, 'topic' | 'printer'>) =>
  topics.has(message.topic) && (printer === undefined || printer === message.printer) && sees(message.printer)

export function createHub (kernel: Kernel, topics: readonly LiveTopic[]): Hub {
  const listeners = new Set<Listener>()
  const replayBuffer = createReplayBuffer()
  const throttles = new Map<NewestTopic, Throttle>()
  /** For topics with `isSame`. */
  const lastSent = new Map<LiveTopic, LastSent>(topics.flatMap(topic =>
    isNewest(topic) && topic.isSame ? [[topic, createLastSent(topic.isSame)]] : []))
  const guardOf = (topic: LiveTopic): FaultGuard =>
    kernel.pluginFaults.guard(kernel.originOf(topic), 'live topic', topic.name)
  /** Ids contain the run, because counts restart with each run. */
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
    replayBuffer.add(message)
    spread(message)
  }

  /** The current message of a topic, if it should be sent; undefined if the topic fails. */
  function current (topic: LiveTopic, printer: string, shouldSend: (data: unknown) => boolean): Message | undefined {
    return guardOf(topic).run(() => {
      const data = topic.current?.(kernel, printer)
      if (data === undefined || !shouldSend(data)) return undefined
      return messageOf(kernel, { count: 0, id: '', topic: topic.name, printer }, data)
    }, { topic: topic.name, printer })
  }

  function sendNewest (topic: NewestTopic, printer: string): void {
    if (!isWanted(topic.name, printer)) return
    const message = current(topic, printer, data => lastSent.get(topic)?.isNews(printer, data) ?? true)
    if (message) spread(message)
  }

  /** A topic that cannot be watched sends nothing. */
  const follow = (topic: LiveTopic): Dispose =>
    guardOf(topic).run(() => watch(topic), { topic: topic.name }) ?? (() => {})

  function watch (topic: LiveTopic): Dispose {
    if (!isNewest(topic)) return topic.watch(kernel, (printer, data) => sendEvery(topic.name, printer, data))
    const throttle = createThrottle(NEWEST_EVERY_MS, printer => sendNewest(topic, printer))
    throttles.set(topic, throttle)
    const off = topic.watch(kernel, printer => { if (isWanted(topic.name, printer)) throttle.touch(printer) })
    return () => { off(); throttle.close() }
  }

  function sendCurrent (listener: Listener): void {
    const printers = (listener.printer === undefined ? kernel.printers.names : [listener.printer]).filter(listener.sees)
    for (const topic of topics.filter(({ name }) => listener.topics.has(name))) {
      for (const printer of printers) {
        const message = current(topic, printer, data => {
          lastSent.get(topic)?.joined(printer, data)
          return true
        })
        if (message) listener.deliver(message)
      }
    }
  }

  /** Replays messages. After a restart of the service, all stored ones are new to the listener. */
  function catchUp (listener: Listener, since: string): void {
    const [theirs, number] = since.split('-')
    const same = theirs === run && /^\d{1,15}$/.test(number ?? '')
    const after = same ? Number(number) : 0
    const wanted = (message: Message) => isFor(listener, message)
    if (!same || replayBuffer.lost(after, wanted)) listener.deliver(missed(listener))
    for (const message of replayBuffer.after(after, wanted)) listener.deliver(message)
  }

  const missed = ({ printer = '' }: Listener) => messageOf(kernel, { count: 0, id: '', topic: MISSED, printer },
    { message: 'Some messages sent while you were disconnected are no longer available' })

  function forget (printer: string): void {
    replayBuffer.forget(printer)
    for (const throttle of throttles.values()) throttle.forget(printer)
    for (const one of lastSent.values()) one.forget(printer)
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
