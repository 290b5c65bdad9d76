import type { FastifyBaseLogger } from 'fastify'
import { BadConfig, type Kernel, type PrinterSession } from '../../core/index.js'
import { createAnnouncer, createBroker, isUser, type Announcer, type Broker, type BrokerLimits } from '../printer-servers/index.js'
import type { Certificates } from './certificates.js'
import type { Logins } from './logins.js'
import { createMqttRelay } from './mqtt.js'
import { announcedAddress, STANDARD, type Client, type Options, type PrinterOptions } from './options.js'
import { createSeats } from './seats.js'

/** One printer as the relay offers it. */
export interface RelayedPrinter {
  readonly printer: string
  readonly bind: string
  /** Those that are open. */
  readonly ports: { readonly mqtt?: number }
  /** Names of the clients that are connected, once for each connection. */
  readonly clients: readonly string[]
  /** Why it is not offered; empty while it is. */
  readonly problem: string
  /** Serves a session, until the function that it returns is called. */
  follow (session: PrinterSession): () => void
  close (): Promise<void>
}

export interface RelayedPrinterDeps {
  readonly kernel: Kernel
  readonly log: FastifyBaseLogger
  readonly options: Options
  readonly wanted: PrinterOptions
  readonly clients: readonly Client[]
  readonly logins: Logins
  readonly certificates: Certificates
}

const MIB = 1024 ** 2
/** Requests have at most some 10 kB. */
const LIMITS: BrokerLimits = {
  connections: 256,
  connectionsPerAddress: 64,
  packetBytes: 128 * 1024,
  loginMs: 15_000,
  unsentBytes: 4 * MIB
}

/** What its doors share, once they are open. */
interface Doors {
  readonly serial: string
  readonly broker: Broker<Client>
  close (): Promise<void>
}

export function createRelayedPrinter (deps: RelayedPrinterDeps): RelayedPrinter {
  const { kernel, log, options, wanted, clients, logins, certificates } = deps
  const { printer } = wanted
  const bind = wanted.bind ?? options.bind
  const seats = createSeats(options.connectionsPerClient)
  let doors: Doors | undefined
  let problem = ''
  let turn: Promise<void> = Promise.resolve()
  const mqtt = createMqttRelay({ kernel, log, printer, peers: () => doors?.broker.peers ?? [] })

  async function open ({ config: { serial, accessCode } }: PrinterSession): Promise<void> {
    if (doors?.serial === serial) return
    await shut()
    if (clients.some(({ code }) => code === accessCode)) {
      throw new BadConfig(`a client of the relay has the access code of '${printer}' itself: give it another`)
    }
    const identity = await certificates(serial)
    const broker = await createBroker<Client>({
      serial, host: bind, port: wanted.ports?.mqtt ?? STANDARD.mqtt, identity, limits: LIMITS
    }, {
      ...mqtt,
      async admit ({ username, password, address }) {
        const client = await logins.enter(printer, address, isUser(username) ? password : undefined)
        return client !== undefined && seats.take(client, 'mqtt') ? client : undefined
      },
      left: client => seats.leave(client, 'mqtt')
    })
    doors = { serial, broker, close: () => broker.close() }
  }

  async function shut (): Promise<void> {
    const closing = doors
    doors = undefined
    await closing?.close()
  }

  /** One after the other: a session that is begun anew must not find its own port taken. */
  function run (work: () => Promise<void>): Promise<void> {
    turn = turn.then(work).then(() => { problem = '' }, (error: Error) => {
      problem = kernel.redact(error.message)
      log.error({ printer, bind, err: error }, `'${printer}' cannot be relayed: ${problem}`)
    })
    return turn
  }

  function announcerOf (session: PrinterSession): Announcer | undefined {
    const address = announcedAddress(wanted, bind)
    if (!options.announce || address === undefined) return undefined
    const { serial } = session.config
    const code = session.model.codes[0] ?? session.model.model
    const firmware = session.state?.firmware.printer ?? ''
    return createAnnouncer({ serial, address, code, firmware, name: () => wanted.name ?? printer }, options.announceTo)
  }

  /** As long as the printer itself is there. */
  function announce (session: PrinterSession): () => void {
    let announcer: Announcer | undefined
    const change = (isLive: boolean): void => {
      void announcer?.stop()
      announcer = isLive ? announcerOf(session) : undefined
      announcer?.start()
    }
    change(session.live)
    const off = session.events.on('live', change)
    return () => { off(); change(false) }
  }

  return {
    printer,
    bind,
    get ports () { return doors === undefined ? {} : { mqtt: doors.broker.port } },
    get clients () { return seats.names },
    get problem () { return problem },
    follow (session) {
      const off = mqtt.follow(session)
      const hide = announce(session)
      void run(() => open(session))
      return () => { off(); hide() }
    },
    close: () => run(shut)
  }
}
