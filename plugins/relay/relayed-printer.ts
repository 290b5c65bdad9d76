import type { FastifyBaseLogger } from 'fastify'
import { BadConfig, type Dispose, type Kernel, type PrinterSession } from '../../core/index.js'
import { createAnnouncer, type Announcer, type DetectedPrinter } from '../printer-servers/index.js'
import { createRelayedCard } from './card.js'
import type { Certificates } from './certificates.js'
import type { Logins } from './logins.js'
import { openEndpoints, type Endpoints, type Ports } from './endpoints.js'
import type { PlateJudge } from '../projects/index.js'
import { createMqttRelay, type MqttRelay } from './mqtt.js'
import { announcedAddress, wantedPorts, type Client, type Options, type PrinterOptions } from './options.js'
import { createConnectionLimit, type Connection, type ConnectionLimit } from './connection-limit.js'

/** A relayed printer or group. */
export interface Relayed {
  /** Its name in this service. */
  readonly printer: string
  readonly isGroup: boolean
  readonly bind: string
  /** The address to announce to slicers; undefined without a suitable one. */
  readonly address: string | undefined
  /** What slicers ask for beside the address; undefined while the printer has no session here. */
  readonly identity: { readonly serial: string, readonly model: string, readonly name: string } | undefined
  /** The ports that it opens, by protocol. */
  readonly wantedPorts: Readonly<Record<string, number>>
  /** The open ports. */
  readonly ports: Ports
  readonly connections: readonly Connection[]
  /** Why it is not available; empty while it is. */
  readonly problem: string
  /** What does not work while it is available. */
  readonly warnings: readonly string[]
  /** Opens the ports, those of a printer while it has a session. Never throws: a failure is its problem. */
  open (): Promise<void>
  /** Closes them; they can be opened again. */
  close (): Promise<void>
}

export interface RelayedPrinterDeps {
  readonly kernel: Kernel
  readonly printers: Pick<Kernel['printers'], 'eachLocal' | 'get'>
  readonly log: FastifyBaseLogger
  readonly options: Options
  readonly wanted: PrinterOptions
  readonly clients: () => readonly Client[]
  readonly logins: Logins
  readonly certificates: Certificates
  readonly plates: PlateJudge | undefined
}

const bindOf = (wanted: PrinterOptions, options: Options): string => wanted.bind ?? options.bind

/** What slicers are told about a printer before they connect. */
const describe = ({ config: { serial }, model, state }: PrinterSession, wanted: PrinterOptions): DetectedPrinter => ({
  serial,
  code: model.codes[0] ?? model.model,
  firmware: state?.firmware.printer ?? '',
  name: wanted.name ?? wanted.printer
})

const identityOf = (session: PrinterSession | undefined, wanted: PrinterOptions): Relayed['identity'] =>
  session && { serial: session.config.serial, model: session.model.model, name: wanted.name ?? wanted.printer }

/** Undefined if the printer is not announced. */
function announcerOf (session: PrinterSession, wanted: PrinterOptions, options: Options): Announcer | undefined {
  const address = announcedAddress(wanted, bindOf(wanted, options))
  if (!options.announce || address === undefined) return undefined
  const { name, ...described } = describe(session, wanted)
  return createAnnouncer({ ...described, address, name: () => name }, options.announceTo)
}

/** Announces a printer while it is online. @returns a function that stops it */
function announceWhileLive (session: PrinterSession, create: () => Announcer | undefined): () => void {
  let announcer: Announcer | undefined
  const change = (isLive: boolean): void => {
    void announcer?.stop()
    announcer = isLive ? create() : undefined
    announcer?.start()
  }
  change(session.live)
  const off = session.events.on('live', change)
  return () => { off(); change(false) }
}

interface Shared {
  readonly mqtt: MqttRelay
  readonly connections: ConnectionLimit
  /** The session that is relayed now. */
  readonly current: () => PrinterSession | undefined
}

/** @throws PRN_ERR_CONFIG for a client with the printer's own code; if a port cannot be opened */
async function openFor (session: PrinterSession, deps: RelayedPrinterDeps, { mqtt, connections, current }: Shared) {
  const { kernel, log, options, wanted, clients, logins, certificates } = deps
  const { printer } = wanted
  const { serial, accessCode } = session.config
  if (clients().some(({ code }) => code === accessCode)) {
    throw new BadConfig(`a client of the relay has the access code of '${printer}' itself: give it another`)
  }
  return await openEndpoints({
    kernel,
    log,
    printer,
    wanted: wanted.ports,
    bind: bindOf(wanted, options),
    serial,
    mqtt,
    cardFor: (client, onFailed) => createRelayedCard({
      kernel, files: kernel.services.files, printer, client, session: current, onFailed
    }),
    logins,
    connections,
    identity: await certificates(serial),
    session: current,
    describe: options.detect ? () => describe(current() ?? session, wanted) : undefined
  })
}

export function createRelayedPrinter (deps: RelayedPrinterDeps): Relayed {
  const { kernel, log, printers, options, wanted } = deps
  const { printer } = wanted
  const bind = bindOf(wanted, options)
  const connections = createConnectionLimit(options.connectionsPerClient)
  let endpoints: Endpoints | undefined
  let opened: string | undefined // serial number for which the endpoints were opened
  let current: PrinterSession | undefined
  let problem = ''
  let unfollow: Dispose | undefined
  let turn: Promise<void> = Promise.resolve()
  const mqtt = createMqttRelay({
    kernel,
    log,
    printer,
    plates: deps.plates,
    protect: protection => kernel.services.files.protect(protection),
    peers: () => endpoints?.broker.peers ?? [],
    ownAddress: ({ localAddress }) =>
      ({ address: announcedAddress(wanted, bind) ?? localAddress, rtsps: endpoints?.ports.rtsps })
  })

  async function open (session: PrinterSession): Promise<void> {
    const { serial } = session.config
    if (opened === serial) return
    await shut()
    endpoints = await openFor(session, deps, { mqtt, connections, current: () => current })
    opened = serial
  }

  async function shut (): Promise<void> {
    const closing = endpoints
    endpoints = undefined
    opened = undefined
    await closing?.close()
  }

  /** Runs in sequence, so that a restarted session does not find its own port in use. */
  function run (work: () => Promise<void>): Promise<void> {
    turn = turn.then(work).then(() => { problem = '' }, (error: Error) => {
      problem = kernel.redact(error.message)
      log.error({ printer, bind, err: error }, `'${printer}' cannot be relayed: ${problem}`)
    })
    return turn
  }

  function follow (session: PrinterSession): Dispose {
    current = session
    const off = mqtt.follow(session)
    const hide = announceWhileLive(session, () => announcerOf(session, wanted, options))
    void run(() => open(session))
    return () => {
      if (current === session) current = undefined
      off()
      hide()
    }
  }

  return {
    printer,
    isGroup: false,
    bind,
    address: announcedAddress(wanted, bind),
    get identity () { return identityOf(printers.get(printer), wanted) },
    get wantedPorts () { return wantedPorts(wanted.ports, printers.get(printer)?.model.camera) },
    get ports () { return endpoints?.ports ?? {} },
    get connections () { return connections.all },
    get problem () { return problem },
    get warnings () { return endpoints?.warnings ?? [] },
    async open () {
      unfollow ??= printers.eachLocal(session => session.name === printer ? follow(session) : undefined)
      await turn
    },
    close () {
      unfollow?.()
      unfollow = undefined
      return run(shut)
    }
  }
}
