import type { Msg, NatsConnection } from '@nats-io/transport-node'
import type { FastifyBaseLogger } from 'fastify'
import type { Kernel, PrinterRegistry } from '../../../core/index.js'
import type { Alert } from '../../alerts/index.js'
import type { Link } from '../link.js'
import type { Names } from '../names.js'
import type { Login, Options } from '../options.js'
import type { Part } from '../part.js'
import { signMessage, type SigningKey } from '../signed-message.js'
import type { NodeStores } from '../stores.js'
import type { AlertEvent } from '../types.js'
import { Calls } from './calls.js'
import { ConnectedStores } from './connected-stores.js'
import { startHeartbeat } from './heartbeat.js'
import { openHubKeys } from './hub-keys.js'
import { openJournal } from './journal.js'
import { NodeFigures } from './node-figures.js'
import { nodeStatus } from './node-status.js'
import { openPublishedNames } from './published-names.js'
import { createSharedPrinters } from './shared-printers.js'
import { StatePublisher } from './state-publisher.js'
import { createCallVerifier } from './verify-call.js'

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

/** Offers the printers of this service to the fleet. */
export async function createNode (deps: NodeDeps): Promise<Part> {
  const { kernel, printers, link, signingKey: { publicKey } } = deps
  const parts = await openParts(deps)
  const { figures, stores, hubKeys, heartbeat, journal, published, shared, publisher, calls, trials } = parts
  link.opened.then(nats => subscribe(nats, deps, parts)).catch(() => {}) // reported by the link
  stores.onOpen(async () => {
    await removeOld(printers, parts)
    publisher.publishAll()
    journal.flush()
  })
  printers.eachLocal(session => {
    published.add(session.name)
    return publisher.follow(session)
  })
  kernel.events.on('printer:forgotten', printer => publisher.forget(printer))
  deps.onAlert(alert => journal.add({ ...alert, payload: { ...alert.payload } }))

  return {
    role: 'node',
    status: () => nodeStatus({ link, publisher, journal, hubKeys, shared, figures, publicKey }),
    async close () {
      stores.close()
      await shared.close()
      publisher.close()
      heartbeat.close()
      calls.close()
      trials.close()
      await journal.close()
    }
  }
}

type NodeParts = Awaited<ReturnType<typeof openParts>>

async function openParts (deps: NodeDeps) {
  const { kernel, printers, link, names, login: { site, node }, options, log, folder, signingKey } = deps
  const warn = (message: string) => log.warn(message)
  const figures = new NodeFigures(log)
  const onFailure = (error: Error) => figures.countFailure(error)
  const stores = new ConnectedStores({
    link, names, replicas: options.replicas, site, withLeases: options.shared !== undefined, onFailure
  })
  const hubKeys = await openHubKeys({
    folder,
    configured: options.hubKeys,
    subject: `${names.call(site, node)}.hub`,
    log,
    now: kernel.now,
    onPinned: () => heartbeat.send()
  })
  const heartbeat = startHeartbeat(link, {
    subject: names.heartbeat(site, node), signingKey, printers: () => printers.sessions.length, hubs: () => hubKeys.all
  })
  const journal = await openJournal({
    folder, warn, publish: () => eventSender(deps, stores.current), onFailure, onDropped: () => figures.countDropped()
  })
  const shared = createSharedPrinters({
    names: options.shared ?? [],
    registry: printers,
    key: serial => names.lease(site, serial),
    place: `${site}/${node}`,
    bucket: () => stores.current?.leases,
    log,
    onFailure
  })
  const publisher = new StatePublisher({
    key: printer => names.key(site, node, printer),
    subject: names.stateSubject,
    signingKey,
    run: heartbeat.run,
    epoch: shared.epoch,
    isConfigured: printer => printers.config(printer) !== undefined,
    redact: kernel.redact,
    bucket: () => stores.current?.state,
    onFailure,
    now: kernel.now
  })
  const common = { hubKeys, run: heartbeat.run, onUnproven: () => figures.countUnproven() }
  const verify = createCallVerifier({ ...common, subject: `${names.call(site, node)}.do` })
  const calls = new Calls({
    kernel, heartbeat, signingKey, verify, epoch: shared.epoch, onDone: result => figures.countCall(result)
  })
  const verifyTrial = createCallVerifier({ ...common, isTrial: true, subject: `${names.call(site, node)}.try` })
  const trials = new Calls({
    kernel, isTrial: true, heartbeat, signingKey, verify: verifyTrial, epoch: shared.epoch, onDone () {}
  })
  const published = await openPublishedNames(folder, warn)
  return { figures, stores, hubKeys, heartbeat, journal, published, shared, publisher, calls, trials, onFailure }
}

/** @returns sends an alert to the stream of the fleet; undefined without a connection */
function eventSender ({ kernel, names, login: { site, node }, signingKey }: NodeDeps, stores: NodeStores | undefined):
((event: AlertEvent) => Promise<unknown>) | undefined {
  const subject = names.event(site, node)
  return stores && (event => stores.addEvent(subject, `${event.journal}:${event.number}`,
    signMessage(signingKey, subject, kernel.redact(JSON.stringify(event)))))
}

function subscribe (nats: NatsConnection, { names, login: { site, node } }: NodeDeps,
  { hubKeys, calls, trials, onFailure }: NodeParts): void {
  const on = (kind: string, take: (message: Msg) => void) => nats.subscribe(`${names.call(site, node)}.${kind}`, {
    callback: (error, message) => error ? onFailure(error) : take(message)
  })
  on('hub', ({ data }) => hubKeys.receive(data))
  on('do', ({ data }) => calls.take(data, nats, onFailure))
  on('try', ({ data }) => trials.take(data, nats, onFailure))
  on('cancel', message => {
    calls.cancel(message.string())
    trials.cancel(message.string())
  })
  on('part', ({ data }) => calls.part(data))
}

/** Removes printers of an earlier run that this one does not have. */
async function removeOld (printers: PrinterRegistry, { published, shared, publisher }: NodeParts): Promise<void> {
  const held = printers.names.filter(printer => shared.epoch(printer) !== 0)
  for (const printer of published.without(held)) await publisher.remove(printer)
  await published.replace(held)
}
