import { randomBytes } from 'node:crypto'
import { connect, connectAsync, type IClientOptions, type MqttClient } from 'mqtt'
import { createEmitter, withTimeout, type ConnectionReport, type Emitter } from '../../core/index.js'
import type { Login } from './login.js'

export interface Message {
  readonly topic: string
  readonly payload: Buffer
  /** Delivered from the broker's retained messages: it may be old. */
  readonly isRetained: boolean
}

export interface PublishOptions { readonly qos: 0 | 1, readonly retain: boolean }

/** A connection to a broker, which reconnects whenever it ends. */
export interface BrokerConnection {
  readonly isConnected: boolean
  readonly events: Emitter<{ connected: [], message: [message: Message] }>
  /** Resolves when the broker has it (QoS 1) or it was sent (QoS 0). @throws Error without a connection */
  publish (topic: string, payload: string | Buffer, options: PublishOptions): Promise<void>
  /**
   * For this connection only: it is not repeated after a reconnect. A filter that the broker refuses costs none of the
   * others.
   * @throws Error without a connection, and naming what is refused
   */
  subscribe (filters: string[]): Promise<void>
  unsubscribe (filter: string): Promise<void>
  /** @param farewell is published last */
  close (farewell?: () => Promise<void>): Promise<void>
}

export interface BrokerConnectionOptions {
  readonly login: Login
  /** What the broker publishes when the connection breaks. */
  readonly will?: IClientOptions['will']
  /** Tried after each connect, and again every minute until it succeeds; until then the connection has a problem. */
  readonly greet?: (connection: BrokerConnection) => Promise<void>
  /** Reports whether the broker accepts the connection. */
  readonly report: ConnectionReport
  readonly log: { warn (fields: object, message: string): void }
  /** ms; doubles with every failed attempt. @default 1000 */
  readonly firstRetryMs?: number
}

const CONNECT_MS = 10_000
const FIRST_RETRY_MS = 1_000
const LONGEST_RETRY_MS = 60_000
const CLOSE_MS = 1_000
const GREET_MS = 10_000
const GREET_AGAIN_MS = 60_000
const PROBE_MS = 5_000
const MOST_NAMED = 3
/** The library collects a message of up to 256 MB before anybody can refuse it. */
const MOST_PACKET_BYTES = 4 * 1024 ** 2

/** Logs in once and out again. @throws Error with the reason for the failure */
export async function tryLogin ({ url, ...credentials }: Login): Promise<void> {
  const client = await connectAsync(url, { ...credentials, connectTimeout: PROBE_MS, reconnectPeriod: 0 }, false)
  await client.endAsync(true)
}

interface GreetingDeps {
  readonly greet: () => Promise<void>
  readonly isConnected: () => boolean
  readonly onDone: () => void
  readonly onFailed: (error: Error) => void
}

/** Greets after a connect, and again every minute while that fails. */
function createGreeting ({ greet, isConnected, onDone, onFailed }: GreetingDeps) {
  let again: NodeJS.Timeout | undefined
  const stop = (): void => clearTimeout(again)

  async function begin (): Promise<void> {
    stop()
    try {
      await withTimeout(GREET_MS, greet(), () => new Error('the broker does not answer'))
      onDone()
    } catch (error) {
      if (!isConnected()) return
      onFailed(error as Error)
      again = setTimeout(() => { if (isConnected()) void begin() }, GREET_AGAIN_MS).unref()
    }
  }

  return { begin, stop }
}

/** One by one, so that a refused filter costs none of the others. @throws Error naming what is refused */
async function subscribeEach (client: MqttClient, filters: readonly string[]): Promise<void> {
  const answers = await Promise.allSettled(filters.map(filter => client.subscribeAsync(filter, { qos: 1 })))
  const refused = filters.filter((_, at) => answers[at]?.status === 'rejected')
  if (refused.length > 0) throw new Error(`the broker refuses ${refused.slice(0, MOST_NAMED).join(', ')}`)
}

/** Ends a connection as soon as one message of the broker is too long. */
function limitPackets (client: MqttClient): void {
  let unread = 0
  client.on('packetreceive', () => { unread = 0 })
  client.on('connect', () => {
    unread = 0
    const { stream } = client
    stream.on('data', (part: Buffer) => {
      unread += part.length
      if (unread > MOST_PACKET_BYTES) stream.destroy(new Error('the broker sends a message that is too long'))
    })
  })
}

export function connectBroker (options: BrokerConnectionOptions): BrokerConnection {
  const { login, will, greet, report, log, firstRetryMs = FIRST_RETRY_MS } = options
  const { url, ...credentials } = login
  const events: BrokerConnection['events'] = createEmitter((error, event) =>
    log.warn({ err: error, event }, 'listener failed'))
  /** The last reason for a refusal. */
  let problem: Error | undefined

  const client: MqttClient = connect(url, {
    ...credentials,
    clientId: `prnd-${randomBytes(6).toString('hex')}`,
    connectTimeout: CONNECT_MS,
    reconnectPeriod: firstRetryMs,
    queueQoSZero: false, // after a reconnect everything is published again
    resubscribe: false,
    writeCache: false, // would be shared by the whole process
    ...(will !== undefined && { will })
  })

  function reportFailure (error: Error): void {
    problem = error
    report.failed(error)
  }
  const checkOpen = () => { if (!client.connected) throw new Error('there is no connection to the broker') }

  const connection: BrokerConnection = {
    get isConnected () { return client.connected },
    events,
    async publish (topic, payload, options) {
      checkOpen()
      await client.publishAsync(topic, payload, options)
    },
    async subscribe (filters) {
      checkOpen()
      await subscribeEach(client, filters)
    },
    async unsubscribe (filter) {
      checkOpen()
      await client.unsubscribeAsync(filter)
    },
    async close (farewell) {
      greeting.stop()
      const timer = setTimeout(() => client.end(true), CLOSE_MS).unref()
      await farewell?.().catch(() => {}) // the will covers it
      await client.endAsync(!client.connected).catch(() => {})
      clearTimeout(timer)
    }
  }

  const greeting = createGreeting({
    greet: async () => await greet?.(connection),
    isConnected: () => client.connected,
    onDone: () => {
      problem = undefined
      report.connected()
    },
    onFailed: reportFailure
  })

  /** Whatever was refused: what is published must be there, and what could be subscribed is heard. */
  async function connected (): Promise<void> {
    await greeting.begin()
    if (client.connected) events.emit('connected')
  }

  limitPackets(client)
  client.on('connect', () => {
    client.options.reconnectPeriod = firstRetryMs
    void connected()
  })
  // The library reads this before each attempt.
  client.on('reconnect', () => {
    client.options.reconnectPeriod = Math.min(LONGEST_RETRY_MS, 2 * (client.options.reconnectPeriod ?? firstRetryMs))
  })
  client.on('message', (topic, payload, { retain }) => events.emit('message', { topic, payload, isRetained: retain }))
  client.on('error', reportFailure)
  client.on('offline', () => reportFailure(problem ?? new Error('the connection was lost')))
  return connection
}
