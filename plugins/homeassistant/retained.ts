import { Type, type Static } from 'typebox'
import type { JsonStore } from '../../core/index.js'
import type { Broker } from './broker.js'
import type { Components } from './documents.js'

/**
 * The topics on which the broker may have a retained message of ours, so that a later run can clear them too. For a
 * discovery topic: the platforms of all components that were ever announced there, by their keys.
 */
export const Ledger = Type.Record(Type.String(), Type.Record(Type.String(), Type.String()))
export type Ledger = Static<typeof Ledger>

/** Retained messages. Each is sent when it differs from the last one that the broker has. */
export interface Retained {
  /** @param qos 0 for messages that are soon replaced */
  put (topic: string, text: string, qos: 0 | 1): void
  /** Sends a picture; it is not repeated after a reconnect. */
  putImage (topic: string, jpeg: Buffer): Promise<void>
  /** Adds to the components of a discovery topic. @returns everything that was ever announced there */
  announce (topic: string, components: Components): Components
  /** Clears every topic of ours that is not among these. */
  clearOthers (wanted: ReadonlySet<string>): void
  /** Clears every topic of ours; never rejects. */
  clear (): Promise<void>
  /** Sends everything again, because the broker may have lost it. */
  renew (): void
}

export function createRetained (broker: Broker, store: JsonStore<Ledger>,
  log: { debug (fields: object, message: string): void }): Retained {
  const sent = new Map<string, string>()
  /** One message in transit per topic, so that a slow broker causes no queue. */
  const underWay = new Map<string, number>()
  /** Counts connections, so that late results of an earlier one are ignored. */
  let connection = 0

  function save (ledger: Ledger): void {
    store.set(ledger)
      .catch((error: Error) => log.debug({ err: error }, 'the list of retained topics could not be stored'))
  }

  /** Called before sending: a topic that is not noted would never be cleared. */
  function note (topic: string): void {
    const ledger = store.get()
    if (!Object.hasOwn(ledger, topic)) save({ ...ledger, [topic]: {} })
  }

  function send (topic: string, text: string, qos: 0 | 1, done: () => void): void {
    if (underWay.has(topic) || !broker.isConnected) return
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
    async clear () {
      await Promise.allSettled(Object.keys(store.get()).map(async topic => {
        await broker.publish(topic, '', { qos: 1, retain: true })
        forget(topic)
      }))
    },
    renew () {
      connection++
      sent.clear()
      underWay.clear()
    }
  }
}
