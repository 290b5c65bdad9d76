import { join } from 'node:path'
import type { Msg } from '@nats-io/transport-node'
import type { FastifyBaseLogger } from 'fastify'
import { Type } from 'typebox'
import { openJsonStore, type Kernel, type PrinterRegistry } from '../../../core/index.js'
import type { Link } from '../link.js'
import type { Names } from '../names.js'
import type { Login, Options } from '../options.js'
import type { Part } from '../part.js'
import { rateLimited } from '../rate-limited.js'
import { signMessage, type SigningKey } from '../signed-message.js'
import { openNodeStores, type NodeStores } from '../stores.js'
import { startHeartbeat } from './heartbeat.js'
import { createCalls } from './calls.js'
import { openHubKeys } from './hub-keys.js'
import { openJournal } from './journal.js'
import { createSharedPrinters } from './shared-printers.js'
import { createPublisher } from './state-publisher.js'
import { createCallVerifier } from './verify-call.js'
import type { Alert } from '../../alerts/index.js'

export interface NodeDeps {
  readonly kernel: Kernel
  readonly printers: PrinterRegistry
  readonly link: Link
  readonly names: Names
  readonly login: Login
  readonly options: Options
  readonly log: FastifyBaseLogger
  readonly folder: string
  readonly signingKey: SigningKey
  readonly onAlert: (listener: (alert: Alert) => void) => void
}

const RETRY_MS = 2_000

/** Offers the printers of this service to the fleet. */
export async function createNode (deps: NodeDeps): Promise<Part> {
  const { kernel, printers, link, names, login: { site, node }, options, log, folder, signingKey } = deps
  let stores: NodeStores | undefined
  let retry: NodeJS.Timeout | undefined
  let closed = false
  const failures = rateLimited((error: Error) => log.warn({ err: error }, 'the fleet did not accept a message; it will be sent again'))
  const figures = { failures: 0, dropped: 0, done: 0, refused: 0, unproven: 0 }
  const onFailure = (error: Error) => {
    figures.failures++
    failures(error)
  }
  const usable = () => link.connected ? stores : undefined

  const callSubject = names.call(site, node)
  const hubKeys = await openHubKeys({
    folder, configured: options.hubKeys, subject: `${callSubject}.hub`, log, now: kernel.now, onPinned: () => heartbeat.send()
  })
  const heartbeat = startHeartbeat(link, {
    subject: names.heartbeat(site, node), signingKey, printers: () => printers.sessions.length, hubs: () => hubKeys.all
  })
  const journal = await openJournal({
    folder,
    warn: message => log.warn(message),
    publish: () => {
      const usableNow = usable()
      const subject = names.event(site, node)
      return usableNow && (event => usableNow.addEvent(subject, `${event.journal}:${event.number}`,
        signMessage(signingKey, subject, kernel.redact(JSON.stringify(event)))))
    },
    onFailure,
    onDropped () {
      if (figures.dropped++ === 0) log.error('too many alerts are waiting for the fleet: the oldest are dropped')
    }
  })
  const shared = createSharedPrinters({
    names: options.shared ?? [],
    registry: printers,
    key: serial => names.lease(site, serial),
    place: `${site}/${node}`,
    bucket: () => usable()?.leases,
    log,
    onFailure
  })
  const publisher = createPublisher({
    key: printer => names.key(site, node, printer),
    subject: names.stateSubject,
    signingKey,
    run: heartbeat.run,
    epoch: shared.epoch,
    isConfigured: printer => printers.config(printer) !== undefined,
    redact: kernel.redact,
    bucket: () => usable()?.state,
    onFailure
  }, kernel.now)
  const onDone = (_operation: string, result: 'done' | 'refused') => { figures[result]++ }
  const verify = createCallVerifier({
    subject: `${callSubject}.do`,
    hubKeys,
    run: heartbeat.run,
    onUnproven () {
      if (figures.unproven++ === 0) log.warn('received calls that no accepted hub has signed; they are dropped and counted')
    }
  })
  const calls = createCalls({ kernel, heartbeat, signingKey, verify, epoch: shared.epoch, onDone })
  const published = await openPublished(folder, message => log.warn(message))

  /** Removes printers of an earlier run that this one does not have. */
  async function sweep (): Promise<void> {
    const held = printers.names.filter(printer => shared.epoch(printer) !== 0)
    for (const printer of published.without(held)) await publisher.remove(printer)
    await published.replace(held)
  }

  async function open (): Promise<void> {
    clearTimeout(retry)
    try {
      const nats = await link.opened
      stores ??= await openNodeStores(nats, names, {
        replicas: options.replicas, site, withLeases: options.shared !== undefined
      })
      await sweep()
      publisher.publishAll()
      journal.flush()
    } catch (error) {
      if (closed) return
      onFailure(error as Error)
      retry = setTimeout(() => { void open() }, RETRY_MS).unref()
    }
  }

  link.opened.then(nats => {
    const subscribe = (kind: string, take: (message: Msg) => void) => nats.subscribe(`${callSubject}.${kind}`, {
      callback: (error, message) => error ? onFailure(error) : take(message)
    })
    subscribe('hub', ({ data }) => hubKeys.receive(data))
    subscribe('do', ({ data }) => calls.take(data, nats, onFailure))
    subscribe('cancel', message => calls.cancel(message.string()))
    subscribe('part', ({ data }) => calls.part(data))
  }).catch(() => {}) // reported by the link
  link.onConnect(() => { void open() })
  printers.eachLocal(session => {
    published.add(session.name)
    return publisher.follow(session)
  })
  kernel.events.on('printer:forgotten', publisher.forget)
  deps.onAlert(alert => journal.add({ ...alert, payload: { ...alert.payload } }))

  return {
    role: 'node',
    status: () => ({
      role: 'node' as const,
      connected: link.connected,
      loaded: true,
      waiting_states: publisher.waiting,
      lag_s: Math.round(publisher.lagMs / 100) / 10,
      waiting_alerts: journal.waiting,
      dropped_alerts: figures.dropped,
      calls_done: figures.done,
      calls_refused: figures.refused,
      calls_unproven: figures.unproven,
      key: signingKey.publicKey,
      problems: [...hubKeys.problems],
      failures: figures.failures,
      leases_held: shared.held,
      leases_lost: shared.lost,
      nodes: []
    }),
    async close () {
      closed = true
      clearTimeout(retry)
      await shared.close()
      publisher.close()
      heartbeat.close()
      calls.close()
      await journal.close()
    }
  }
}

/** Names of the printers that this node has published to the fleet, in this run or an earlier one. */
interface Published {
  add (printer: string): void
  without (printers: readonly string[]): readonly string[]
  replace (printers: readonly string[]): Promise<void>
}

/**
 * A node may write to the bucket of states but not list it, which would reveal the printers of other sites. So it
 * remembers on disk which printers it has to remove.
 */
async function openPublished (folder: string, warn: (message: string) => void): Promise<Published> {
  const store = await openJsonStore(join(folder, 'published.json'),
    { schema: Type.Array(Type.String()), initial: [], warn, compact: true })
  const set = async (names: Iterable<string>) => {
    await store.set([...names]).catch((error: Error) => warn(`the list of published printers cannot be written to disk: ${error.message}`))
  }
  return {
    add (printer) {
      if (!store.get().includes(printer)) void set([...store.get(), printer])
    },
    without: printers => store.get().filter(name => !printers.includes(name)),
    replace: printers => set(printers)
  }
}
