import type { FastifyBaseLogger } from 'fastify'
import type { Events, Kernel, PrinterSession } from '../../core/index.js'
import type {} from '../alerts/index.js' // adds the event
import { AnnouncedPrinter, viewOf } from './announced-printer.js'
import type { Broker } from './broker.js'
import { createCommands, type Target } from './commands.js'
import { EVENT_TYPES, OTHER_ALERT, REFUSED, type Catalogue } from './entities/index.js'
import type { Images } from './images.js'
import type { Retained } from './retained.js'
import { idOf, OFFLINE, ONLINE, type Topics } from './topics.js'

type Alert = Events['alert'][0]
type Health = Events['health:verdict'][1]

export interface BridgeOptions {
  readonly kernel: Kernel
  readonly broker: Broker
  readonly retained: Retained
  readonly topics: Topics
  readonly catalogue: Catalogue
  readonly images: Images | undefined
  readonly log: FastifyBaseLogger
}

/** Only virtual printers, whatever the configuration: the others are not gone, but absent for now. */
const isDemonstration = ({ names, config }: Pick<Kernel['printers'], 'names' | 'config'>): boolean =>
  names.length > 0 && names.every(name => config(name)?.virtual === 'permanent')

/** Publishes every printer to the broker, and runs the commands that come in. */
export class Bridge {
  readonly #options: BridgeOptions
  readonly #announced = new Map<PrinterSession, AnnouncedPrinter>()

  constructor (options: BridgeOptions) {
    this.#options = options
    const { kernel, broker, retained, topics, log } = options
    const receive = createCommands({
      kernel,
      topics,
      log,
      find: (id, key) => this.#find(id, key),
      onRefused: (printer, entity, reason) => this.#publishEvent(printer, { entity, reason, event_type: REFUSED })
    })
    broker.events.on('connected', () => {
      retained.renew()
      this.tick()
    })
    broker.events.on('message', message => {
      if (message.topic === topics.birth) {
        if (!message.isRetained && message.payload.toString() === ONLINE) retained.renew()
      } else {
        void receive(message)
      }
    })
  }

  /** Publishes changes; to be called every second, the shortest interval between two states of a printer. */
  tick (): void {
    const { kernel: { printers }, broker, retained, topics, images } = this.#options
    if (!broker.isConnected) return
    retained.put(topics.status, ONLINE, 1)
    if (!isDemonstration(printers)) retained.clearOthers(this.#wanted())
    for (const name of printers.names) {
      const session = printers.get(name)
      const isThere = session !== undefined && session.service === 'CONNECTED' && session.live
      retained.put(topics.of(this.#idOf(name)).availability, isThere ? ONLINE : OFFLINE, 1)
    }
    for (const [session, printer] of this.#announced) if (printer.publish()) images?.tick(session)
  }

  follow (session: PrinterSession): () => void {
    const printer = new AnnouncedPrinter(session, this.#options)
    this.#announced.set(session, printer)
    const undo = session.events.on('state', () => printer.change())
    return () => {
      undo()
      this.#announced.delete(session)
    }
  }

  onAlert ({ type, printer, timestamp, severity, payload }: Alert): void {
    const { kernel, images } = this.#options
    const isKnown = EVENT_TYPES.includes(type)
    const more = isKnown ? {} : { alert_type: type }
    this.#publishEvent(printer, { ...payload, ...more, severity, timestamp, event_type: isKnown ? type : OTHER_ALERT })
    const session = kernel.printers.get(printer)
    if (session !== undefined) images?.onAlert(session, type)
  }

  onVerdict (printer: string, { verdict }: Health): void {
    const session = this.#options.kernel.printers.get(printer)
    if (session !== undefined) this.#announced.get(session)?.judge(verdict)
  }

  /** All topics of the configured printers, with or without a session. */
  #wanted (): Set<string> {
    const { kernel, topics, images } = this.#options
    const all = new Set([topics.status])
    for (const name of kernel.printers.names) {
      const { discovery, availability, state, image } = topics.of(this.#idOf(name))
      for (const topic of [discovery, availability, state]) all.add(topic)
      if (images !== undefined) all.add(image)
    }
    return all
  }

  #publishEvent (printer: string, event: object): void {
    const { kernel, broker, topics, log } = this.#options
    if (!broker.isConnected || kernel.printers.config(printer) === undefined) return // events are not published late
    const text = kernel.redact(JSON.stringify(event))
    broker.publish(topics.of(this.#idOf(printer)).alert, text, { qos: 1, retain: false })
      .catch((error: Error) => log.debug({ err: error, printer }, 'an alert was not published'))
  }

  #find (id: string, key: string): Target | undefined {
    const { kernel: { printers }, catalogue } = this.#options
    const printer = printers.names.find(name => this.#idOf(name) === id)
    if (printer === undefined) return undefined
    const session = printers.get(printer)
    const view = session && viewOf(session)
    return { printer, entity: view && catalogue(view).find(entity => entity.key === key) }
  }

  #idOf (name: string): string { return idOf(this.#options.kernel.printers.config(name)?.serial ?? '') }
}
