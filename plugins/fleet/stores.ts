import { jetstream, jetstreamManager, type JetStreamClient } from '@nats-io/jetstream'
import { Kvm, type KV } from '@nats-io/kv'
import { nanos, type NatsConnection } from '@nats-io/transport-node'
import type { Names } from './names.js'

/** What the servers keep for a fleet. */
export interface Stores {
  readonly state: KV
  /** Who holds printers that several nodes have; undefined where nobody needs it. */
  readonly leases: KV | undefined
  readonly events: JetStreamClient
}

const DAY_MS = 86_400_000
const EVENT_DAYS = 7
const EVENT_BYTES = 256 * 1024 ** 2
const STATE_BYTES = 1024 ** 3
const LEASE_BYTES = 64 * 1024 ** 2
/** Alerts of a node that was cut off for this long are still told from those that came before. */
const DUPLICATE_MS = 3_600_000

/** A renewal that is not answered is tried again while the lease still holds. */
const LEASE_TIMEOUT_MS = 2_000

/** Opens what the fleet keeps, and makes it where it is missing. @throws when the servers do not allow either */
export async function openStores (nats: NatsConnection, names: Names, replicas: number, withLeases = true):
Promise<Stores> {
  const leases = { history: 1, allow_direct: true, max_bytes: LEASE_BYTES, replicas }
  return {
    state: await openBucket(nats, names.state, { history: 1, max_bytes: STATE_BYTES, replicas }),
    leases: withLeases ? await openBucket(nats, names.leases, leases, LEASE_TIMEOUT_MS) : undefined,
    events: await openEvents(nats, names, replicas)
  }
}

/** A service may be allowed to use a bucket and not to make one, so it is looked for first. */
async function openBucket (nats: NatsConnection, name: string, options: Parameters<Kvm['create']>[1],
  timeout?: number): Promise<KV> {
  const manager = new Kvm(timeout === undefined ? nats : jetstream(nats, { timeout }))
  const { allow_direct: isDirect } = options ?? {}
  const found = await manager.open(name, isDirect === undefined ? {} : { allow_direct: isDirect })
  const isThere = await found.status().then(() => true, () => false)
  return isThere ? found : await manager.create(name, options)
}

async function openEvents (nats: NatsConnection, names: Names, replicas: number): Promise<JetStreamClient> {
  const manager = await jetstreamManager(nats, { checkAPI: false })
  const isThere = await manager.streams.info(names.events).then(() => true, () => false)
  if (!isThere) {
    await manager.streams.add({
      name: names.events,
      subjects: [names.eventSubjects],
      max_age: nanos(EVENT_DAYS * DAY_MS),
      max_bytes: EVENT_BYTES,
      duplicate_window: nanos(DUPLICATE_MS),
      num_replicas: replicas
    })
  }
  return jetstream(nats)
}
