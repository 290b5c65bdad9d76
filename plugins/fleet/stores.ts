import { jetstream, jetstreamManager, type JetStreamClient, type JetStreamPublishOptions } from '@nats-io/jetstream'
import { Kvm, type KV } from '@nats-io/kv'
import { headers, nanos, type NatsConnection } from '@nats-io/transport-node'
import type { Names } from './names.js'

/** The stores that a hub reads. */
export interface HubStores {
  readonly state: KV
  readonly events: JetStreamClient
}

/** The last state of each printer of this node. Nodes only write, so that a site learns nothing about another. */
export interface StateStore {
  put (key: string, signed: Uint8Array): Promise<unknown>
  remove (key: string, signed: Uint8Array): Promise<unknown>
}

/** The stores that a node writes to. */
export interface NodeStores {
  readonly state: StateStore
  /** Leases of shared printers; undefined when no printer is shared. */
  readonly leases: KV | undefined
  addEvent (subject: string, id: string, signed: Uint8Array): Promise<unknown>
}

const DAY_MS = 86_400_000
const EVENT_DAYS = 7
const EVENT_BYTES = 256 * 1024 ** 2
const STATE_BYTES = 1024 ** 3
const LEASE_BYTES = 64 * 1024 ** 2
/** Alerts that a node sends again after being cut off for this long are still recognised as duplicates. */
const DUPLICATE_MS = 3_600_000

/** Short enough to retry a renewal while the lease still holds. */
const LEASE_TIMEOUT_MS = 2_000

/** Name of the library's error when no stream stores the message; it does not export the class. */
const NOT_THERE = 'JetStreamNotEnabled'

/** Like the library's buckets but without roll-ups, by which the writer of one key could empty the bucket. */
const bucket = (name: string, maxBytes: number, replicas: number) => ({
  name: `KV_${name}`,
  subjects: [`$KV.${name}.>`],
  max_msgs_per_subject: 1,
  max_bytes: maxBytes,
  discard: 'new' as const,
  allow_direct: true,
  allow_rollup_hdrs: false,
  num_replicas: replicas
})

const configsOf = (names: Names, replicas: number) => [
  bucket(names.state, STATE_BYTES, replicas),
  bucket(names.leases, LEASE_BYTES, replicas),
  {
    name: names.events,
    subjects: [names.eventSubjects],
    max_age: nanos(EVENT_DAYS * DAY_MS),
    max_bytes: EVENT_BYTES,
    duplicate_window: nanos(DUPLICATE_MS),
    allow_rollup_hdrs: false,
    num_replicas: replicas
  }
]

/** Creates missing stores, and disables the roll-ups that buckets of version 2.0 still allow. */
async function makeStores (nats: NatsConnection, names: Names, replicas: number): Promise<void> {
  const manager = await jetstreamManager(nats, { checkAPI: false })
  for (const config of configsOf(names, replicas)) {
    const found = await manager.streams.info(config.name).catch(() => undefined)
    if (found === undefined) await manager.streams.add(config)
    else if (found.config.allow_rollup_hdrs) await manager.streams.update(config.name, { allow_rollup_hdrs: false })
  }
}

/** @throws when the servers allow neither to use nor to create the stores */
export async function openHubStores (nats: NatsConnection, names: Names, replicas: number): Promise<HubStores> {
  await makeStores(nats, names, replicas)
  return { state: await new Kvm(nats).open(names.state, { allow_direct: true }), events: jetstream(nats) }
}

export interface NodeStoresOptions {
  readonly replicas: number
  readonly site: string
  /** Whether printers are shared. */
  readonly withLeases: boolean
}

/**
 * A node needs no permission but to write, so the stores are not queried first. Missing ones are created when a write
 * fails, if the servers allow it.
 */
export async function openNodeStores (nats: NatsConnection, names: Names,
  { replicas, site, withLeases }: NodeStoresOptions): Promise<NodeStores> {
  const client = jetstream(nats)
  let making: Promise<void> | undefined
  async function make (): Promise<void> {
    making ??= makeStores(nats, names, replicas).finally(() => { making = undefined })
    await making
  }

  /** Retries after creating the stores if they were missing. */
  async function withStores<T> (work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if ((error as Error).name !== NOT_THERE) throw error
      await make().catch(() => { throw error })
      return await work()
    }
  }

  const publish = (subject: string, bytes: Uint8Array, options: Partial<JetStreamPublishOptions> = {}) =>
    withStores(() => client.publish(subject, bytes, options))

  async function openLeases (): Promise<KV> {
    const manager = new Kvm(jetstream(nats, { timeout: LEASE_TIMEOUT_MS }))
    const leases = await manager.open(names.leases, { allow_direct: true })
    await withStores(() => leases.get(names.lease(site, 'probe')))
    return leases
  }

  const removal = headers()
  removal.set('KV-Operation', 'DEL')
  return {
    state: {
      put: (key, signed) => publish(names.stateSubject(key), signed),
      remove: (key, signed) => publish(names.stateSubject(key), signed, { headers: removal })
    },
    leases: withLeases ? await openLeases() : undefined,
    addEvent: (subject, id, signed) => publish(subject, signed, { msgID: id })
  }
}
