import type { FastifyBaseLogger } from 'fastify'
import type { Events, Kernel, PrinterSession } from '../../core/index.js'
import type {} from '../alerts/index.js' // adds the event
import type { Broker } from './broker.js'
import { createCommands, type Target } from './commands.js'
import { componentsOf, discoveryDocument, signatureOf, stateDocument } from './documents.js'
import { EVENT_TYPES, OTHER_ALERT, REFUSED, type Catalogue, type View } from './entities/index.js'
import type { Images } from './images.js'
import type { Retained } from './retained.js'
import { idOf, OFFLINE, ONLINE, type PrinterTopics, type Topics } from './topics.js'

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

/** Publishes every printer to the broker, and runs the commands that come in. */
export interface Bridge {
  /** Publishes changes; to be called every second, the shortest interval between two states of a printer. */
  tick (): void
  follow (session: PrinterSession): () => void
  onAlert (alert: Alert): void
  onVerdict (printer: string, health: Health): void
}

/**
 * A printer's features appear one by one in its first reports, and Home Assistant ignores new entities in an
 * announcement that arrives while it is still setting up those of the previous one.
 */
const SETTLING_S = 3

/** Cached results for a printer. */
interface Followed {
  readonly topics: PrinterTopics
  verdict: Health['verdict']
  changed: boolean
  signature: string
  /** The announced discovery, and the next one after `settling` more seconds without a change; both empty at first. */
  discovery: string
  next: string
  settling: number
  state: string
}

export function createBridge ({ kernel, broker, retained, topics, catalogue, images, log }: BridgeOptions): Bridge {
  const { printers } = kernel
  const followed = new Map<PrinterSession, Followed>()

  const idOfPrinter = (name: string): string => idOf(printers.config(name)?.serial ?? '')

  function publishEvent (printer: string, event: object): void {
    if (!broker.connected || printers.config(printer) === undefined) return // events are not published late
    const text = kernel.redact(JSON.stringify(event))
    broker.publish(topics.of(idOfPrinter(printer)).alert, text, { qos: 1, retain: false })
      .catch((error: Error) => log.debug({ err: error, printer }, 'an alert was not published'))
  }

  function find (id: string, key: string): Target | undefined {
    const printer = printers.names.find(name => idOfPrinter(name) === id)
    if (printer === undefined) return undefined
    const session = printers.get(printer)
    const view = session && viewOf(session)
    return { printer, entity: view && catalogue(view).find(entity => entity.key === key) }
  }

  const receive = createCommands({
    kernel,
    topics,
    log,
    find,
    onRefused: (printer, entity, reason) => publishEvent(printer, { entity, reason, event_type: REFUSED })
  })

  /** A printer is announced only after its first report. */
  function update (session: PrinterSession, cached: Followed): void {
    const view = viewOf(session, cached.verdict)
    if (!cached.changed || view === undefined) return
    cached.changed = false
    const entities = catalogue(view)
    const signature = signatureOf(view, entities)
    if (signature !== cached.signature) {
      cached.signature = signature
      const before = retained.announce(cached.topics.discovery, componentsOf(entities))
      const discovery = discoveryDocument({ view, entities, topics, version: kernel.version, before })
      cached.next = kernel.redact(JSON.stringify(discovery))
      cached.settling = SETTLING_S
    }
    cached.state = kernel.redact(JSON.stringify(stateDocument(view, entities)))
  }

  function publish (session: PrinterSession, cached: Followed): void {
    update(session, cached)
    if (cached.settling > 0 && --cached.settling === 0) cached.discovery = cached.next
    if (cached.discovery === '') return
    retained.put(cached.topics.discovery, cached.discovery, 1)
    retained.put(cached.topics.state, cached.state, 0)
    images?.tick(session)
  }

  /** All topics of the configured printers, with or without a session. */
  function wanted (): Set<string> {
    const all = new Set([topics.status])
    for (const name of printers.names) {
      const { discovery, availability, state, image } = topics.of(idOfPrinter(name))
      for (const topic of [discovery, availability, state]) all.add(topic)
      if (images !== undefined) all.add(image)
    }
    return all
  }

  function tick (): void {
    if (!broker.connected) return
    retained.put(topics.status, ONLINE, 1)
    retained.clearOthers(wanted())
    for (const name of printers.names) {
      const session = printers.get(name)
      const isThere = session !== undefined && session.service === 'CONNECTED' && session.live
      retained.put(topics.of(idOfPrinter(name)).availability, isThere ? ONLINE : OFFLINE, 1)
    }
    for (const [session, cached] of followed) publish(session, cached)
  }

  broker.events.on('connected', () => {
    retained.renew()
    tick()
  })
  broker.events.on('message', message => {
    if (message.topic === topics.birth) {
      if (!message.retained && message.payload.toString() === ONLINE) retained.renew()
    } else {
      void receive(message)
    }
  })

  return {
    tick,
    follow (session) {
      const cached: Followed = {
        topics: topics.of(idOf(session.config.serial)),
        verdict: undefined,
        changed: true,
        signature: '',
        discovery: '',
        next: '',
        settling: 0,
        state: ''
      }
      followed.set(session, cached)
      const undo = session.events.on('state', () => { cached.changed = true })
      return () => {
        undo()
        followed.delete(session)
      }
    },
    onAlert ({ type, printer, timestamp, severity, payload }) {
      const isKnown = EVENT_TYPES.includes(type)
      const more = isKnown ? {} : { alert_type: type }
      publishEvent(printer, { ...payload, ...more, severity, timestamp, event_type: isKnown ? type : OTHER_ALERT })
      const session = printers.get(printer)
      if (session !== undefined) images?.onAlert(session, type)
    },
    onVerdict (printer, { verdict }) {
      const session = printers.get(printer)
      const cached = session && followed.get(session)
      if (cached !== undefined) Object.assign(cached, { verdict, changed: true })
    }
  }
}

const viewOf = (session: PrinterSession, verdict?: Health['verdict']): View | undefined =>
  session.state === undefined ? undefined : { session, state: session.state, verdict }
