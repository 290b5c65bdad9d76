import type { FastifyBaseLogger } from 'fastify'
import type { Socket } from 'node:net'
import type { Kernel, PrinterSession, Services } from '../../core/index.js'
import {
  createBroker, createFtpServer, isUser, openListener, vsftpd,
  type Welcome, type Broker, type BrokerHandler, type BrokerLimits, type DetectedPrinter, type Identity, type ServedCard
} from '../printer-servers/index.js'
import { openDetect, type DetectPorts } from './detect.js'
import type { Logins } from './logins.js'
import { STANDARD, type Client, type Options } from './options.js'
import { createPictures } from './pictures.js'
import type { ConnectionLimit } from './connection-limit.js'
import { createVideo } from './video.js'

/** The open ports. */
export interface Ports extends DetectPorts {
  readonly mqtt?: number
  readonly ftps?: number
  readonly camera?: number
  readonly rtsps?: number
}

/** Called for each failed file request. */
export type OnFailed = (act: string, path: string, error: unknown) => void

/** The servers of one printer or group. */
export interface Endpoints {
  readonly ports: Ports
  readonly broker: Broker<Client>
  /** What does not work although the printer is available. */
  readonly warnings: readonly string[]
  close (): Promise<void>
}

export interface EndpointsOptions {
  readonly kernel: Kernel
  readonly log: FastifyBaseLogger
  /** Name of the printer or the group. */
  readonly printer: string
  readonly wanted: Options['printers'][number]['ports']
  readonly bind: string
  readonly serial: string
  readonly identity: Identity
  readonly mqtt: Pick<BrokerHandler<Client>, 'subscribed' | 'requested'>
  readonly cardFor: (client: Client, onFailed: OnFailed) => ServedCard
  readonly logins: Logins
  readonly connections: ConnectionLimit
  /** The session whose camera is shown. */
  readonly session: () => PrinterSession | undefined
  /** What the detect service says; undefined if it is switched off. */
  readonly describe: (() => DetectedPrinter) | undefined
}

const MIB = 1024 ** 2
/** Requests are at most about 10 kB. */
const LIMITS: BrokerLimits = {
  connections: 256,
  connectionsPerAddress: 64,
  strangers: 64,
  strangersPerAddress: 16,
  strangerMs: 30_000,
  packetBytes: 128 * 1024,
  loginMs: 15_000,
  unsentBytes: 4 * MIB
}
const MOST_TRANSFERS = 16
/** A stalled transfer is ended after this time, because it may block the printer's card. */
const STALL_MS = 20_000
/** No partial reads, no report of free space, and no TLS session resumption, which many libraries do not support. */
const PROFILE = { ...vsftpd(false), mustResume: false, reportsSpace: false }

interface Admitted {
  readonly client: Client
  /** Ends its login; the end of the connection does so, too. */
  readonly leave: () => void
}

/** @returns undefined if the login is wrong, or the client has reached its limit of connections */
type LogIn = (protocol: string, user: string | undefined, code: string | undefined, socket: Socket) =>
Promise<Admitted | undefined>

const logInTo = ({ logins, printer, connections }: EndpointsOptions): LogIn =>
  async (protocol, user, code, socket) => {
    const client = await logins.logIn(printer, socket.remoteAddress ?? '', isUser(user) ? code : undefined)
    const leave = client && connections.take(client, protocol, socket)
    return client && leave && { client, leave }
  }

async function openBroker (options: EndpointsOptions, logIn: LogIn): Promise<Broker<Client>> {
  const { serial, bind: host, wanted: ports = {}, identity, mqtt } = options
  return await createBroker<Client>({ serial, host, port: ports.mqtt ?? STANDARD.mqtt, identity, limits: LIMITS }, {
    ...mqtt,
    admit: async ({ username, password, socket }) => (await logIn('mqtt', username, password, socket))?.client
  })
}

async function openCard (options: EndpointsOptions, logIn: LogIn) {
  const { kernel, log, printer, bind: host, wanted: ports = {}, identity, cardFor } = options
  const logins = new WeakMap<ServedCard, Admitted>()
  const onFailed: OnFailed = (act, path, error) =>
    log.warn({ printer, operation: act, path, err: error }, 'a file request over the relay failed')
  return await createFtpServer({
    host,
    port: ports.ftps ?? STANDARD.ftps,
    identity,
    profile: PROFILE,
    now: kernel.now,
    limits: LIMITS,
    mostTransfers: MOST_TRANSFERS,
    stallMs: STALL_MS,
    async admit ({ username, password, socket }) {
      const admitted = await logIn('ftps', username, password, socket)
      if (admitted === undefined) return undefined
      const card = cardFor(admitted.client, onFailed)
      logins.set(card, admitted)
      return card
    },
    left: card => logins.get(card)?.leave()
  })
}

function listen (protocol: 'camera' | 'rtsps', options: EndpointsOptions, welcome: Welcome) {
  const { bind: host, wanted: ports = {}, identity } = options
  return openListener({ host, port: ports[protocol] ?? STANDARD[protocol], identity, limits: LIMITS }, welcome)
}

const openPictures = (options: EndpointsOptions, camera: Services['camera'], logIn: LogIn) =>
  listen('camera', options, createPictures({
    camera,
    session: options.session,
    logIn: async (user, code, socket) => await logIn('camera', user, code, socket) !== undefined
  }))

function openVideo (options: EndpointsOptions, camera: Services['camera']) {
  const { printer, logins, connections, session } = options
  return listen('rtsps', options, createVideo({
    camera,
    session,
    async logIn (proves, tried, socket) {
      const client = await logins.prove(printer, socket.remoteAddress ?? '', proves, tried)
      return client && connections.take(client, 'rtsps', socket) && client
    }
  }))
}

const detectOf = async ({ kernel, wanted = {}, describe, ...options }: EndpointsOptions) => describe &&
  await openDetect({ ...options, redact: kernel.redact, wanted, describe })

/** Opens all of them, or none; only the detect service may be missing. @throws if a port cannot be opened */
export async function openEndpoints (options: EndpointsOptions): Promise<Endpoints> {
  const logIn = logInTo(options)
  const camera = options.kernel.optional.camera
  const protocol = options.session()?.model.camera
  const closers: (() => Promise<void>)[] = []
  const close = async (): Promise<void> => { await Promise.all(closers.map(end => end())) }
  try {
    const broker = await openBroker(options, logIn)
    closers.push(() => broker.close())
    const card = await openCard(options, logIn)
    closers.push(() => card.close())
    const pictures = camera !== undefined && protocol === 'tcp_tls' ? await openPictures(options, camera, logIn) : undefined
    if (pictures !== undefined) closers.push(() => pictures.close())
    const video = camera !== undefined && protocol === 'rtsps' ? await openVideo(options, camera) : undefined
    if (video !== undefined) closers.push(() => video.close())
    const detect = await detectOf(options)
    if (detect !== undefined) closers.push(() => detect.close())
    return {
      broker,
      warnings: detect?.warnings ?? [],
      ports: {
        mqtt: broker.port,
        ftps: card.port,
        ...(pictures && { camera: pictures.port }),
        ...(video && { rtsps: video.port }),
        ...detect?.ports
      },
      close
    }
  } catch (error) {
    await close()
    throw error
  }
}
