import { randomUUID } from 'node:crypto'
import type { KV } from '@nats-io/kv'
import type { FastifyBaseLogger } from 'fastify'
import type { PrinterRegistry } from '../../../core/index.js'
import { HeldElsewhere } from '../errors.js'
import { createLease, RENEW_MS, type Lease, type LeaseStore } from './lease.js'

/** Interval of the check for expired leases, between two renewals. */
const CHECK_MS = 500
const WRONG_REVISION = 10_071

interface SharedDeps {
  readonly names: readonly string[]
  readonly registry: PrinterRegistry
  /** Key of a printer by its serial number, which stays the same when the printer is renamed. */
  readonly key: (serial: string) => string
  /** Of this node, for display. */
  readonly place: string
  /** Undefined without a connection. */
  readonly bucket: () => KV | undefined
  readonly log: FastifyBaseLogger
  readonly onFailure: (error: Error) => void
}

/** Printers that several nodes of a site have, of which one holds the session. */
export interface SharedPrinters {
  readonly held: number
  readonly lost: number
  /** @returns undefined for a printer that is not shared, 0 for one that another node holds */
  epoch (printer: string): number | undefined
  /** Releases all leases. */
  close (): Promise<void>
}

const storeIn = (bucket: () => KV | undefined, key: string): LeaseStore => {
  const open = (): KV => {
    const found = bucket()
    if (found === undefined) throw new Error('there is no connection to the fleet')
    return found
  }
  return {
    async get () {
      const entry = await open().get(key)
      return entry === null ? undefined : { revision: entry.revision, owner: entry.string() || undefined }
    },
    async put (owner = '', revision) {
      try {
        return await open().put(key, owner, { previousSeq: revision })
      } catch (error) {
        if ((error as { code?: unknown }).code === WRONG_REVISION) return undefined
        throw error
      }
    }
  }
}

interface Shared { readonly lease: Lease, begun: boolean, busy: boolean, askedAt: number }

export function createSharedPrinters (deps: SharedDeps): SharedPrinters {
  const { registry, log } = deps
  const me = `${deps.place} ${randomUUID()}`
  const all = new Map<string, Shared>()
  const names = new Set(deps.names)
  let lost = 0
  let closed = false

  function sharedOf (name: string): Shared | undefined {
    const known = all.get(name)
    const serial = registry.config(name)?.serial
    if (known !== undefined || serial === undefined) return known
    const made = {
      lease: createLease(storeIn(deps.bucket, deps.key(serial)), me), begun: false, busy: false, askedAt: -Infinity
    }
    all.set(name, made)
    return made
  }

  registry.admitOnly(name => {
    if (!names.has(name)) return
    const lease = sharedOf(name)?.lease
    if (lease?.held !== true) throw new HeldElsewhere(name, lease?.owner?.split(' ')[0] ?? 'no service yet')
  })

  /** The session exists exactly while the lease is held. */
  async function follow (name: string, shared: Shared): Promise<void> {
    const { held, epoch, owner } = shared.lease
    if (held === shared.begun || closed) return
    shared.begun = held
    if (held) {
      log.info({ printer: name, epoch }, 'this service holds the shared printer now')
      await registry.connect(name)
    } else {
      lost++
      log.warn({ printer: name, owner }, 'this service holds the shared printer no longer')
      await registry.disconnect(name)
    }
  }

  async function check (name: string): Promise<void> {
    const shared = sharedOf(name)
    if (shared === undefined) return
    await follow(name, shared)
    const isDue = performance.now() - shared.askedAt >= (shared.lease.held ? RENEW_MS : RENEW_MS / 2)
    if (shared.busy || !isDue || deps.bucket() === undefined) return
    shared.busy = true
    shared.askedAt = performance.now()
    await shared.lease.tick().finally(() => { shared.busy = false })
    await follow(name, shared)
  }

  const timer = setInterval(() => { for (const name of names) check(name).catch(deps.onFailure) }, CHECK_MS)

  return {
    get held () { return [...all.values()].filter(({ lease }) => lease.held).length },
    get lost () { return lost },
    epoch (printer) {
      if (!names.has(printer)) return undefined
      const lease = sharedOf(printer)?.lease
      return lease?.held === true ? lease.epoch : 0
    },
    async close () {
      closed = true
      clearInterval(timer)
      await Promise.all([...all].map(async ([name, { lease, begun }]) => {
        if (begun) await registry.disconnect(name)
        await lease.release().catch(deps.onFailure)
      }))
    }
  }
}
