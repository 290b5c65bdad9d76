import { randomBytes } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import type { IClientOptions, MqttClient } from 'mqtt'
import { ConnectionError, connectionErrorOf } from '../connection-error.js'
import { explainPlainText } from '../plain-answer.js'
import { connectTls, type Target } from '../tls.js'
import { withTimeout } from '../../util/with-timeout.js'

/**
 * Parses the fixed headers in a stream of MQTT packets, to report an oversized packet before it is buffered. It must
 * get every chunk.
 */
export function createPacketSizeLimit (limitBytes: number, onTooLong: (bytes: number) => void):
(chunk: Uint8Array) => void {
  let toSkip = 0
  let header = 0 // bytes of the current fixed header seen so far
  let length = 0

  return chunk => {
    let at = 0
    while (at < chunk.length) {
      if (toSkip > 0) {
        const step = Math.min(toSkip, chunk.length - at)
        toSkip -= step
        at += step
        continue
      }
      const byte = chunk[at++] ?? 0
      if (header++ === 0) continue // packet type and flags
      length += (byte & 0x7F) * 128 ** (header - 2)
      if (length > limitBytes) return onTooLong(length)
      if ((byte & 0x80) !== 0 && header < 5) continue
      toSkip = length
      header = 0
      length = 0
    }
  }
}

/** One MQTT connection to one printer; it does not reconnect. */
export interface MqttConnection {
  /** SHA-256 of the printer's certificate. */
  readonly fingerprint: string
  /** Resolves once the connection is closed, with the error that closed it, if any. */
  readonly closed: Promise<Error | undefined>
  readonly connected: boolean
  subscribe (): Promise<void>
  unsubscribe (): Promise<void>
  /**
   * Publishes with QoS 1 and resolves with the PUBACK; never repeated on another connection.
   * @throws Error if the connection is lost first
   */
  publish (payload: string): Promise<void>
  close (): void
}

export interface MqttConnectionOptions extends Target {
  readonly accessCode: string
  readonly signal: AbortSignal
  /** How long the handshake, the login and the subscription may take each. */
  readonly connectMs: number
  /** Called for every message, in order; the next one waits until `done` was called. */
  readonly onMessage: (payload: Buffer, done: () => void) => void
}

/** The only user name that printers know. */
const USER = 'bblp'
const KEEP_ALIVE_S = 30
/** Longer packets end the connection; reports have at most some 100 kB. */
const MAX_PACKET_BYTES = 16 * 1024 * 1024

/** CONNACK return codes of a wrong access code: bad user name or password, not authorized. */
const BAD_LOGIN = new Set([4, 5])

const optionsOf = ({ accessCode, connectMs }: MqttConnectionOptions): IClientOptions => ({
  // A new client id for every connection: the printer may still hold a session under the last one.
  clientId: `prnd-${randomBytes(6).toString('hex')}`,
  username: USER,
  password: accessCode,
  protocolVersion: 4,
  clean: true,
  keepalive: KEEP_ALIVE_S,
  connectTimeout: connectMs,
  reconnectPeriod: 0,
  resubscribe: false,
  queueQoSZero: false,
  writeCache: false // a cache of all numbers, of 7 MB
})

const reportTopic = (serial: string) => `device/${serial}/report`
const requestTopic = (serial: string) => `device/${serial}/request`

/** @throws ConnectionError */
export async function openMqttConnection (options: MqttConnectionOptions): Promise<MqttConnection> {
  const { host, port, signal, connectMs } = options
  const { socket, fingerprint } =
    await explainPlainText(() => connectTls(options, signal, connectMs), host, port, signal)
  const { MqttClient } = await import('mqtt') // as large as the rest of the service: loaded when a printer answers
  const client = new MqttClient(() => socket, optionsOf(options))
  const guard = createPacketSizeLimit(MAX_PACKET_BYTES, () => socket.destroy(new Error('packet too long')))
  socket.on('data', guard)
  client.handleMessage = (packet, done) => {
    if (packet.topic === reportTopic(options.serial)) options.onMessage(packet.payload as Buffer, () => done())
    else done()
  }
  await login(client, options)
  return asConnection(client, socket, fingerprint, options)
}

function login (client: MqttClient, { host, port, signal }: MqttConnectionOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: unknown) => {
      signal.removeEventListener('abort', abort)
      client.off('connect', connected).off('error', failed).off('close', closed)
      if (error === undefined) return resolve()
      client.on('error', () => {})
      client.end(true)
      reject(error)
    }
    const connected = () => settle()
    const failed = (error: Error) => settle(loginError(error, `${host}:${port}`))
    const closed = () => settle(new ConnectionError('login_refused',
      `${host}:${port} closed the connection at the login; it may have too many clients already`))
    const abort = () => settle(signal.reason)
    client.once('connect', connected).once('error', failed).once('close', closed)
    signal.addEventListener('abort', abort, { once: true })
    if (signal.aborted) abort()
  })
}

function loginError (error: Error & { code?: unknown }, where: string): ConnectionError {
  if (error.message === 'connack timeout') {
    return new ConnectionError('login_refused', `${where} did not answer the login; it may have too many clients already`)
  }
  if (typeof error.code !== 'number') return connectionErrorOf(error, where)
  return BAD_LOGIN.has(error.code)
    ? new ConnectionError('access_code_rejected',
      `${where} rejected the access code. It is shown on the printer's screen and changes with LAN-only mode.`)
    : new ConnectionError('login_refused', `${where} refused the login (code ${error.code})`)
}

function asConnection (client: MqttClient, socket: TLSSocket, fingerprint: string,
  options: MqttConnectionOptions): MqttConnection {
  const { serial, signal, host, port, connectMs } = options
  let failure: Error | undefined
  client.on('error', error => { failure = error })
  socket.on('error', error => { failure ??= error })
  const close = () => { if (!client.disconnecting) client.end(true) }
  signal.addEventListener('abort', close, { once: true })
  const inTime = (work: Promise<unknown>, what: string) => acknowledged(work, connectMs, `${host}:${port} ${what}`)
  const closed = new Promise<Error | undefined>(resolve => {
    client.once('close', () => {
      signal.removeEventListener('abort', close)
      close()
      resolve(failure)
    })
  })
  if (signal.aborted) close()
  return {
    fingerprint,
    closed,
    get connected () { return client.connected },
    subscribe: () => inTime(client.subscribeAsync(reportTopic(serial), { qos: 0 }), 'refused to send its reports'),
    unsubscribe: () => inTime(client.unsubscribeAsync(reportTopic(serial)), 'refused to stop its reports'),
    publish: async payload => { await client.publishAsync(requestTopic(serial), payload, { qos: 1 }) },
    close
  }
}

/** Waits for SUBACK or UNSUBACK; without one in time the request counts as refused. */
async function acknowledged (work: Promise<unknown>, withinMs: number, refused: string): Promise<void> {
  try {
    await withTimeout(withinMs, work, () => new Error(`no answer within ${withinMs / 1000} s`))
  } catch (error) {
    throw new ConnectionError('login_refused', `${refused} (${(error as Error).message})`, { cause: error })
  }
}
