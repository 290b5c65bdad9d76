import type { FastifyBaseLogger } from 'fastify'
import type { Kernel, PrinterRegistry } from '../../../core/index.js'
import type { Alert } from '../../alerts/index.js'
import { HoldsNone } from '../errors.js'
import type { Link } from '../link.js'
import type { Names } from '../names.js'
import type { Options } from '../options.js'
import type { Part } from '../part.js'
import { signMessage, type SigningKey } from '../signed-message.js'
import type { HubIntroduction } from '../types.js'
import { followAlerts } from './alerts.js'
import { Caller } from './caller.js'
import { createDirectory, subscribeHeartbeats, placeName, type Directory, type NodeSeen } from './directory.js'
import { openDisplayNames } from './display-names.js'
import { hubStatus } from './hub-status.js'
import { openNodeKeys } from './node-keys.js'
import { Printers } from './printers.js'
import { Reachability } from './reachability.js'
import { StoreFollowers } from './store-followers.js'

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

/** Shows the printers of the whole fleet. */
export async function createHub (deps: HubDeps): Promise<Part> {
  const { kernel: { now }, link, names, options, log, folder, signingKey } = deps
  const { publicKey } = signingKey
  const begunAt = performance.now()
  deps.printers.admitOnly(() => { throw new HoldsNone() })

  const displayNames = await openDisplayNames(folder, log)
  const keys = await openNodeKeys({
    folder, configured: options.nodeKeys ?? {}, log, onPinned: place => printers.recheck(place)
  })
  const directory = createDirectory({
    keys, now, onChange: place => printers.reachAgain(place), onHeartbeat: node => introduce(node, deps)
  })
  const reachability = new Reachability({ link, directory, publicKey })
  const caller = new Caller({ link, names, directory, signingKey, keys, reachability })
  askNodes(deps.printers, { directory, caller, reachability })
  const heartbeats = subscribeHeartbeats(link, names, directory.receive)
  const printers = new Printers({
    registry: deps.printers, names, keys, displayNames, caller, link, reachability, now, log, onSite: heartbeats.follow
  })

  const stores = new StoreFollowers({
    link,
    names,
    replicas: options.replicas,
    log,
    followStates: bucket => printers.watch(bucket),
    followAlerts: events => followAlerts({
      events,
      stream: names.events,
      keys,
      nameOf: (place, printer) => printers.nameOf(place, printer),
      ageMs: () => performance.now() - begunAt,
      deliver: deps.deliver
    }),
    ready: deps.ready
  })
  void stores.open()
  const timer = setInterval(() => {
    directory.tick()
    printers.tick()
  }, TICK_MS).unref()

  return {
    role: 'hub',
    status: () => hubStatus({ link, printers, directory, caller, keys, displayNames, reachability, publicKey }),
    async close () {
      stores.close()
      clearInterval(timer)
    }
  }
}

/** A node that does not accept calls of this hub may not know its key. */
function introduce ({ site, node, hubs }: NodeSeen, { link, names, signingKey, place }: HubDeps): void {
  if (hubs.includes(signingKey.publicKey)) return
  const subject = `${names.call(site, node)}.hub`
  const introduction: HubIntroduction = { hub: place }
  link.nats?.publish(subject, signMessage(signingKey, subject, JSON.stringify(introduction)))
}

interface AskedParts {
  readonly directory: Directory
  readonly caller: Caller
  readonly reachability: Reachability
}

/** Operations that concern no single printer ask every node. */
function askNodes (registry: PrinterRegistry, { directory, caller, reachability }: AskedParts): void {
  registry.askOthers(() => directory.all.map(node => {
    const place = placeName(node)
    const to = { place, printer: '', shown: place, epoch: undefined }
    return {
      name: place,
      get reachable () { return reachability.whyNotAsk(place) === undefined },
      call: (operation, input, options) => caller.call(to, operation, input, options),
      rehearse: (operation, input, options) => caller.rehearse(to, operation, input, options)
    }
  }))
}
