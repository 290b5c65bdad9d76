import { connect, type MqttClient } from 'mqtt'
import { createEmitter, type Emitter } from '../../core/index.js'
import type { Options } from './options.js'

/** The readings of the chamber. */
export interface Reading {
  /** °C; undefined before the first reading. */
  readonly celsius: number | undefined
  /** The heater is on; undefined while it is unknown. */
  readonly heating: boolean | undefined
}

/** Thermometer and heater of a chamber, connected through an MQTT broker. */
export interface Monitor {
  readonly reading: Reading
  readonly events: Emitter<{ reading: [now: Reading], target: [celsius: number] }>
  /** Publishes the heater's target. @param celsius 0 switches it off */
  aim (celsius: number): void
  close (): Promise<void>
}

export interface MonitorDeps {
  readonly options: Options & { readonly url: string }
  readonly password: string | undefined
  readonly log: { warn (fields: object, message: string): void }
}

const CONNECT_MS = 10_000
const RETRY_MS = 5_000
const CLOSE_MS = 1_000
/** Longest accepted number, in any common notation. */
const LONGEST = 64
const COLDEST_C = -60
const HOTTEST_C = 300

function celsiusOf (payload: Buffer): number | undefined {
  const text = payload.length > LONGEST ? '' : payload.toString().trim()
  const celsius = text === '' ? NaN : Number(text)
  return celsius >= COLDEST_C && celsius <= HOTTEST_C ? celsius : undefined
}

/** Connects and reconnects; the last target is published again after each reconnect. */
export function createMonitor ({ options, password, log }: MonitorDeps): Monitor {
  const { url, username, temperatureTopic, targetTopic, requestedStateTopic, currentStateTopic } = options
  const events = createEmitter<{ reading: [now: Reading], target: [celsius: number] }>((error, event) =>
    log.warn({ err: error, event }, 'listener failed'))
  let reading: Reading = { celsius: undefined, heating: undefined }
  let target: number | undefined
  let complained = false

  const client: MqttClient = connect(url, {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    connectTimeout: CONNECT_MS,
    reconnectPeriod: RETRY_MS,
    queueQoSZero: false, // only the latest target counts, and it is published again
    resubscribe: false,
    writeCache: false // the cache is shared by the whole process
  })

  function publish (topic: string | undefined, text: string): void {
    if (topic === undefined || !client.connected) return
    client.publish(topic, text, { retain: true }, error => { if (error) log.warn({ err: error, topic }, 'not published') })
  }

  function tell (): void {
    if (target === undefined) return
    publish(targetTopic, String(target))
    publish(requestedStateTopic, target > 0 ? options.onValue : options.offValue)
  }

  function take (topic: string, payload: Buffer): void {
    const celsius = topic === temperatureTopic ? celsiusOf(payload) : undefined
    const heating = topic === currentStateTopic ? payload.toString().trim() === options.onValue : reading.heating
    if (topic === temperatureTopic && celsius === undefined) return
    reading = { celsius: celsius ?? reading.celsius, heating }
    if (topic === temperatureTopic || topic === currentStateTopic) events.emit('reading', reading)
  }

  client.on('connect', () => {
    complained = false
    const topics = [temperatureTopic, currentStateTopic].filter(topic => topic !== undefined)
    if (topics.length > 0) client.subscribe(topics, error => { if (error) log.warn({ err: error }, 'not subscribed') })
    tell()
  })
  client.on('message', take)
  client.on('error', error => {
    if (!complained) log.warn({ err: error }, 'the broker of the chamber cannot be reached')
    complained = true
  })

  return {
    get reading () { return reading },
    events,
    aim (celsius) {
      if (celsius === target) return
      target = celsius
      tell()
      events.emit('target', celsius)
    },
    async close () {
      const timer = setTimeout(() => client.end(true), CLOSE_MS).unref()
      await client.endAsync(!client.connected).catch(() => {})
      clearTimeout(timer)
    }
  }
}
