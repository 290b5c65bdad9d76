import { randomBytes } from 'node:crypto'
import { connect, connectAsync, type MqttClient } from 'mqtt'
import { createEmitter, type ConnectionReport, type Emitter } from '../../core/index.js'
import type { Login } from './options.js'
import { OFFLINE, type Topics } from './topics.js'

export interface Message {
  readonly topic: string
  readonly payload: Buffer
  /** Delivered from the broker's retained messages. */
  readonly retained: boolean
}

export interface PublishOptions { readonly qos: 0 | 1, readonly retain: boolean }

/** The connection to the broker, which reconnects whenever it ends. */
export interface Broker {
  readonly connected: boolean
  readonly events: Emitter<{ connected: [], message: [message: Message] }>
  /** Resolves when the broker has it (QoS 1) or it was sent (QoS 0). @throws Error without a connection */
  publish (topic: string, payload: string | Buffer, options: PublishOptions): Promise<void>
  /**
   * Publishes the offline status first, so that entities become unavailable at once.
   * @param isForGood publishes nothing, because everything was cleared
   */
  close (isForGood?: boolean): Promise<void>
}

export interface BrokerOptions {
  readonly login: Login
  readonly topics: Topics
  /** Reports whether the broker accepts the connection. */
  readonly report: ConnectionReport
  readonly log: { warn (fields: object, message: string): void, info (fields: object, message: string): void }
  /** ms; doubles with every failed attempt. @default 1000 */
  readonly firstRetryMs?: number
}

const CONNECT_MS = 10_000
const FIRST_RETRY_MS = 1_000
const LONGEST_RETRY_MS = 60_000
const CLOSE_MS = 1_000
const PROBE_MS = 5_000

/** Logs in once and out again. @throws Error with the reason for the failure */
export async function tryLogin ({ url, ...credentials }: Login): Promise<void> {
  const client = await connectAsync(url, { ...credentials, connectTimeout: PROBE_MS, reconnectPeriod: 0 }, false)
  await client.endAsync(true)
}

export function connectBroker ({ login, topics, report, log, firstRetryMs = FIRST_RETRY_MS }: BrokerOptions): Broker {
  const { url, ...credentials } = login
  const events = createEmitter<{ connected: [], message: [message: Message] }>((error, event) =>
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
    will: { topic: topics.status, payload: Buffer.from(OFFLINE), qos: 1, retain: true }
  })

  function reportFailure (error: Error): void {
    problem = error
    report.failed(error)
  }

  const publish: Broker['publish'] = async (topic, payload, options) => {
    if (!client.connected) throw new Error('there is no connection to the broker')
    await client.publishAsync(topic, payload, options)
  }

  async function greet (): Promise<void> {
    await client.subscribeAsync([topics.commands, topics.birth], { qos: 1 })
    problem = undefined
    report.connected()
    log.info({}, 'connected to the broker of Home Assistant')
    events.emit('connected')
  }

  client.on('connect', () => {
    client.options.reconnectPeriod = firstRetryMs
    greet().catch(reportFailure)
  })
  // The library reads this before each attempt.
  client.on('reconnect', () => {
    client.options.reconnectPeriod = Math.min(LONGEST_RETRY_MS, 2 * (client.options.reconnectPeriod ?? firstRetryMs))
  })
  client.on('message', (topic, payload, { retain }) => events.emit('message', { topic, payload, retained: retain }))
  client.on('error', reportFailure)
  client.on('offline', () => reportFailure(problem ?? new Error('the connection was lost')))

  return {
    get connected () { return client.connected },
    events,
    publish,
    async close (isForGood = false) {
      const timer = setTimeout(() => client.end(true), CLOSE_MS).unref()
      const goodbye = isForGood ? undefined : publish(topics.status, OFFLINE, { qos: 1, retain: true })
      await goodbye?.catch(() => {}) // the last will covers it
      await client.endAsync(!client.connected).catch(() => {})
      clearTimeout(timer)
    }
  }
}
