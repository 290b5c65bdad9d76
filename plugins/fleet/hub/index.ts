import type { FastifyBaseLogger } from 'fastify'
import type { Kernel, PrinterRegistry } from '../../../core/index.js'
import type { Alert } from '../../alerts/index.js'
import type { Link } from '../link.js'
import { HoldsNone } from '../errors.js'
import type { Names } from '../names.js'
import type { Options } from '../options.js'
import type { Part } from '../part.js'
import { signMessage, type SigningKey } from '../signed-message.js'
import { openHubStores, type HubStores } from '../stores.js'
import type { HubIntroduction } from '../types.js'
import { followAlerts } from './alerts.js'
import { createCaller } from './caller.js'
import { createDirectory, subscribeHeartbeats, placeName, type NodeSeen } from './directory.js'
import { openDisplayNames } from './display-names.js'
import { openNodeKeys } from './node-keys.js'
import { createPrinters } from './printers.js'

export interface HubDeps {
  readonly kernel: Kernel
  readonly printers: PrinterRegistry
  readonly link: Link
  readonly names: Names
  readonly options: Options
  readonly log: FastifyBaseLogger
  /** Of this hub, for display. */
  readonly place: string
  readonly folder: string
  readonly signingKey: SigningKey
  /** Resolves when every plugin listens; no alerts are delivered before. */
  readonly ready: Promise<void>
  /** @param isNew raised since the start of this service */
  readonly deliver: (alert: Alert, isNew: boolean) => void
}

const TICK_MS = 500
const RETRY_MS = 2_000

const secondsSince = ({ heardAt }: Pick<NodeSeen, 'heardAt'>) => Math.round((performance.now() - heardAt) / 100) / 10

/** Shows the printers of the whole fleet. */
export async function createHub (deps: HubDeps): Promise<Part> {
  const { kernel, link, names, options, log, folder, signingKey } = deps
  let retry: NodeJS.Timeout | undefined
  let closed = false
  let stores: HubStores | undefined
  const begunAt = performance.now()
  const ageMs = () => performance.now() - begunAt
  deps.printers.admitOnly(() => { throw new HoldsNone() })

  const displayNames = await openDisplayNames(folder, log)
  const keys = await openNodeKeys({
    folder, configured: options.nodeKeys ?? {}, log, onPinned: place => printers.recheck(place)
  })

  /** A node that does not accept our calls may not know our key. */
  function introduce ({ site, node, hubs }: NodeSeen): void {
    if (hubs.includes(signingKey.publicKey)) return
    const subject = `${names.call(site, node)}.hub`
    const introduction: HubIntroduction = { hub: deps.place }
    link.nats?.publish(subject, signMessage(signingKey, subject, JSON.stringify(introduction)))
  }

  const directory = createDirectory({
    keys, now: kernel.now, onChange: place => printers.reachAgain(place), onHeartbeat: introduce
  })
  const caller = createCaller({
    link, names, directory, signingKey, keys, whyNot: place => printers.whyNotAsk(place)
  })
  deps.printers.askOthers(() => directory.all.map(node => {
    const place = placeName(node)
    return {
      name: place,
      get reachable () { return printers.whyNotAsk(place) === undefined },
      call: (operation, input, options) =>
        caller.call({ place, printer: '', shown: place, epoch: undefined }, operation, input, options)
    }
  }))
  const heartbeats = subscribeHeartbeats(link, names, directory.receive)
  const printers = createPrinters({
    registry: deps.printers,
    names,
    directory,
    keys,
    displayNames,
    caller,
    link,
    publicKey: signingKey.publicKey,
    now: kernel.now,
    log,
    onSite: heartbeats.follow
  })

  /** Why nodes cannot be reached or do not accept calls. */
  const problems = () => [...keys.problems, ...displayNames.problems, ...directory.all
    .filter(({ reachable, hubs }) => reachable && !hubs.includes(signingKey.publicKey))
    .flatMap(node => printers.whyNotAsk(placeName(node)) ?? [])]

  async function open (): Promise<void> {
    try {
      const nats = await link.opened
      if (closed || stores !== undefined) return
      const opened = await openHubStores(nats, names, options.replicas)
      stores = opened
      void keepFollowing('the states of printers', () => printers.watch(opened.state))
      const follow = followAlerts({
        events: opened.events, stream: names.events, keys, nameOf: printers.nameOf, ageMs, deliver: deps.deliver
      })
      void deps.ready.then(() => keepFollowing('alerts', follow))
    } catch (error) {
      if (closed) return
      log.warn({ err: error }, 'the stores of the fleet cannot be opened; trying again')
      retry = setTimeout(() => { void open() }, RETRY_MS).unref()
    }
  }

  /** Restarts a follower whenever it ends. */
  async function keepFollowing (what: string, follow: () => Promise<void>): Promise<void> {
    for (;;) {
      if (closed) return
      await follow().catch((error: Error) => {
        if (!closed) log.warn({ err: error }, `following ${what} failed; trying again`)
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
      calls_unproven: 0,
      key: signingKey.publicKey,
      problems: problems(),
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
