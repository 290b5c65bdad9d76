import type { FastifyBaseLogger } from 'fastify'
import { BadConfig, type Kernel, type PrinterSession } from '../../core/index.js'
import { createAnnouncer, type Announcer } from '../printer-servers/index.js'
import { createRelayedCard } from './card.js'
import type { Certificates } from './certificates.js'
import type { Logins } from './logins.js'
import { openDoors, type Doors, type Ports } from './doors.js'
import { createMqttRelay } from './mqtt.js'
import { announcedAddress, type Client, type Options, type PrinterOptions } from './options.js'
import { createSeats } from './seats.js'

/** What the relay offers: a printer, or a group of them. */
export interface Relayed {
  /** Its name in this service. */
  readonly printer: string
  readonly isGroup: boolean
  readonly bind: string
  /** Those that are open. */
  readonly ports: Ports
  /** Names of the clients that are connected, once for each connection. */
  readonly clients: readonly string[]
  /** Why it is not offered; empty while it is. */
  readonly problem: string
  close (): Promise<void>
}

export interface RelayedPrinter extends Relayed {
  /** Serves a session, until the function that it returns is called. */
  follow (session: PrinterSession): () => void
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

export function createRelayedPrinter (deps: RelayedPrinterDeps): RelayedPrinter {
  const { kernel, log, options, wanted, clients, logins, certificates } = deps
  const { printer } = wanted
  const bind = wanted.bind ?? options.bind
  const seats = createSeats(options.connectionsPerClient)
  let doors: Doors | undefined
  /** Serial number that the doors were opened, or tried, with. */
  let opened: string | undefined
  let current: PrinterSession | undefined
  let problem = ''
  let turn: Promise<void> = Promise.resolve()
  const mqtt = createMqttRelay({ kernel, log, printer, peers: () => doors?.broker.peers ?? [] })

  async function open ({ config: { serial, accessCode } }: PrinterSession): Promise<void> {
    if (opened === serial) return
    await shut()
    if (clients.some(({ code }) => code === accessCode)) {
      throw new BadConfig(`a client of the relay has the access code of '${printer}' itself: give it another`)
    }
    doors = await openDoors({
      kernel,
      log,
      printer,
      wanted: wanted.ports,
      bind,
      serial,
      mqtt,
      cardFor: (client, onFailed) => createRelayedCard({
        kernel, files: kernel.services.files, printer, client, session: () => current, onFailed
      }),
      logins,
      seats,
      identity: await certificates(serial),
      session: () => current
    })
    opened = serial
  }

  async function shut (): Promise<void> {
    const closing = doors
    doors = undefined
    opened = undefined
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
    isGroup: false,
    bind,
    get ports () { return doors?.ports ?? {} },
    get clients () { return seats.names },
    get problem () { return problem },
    follow (session) {
      current = session
      const off = mqtt.follow(session)
      const hide = announce(session)
      void run(() => open(session))
      return () => {
        if (current === session) current = undefined
        off()
        hide()
      }
    },
    close: () => run(shut)
  }
}
