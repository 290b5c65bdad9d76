import type { FastifyBaseLogger } from 'fastify'
import type { Kernel, PrinterRegistry } from '../../../core/index.js'
import type { Link } from '../connect.js'
import type { Names } from '../names.js'
import type { Login, Options } from '../options.js'
import type { Part } from '../part.js'
import { openStores, type Stores } from '../stores.js'
import { startBeating } from './beat.js'
import { createCalls } from './calls.js'
import { openJournal } from './journal.js'
import { createSharedPrinters } from './shared-printers.js'
import { createPublisher } from './state-publisher.js'
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
  readonly onAlert: (listener: (alert: Alert) => void) => void
}

const RETRY_MS = 2_000

/** Offers the printers of this service to the fleet. */
export async function createNode (deps: NodeDeps): Promise<Part> {
  const { kernel, printers, link, names, login: { site, node }, options, log, folder } = deps
  let stores: Stores | undefined
  let retry: NodeJS.Timeout | undefined
  let closed = false
  const failures = quieted(log)
  const figures = { failures: 0, dropped: 0, done: 0, refused: 0 }
  const onFailure = (error: Error) => {
    figures.failures++
    failures(error)
  }
  const usable = () => link.connected ? stores : undefined

  const heart = startBeating(link, names.beat(site, node), () => printers.sessions.length)
  const journal = await openJournal({
    folder,
    warn: message => log.warn(message),
    publish: () => {
      const events = usable()?.events
      return events && (event => events.publish(names.event(site, node), kernel.redact(JSON.stringify(event)),
        { msgID: `${event.journal}:${event.number}` }))
    },
    onFailure,
    onDropped () {
      if (figures.dropped++ === 0) log.error('too many alerts wait for the fleet: the oldest are dropped')
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
    run: heart.run,
    epoch: shared.epoch,
    isConfigured: printer => printers.config(printer) !== undefined,
    redact: kernel.redact,
    bucket: () => usable()?.state,
    onFailure
  }, kernel.now)
  const onDone = (_operation: string, result: 'done' | 'refused') => { figures[result]++ }
  const calls = createCalls({ kernel, heart, epoch: shared.epoch, onDone })

  /** Printers of an earlier run that this one does not have. */
  async function sweep ({ state }: Stores): Promise<void> {
    const held = printers.names.filter(printer => shared.epoch(printer) !== 0)
    const own = new Set(held.map(printer => names.key(site, node, printer)))
    const old: string[] = []
    for await (const key of await state.keys(`${site}.${node}.>`)) if (!own.has(key)) old.push(key)
    for (const key of old) await state.delete(key)
  }

  async function open (): Promise<void> {
    clearTimeout(retry)
    try {
      const nats = await link.opened
      stores ??= await openStores(nats, names, options.replicas, options.shared !== undefined)
      await sweep(stores)
      publisher.tellAll()
      journal.flush()
    } catch (error) {
      if (closed) return
      onFailure(error as Error)
      retry = setTimeout(() => { void open() }, RETRY_MS).unref()
    }
  }

  link.opened.then(nats => {
    nats.subscribe(`${names.call(site, node)}.do`, {
      callback: (error, message) => error ? onFailure(error) : calls.take(message, nats, onFailure)
    })
    nats.subscribe(`${names.call(site, node)}.cancel`, {
      callback: (error, message) => error ? onFailure(error) : calls.cancel(message.string())
    })
    nats.subscribe(`${names.call(site, node)}.part`, {
      callback: (error, { data }) => error ? onFailure(error) : calls.part(data)
    })
  }).catch(() => {}) // told by the link
  link.onConnect(() => { void open() })
  printers.eachLocal(publisher.follow)
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
      heart.close()
      calls.close()
      await journal.close()
    }
  }
}

const QUIET_MS = 60_000

/** What fails fails often: the log has one line a minute. */
function quieted (log: FastifyBaseLogger) {
  let toldAt = -Infinity
  return (error: Error): void => {
    if (performance.now() - toldAt < QUIET_MS) return
    toldAt = performance.now()
    log.warn({ err: error }, 'the fleet did not take something; it is sent again')
  }
}
