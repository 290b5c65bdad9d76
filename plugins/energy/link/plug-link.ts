import type { Dispose } from '../../../core/index.js'
import type { BrokerService, Message as BrokerMessage } from '../../broker/index.js'
import type { Reading } from '../decode/reading.js'
import type { PlugKind, PlugSettings } from '../kinds.data.js'
import { httpPlugOf, type Generation } from './http-plug.js'
import { topicsOf, type Message, type Topics } from './topics.js'

/** The broker of the service, as far as plugs need it. */
export type PlugBroker = Pick<BrokerService, 'isSetUp' | 'isConnected' | 'subscribe' | 'publish'>

/** One plug on the network, whatever it speaks. */
export interface PlugLink {
  /** False for one that only speaks by itself. */
  readonly canAsk: boolean
  /** Asks for its state, which comes as a reading. @throws Error with words for people */
  ask (signal: AbortSignal): Promise<void>
  /**
   * Sends the command; only a later reading shows whether it was obeyed.
   * @param before called right before each request that can switch; what it throws keeps that request from being sent
   * @throws Error with words for people
   */
  turn (on: boolean, signal: AbortSignal, before: () => void): Promise<void>
  close (): void
}

export interface PlugAddress {
  readonly id: string
  readonly kind: PlugKind
  readonly settings: PlugSettings
  readonly password: string | undefined
  /** Of a Shelly; left out: nothing is known and nothing is kept. */
  readonly generation?: Generation
}

const NO_GENERATION: Generation = { isLater: false, foundLater () {} }

export interface LinkDeps {
  readonly broker: () => PlugBroker | undefined
  /** @param isFresh false for what the broker had kept: it says nothing of the plug now */
  readonly heard: (reading: Reading, isFresh: boolean) => void
}

/** Longer messages are no plug's. */
const MOST_BYTES = 16_384
/** Messages of one plug that are read in a second; a flood is left out. */
const MOST_PER_SECOND = 50

/** Lets through so many calls in a second. */
function createThrottle (most: number): () => boolean {
  let second = 0
  let count = 0
  return () => {
    const now = Math.floor(performance.now() / 1_000)
    if (now !== second) [second, count] = [now, 0]
    return ++count <= most
  }
}

function throughBroker (topics: Topics, { broker, heard }: LinkDeps): PlugLink {
  const mayRead = createThrottle(MOST_PER_SECOND)
  let followed: PlugBroker | undefined
  let off: readonly Dispose[] = []

  function read ({ topic, payload, isRetained }: BrokerMessage): void {
    if (payload.length > MOST_BYTES || !mayRead()) return
    const reading = topics.decode(topic, payload.toString())
    if (reading) heard(reading, !isRetained)
  }

  /** The broker may be set up later than the plug, or anew. */
  function connected (): PlugBroker {
    const now = broker()
    if (now !== followed) {
      for (const undo of off) undo()
      followed = now
      off = now === undefined ? [] : topics.filters.map(filter => now.subscribe(filter, read))
    }
    if (now?.isSetUp !== true) throw new Error('there is no broker for messages (MQTT): set one up first')
    if (!now.isConnected) throw new Error('the broker for messages (MQTT) is not connected')
    return now
  }

  const send = async (messages: readonly Message[]): Promise<void> => {
    const to = connected()
    for (const { topic, text } of messages) await to.publish(topic, text)
  }

  return {
    canAsk: topics.asks.length > 0,
    ask: async () => { await send(topics.asks) },
    async turn (on, signal, before) {
      const to = connected()
      const { topic, text } = topics.turn(on)
      signal.throwIfAborted()
      before()
      await to.publish(topic, text)
    },
    close () {
      for (const undo of off) undo()
      off = []
    }
  }
}

/** Nothing is sent before the first question. */
export function openLink (address: PlugAddress, deps: LinkDeps): PlugLink {
  const { id, kind, settings, password, generation = NO_GENERATION } = address
  const topics = topicsOf(kind, settings, id)
  if (topics) return throughBroker(topics, deps)
  const plug = httpPlugOf(kind, settings, password, generation)
  return {
    canAsk: true,
    ask: async signal => { deps.heard(await plug.read(signal), true) },
    turn: (on, signal, before) => plug.turn(on, signal, before),
    close () {}
  }
}
