import type { FastifyBaseLogger } from 'fastify'
import type { Kernel, PrinterRegistry } from '../../../core/index.js'
import type { Alert } from '../../alerts/index.js'
import type { Link } from '../connect.js'
import { HoldsNone } from '../errors.js'
import type { Names } from '../names.js'
import type { Options } from '../options.js'
import type { Part } from '../part.js'
import { openStores, type Stores } from '../stores.js'
import { followAlerts } from './alerts.js'
import { createCaller } from './caller.js'
import { createDirectory, hearBeats, placeName, type NodeSeen } from './directory.js'
import { createPrinters } from './printers.js'

export interface HubDeps {
  readonly kernel: Kernel
  readonly printers: PrinterRegistry
  readonly link: Link
  readonly names: Names
  readonly options: Options
  readonly log: FastifyBaseLogger
  /** Resolves when every plugin listens: nothing is told before. */
  readonly ready: Promise<void>
  /** @param isNew raised since this service has been running */
  readonly deliver: (alert: Alert, isNew: boolean) => void
}

const TICK_MS = 500
const RETRY_MS = 2_000

const secondsSince = ({ heardAt }: Pick<NodeSeen, 'heardAt'>) => Math.round((performance.now() - heardAt) / 100) / 10

/** Shows the printers of the whole fleet. */
export function createHub (deps: HubDeps): Part {
  const { kernel, link, names, options, log } = deps
  let retry: NodeJS.Timeout | undefined
  let closed = false
  let stores: Stores | undefined
  const begunAt = performance.now()
  const ageMs = () => performance.now() - begunAt
  deps.printers.admitOnly(() => { throw new HoldsNone() })

  const directory = createDirectory(kernel.now, place => printers.reachAgain(place))
  const caller = createCaller({ link, names, directory, whyNot: place => printers.whyNot(place) })
  deps.printers.askOthers(() => directory.all.map(node => {
    const place = placeName(node)
    return {
      name: place,
      get reachable () { return printers.whyNot(place) === undefined },
      call: (operation, input, options) => caller.call({ place, printer: '', epoch: undefined }, operation, input, options)
    }
  }))
  const beats = hearBeats(link, names, directory.hear)
  const printers = createPrinters({
    registry: deps.printers, directory, caller, link, now: kernel.now, log, onSite: beats.follow
  })

  async function open (): Promise<void> {
    try {
      const nats = await link.opened
      if (closed || stores !== undefined) return
      const opened = await openStores(nats, names, options.replicas)
      stores = opened
      void keepGoing('the states of printers', () => printers.watch(opened.state))
      void deps.ready.then(() => keepGoing('alerts', followAlerts(opened.events, names.events, ageMs, deps.deliver)))
    } catch (error) {
      if (closed) return
      log.warn({ err: error }, 'the stores of the fleet cannot be opened; it is tried again')
      retry = setTimeout(() => { void open() }, RETRY_MS).unref()
    }
  }

  /** What ends is begun again. */
  async function keepGoing (what: string, follow: () => Promise<void>): Promise<void> {
    for (;;) {
      if (closed) return
      await follow().catch((error: Error) => {
        if (!closed) log.warn({ err: error }, `following ${what} failed; it is tried again`)
      })
      await new Promise(resolve => { retry = setTimeout(resolve, RETRY_MS) })
    }
  }

  void open()
  const timer = setInterval(() => {
    directory.tick()
    printers.tick()
  }, TICK_MS).unref()

  return {
    role: 'hub',
    status: () => ({
      role: 'hub' as const,
      connected: link.connected,
      loaded: printers.loaded,
      waiting_states: 0,
      lag_s: Math.max(0, ...directory.all.filter(({ reachable }) => reachable).map(secondsSince)),
      waiting_alerts: 0,
      dropped_alerts: 0,
      calls_done: caller.figures.done,
      calls_refused: caller.figures.refused,
      failures: caller.figures.unconfirmed,
      leases_held: 0,
      leases_lost: 0,
      nodes: directory.all.map(({ site, node, reachable, heardAt, printers: count, version }) => ({
        site, node, reachable, seen_s: secondsSince({ heardAt }), printers: count, version
      }))
    }),
    async close () {
      closed = true
      clearTimeout(retry)
      clearInterval(timer)
    }
  }
}
