import { Type, type Static } from 'typebox'
import type { JsonStore } from '../../core/index.js'
import type { Broker } from './broker.js'
import type { Components } from './documents.js'

/**
 * The topics on which the broker may still keep something of ours, so that they can be cleared by a later run of the
 * service too. For a discovery topic: the platforms of all components that were ever announced there, by their keys.
 */
export const Ledger = Type.Record(Type.String(), Type.Record(Type.String(), Type.String()))
export type Ledger = Static<typeof Ledger>

/** Messages that the broker keeps. Each is sent when it differs from what the broker has. */
export interface Retained {
  /** @param qos 0 for what is soon replaced */
  put (topic: string, text: string, qos: 0 | 1): void
  /** Sends a picture; it is not sent again when the broker has forgotten it. */
  putImage (topic: string, jpeg: Buffer): Promise<void>
  /** Adds to what was announced on a discovery topic. @returns everything that ever was */
  announce (topic: string, components: Components): Components
  /** Clears every topic of ours that is not among these. */
  clearOthers (wanted: ReadonlySet<string>): void
  /** The broker may have forgotten everything. */
  renew (): void
}

export function createRetained (broker: Broker, store: JsonStore<Ledger>,
  log: { debug (fields: object, message: string): void }): Retained {
  const sent = new Map<string, string>()
  /** Nothing is sent on a topic before what was sent on it has gone, so that a slow broker makes no queue. */
  const underWay = new Map<string, number>()
  /** Counts connections: what is told of an earlier one says nothing of this one. */
  let connection = 0

  function save (ledger: Ledger): void {
    store.set(ledger)
      .catch((error: Error) => log.debug({ err: error }, 'what the broker keeps could not be noted'))
  }

  /** Before it is sent: what was sent and not noted would stay for ever. */
  function note (topic: string): void {
    const ledger = store.get()
    if (!Object.hasOwn(ledger, topic)) save({ ...ledger, [topic]: {} })
  }

  function send (topic: string, text: string, qos: 0 | 1, done: () => void): void {
    if (underWay.has(topic) || !broker.connected) return
    const during = connection
    underWay.set(topic, during)
    broker.publish(topic, text, { qos, retain: true })
      .then(() => { if (during === connection) done() })
      .catch((error: Error) => log.debug({ err: error, topic }, 'not published'))
      .finally(() => { if (underWay.get(topic) === during) underWay.delete(topic) })
  }

  function forget (topic: string): void {
    sent.delete(topic)
    const { [topic]: _cleared, ...others } = store.get()
    save(others)
  }

  return {
    put (topic, text, qos) {
      if (sent.get(topic) === text) return
      note(topic)
      send(topic, text, qos, () => sent.set(topic, text))
    },
    async putImage (topic, jpeg) {
      note(topic)
      await broker.publish(topic, jpeg, { qos: 0, retain: true })
    },
    announce (topic, components) {
      const ledger = store.get()
      const known = ledger[topic] ?? {}
      const isNew = Object.entries(components).some(([key, platform]) => known[key] !== platform)
      if (!isNew) return known
      const all = { ...known, ...components }
      save({ ...ledger, [topic]: all })
      return all
    },
    clearOthers (wanted) {
      for (const topic of Object.keys(store.get())) {
        if (!wanted.has(topic)) send(topic, '', 1, () => forget(topic))
      }
    },
    renew () {
      connection++
      sent.clear()
      underWay.clear()
    }
  }
}
