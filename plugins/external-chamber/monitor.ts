import { connect, type MqttClient } from 'mqtt'
import { createEmitter, type Emitter } from '../../core/index.js'
import type { Options } from './options.js'
import { createReadings, type Reading } from './readings.js'

/** Thermometer and heater of a chamber, connected through an MQTT broker. */
export interface Monitor {
  readonly reading: Reading
  readonly events: Emitter<{ reading: [now: Reading], target: [celsius: number] }>
  /** Publishes the heater's target. @param celsius 0 switches it off */
  aim (celsius: number): void
  /** The heater has this target from an earlier run: nothing is published. */
  assume (celsius: number): void
  close (): Promise<void>
}

export interface MonitorDeps {
  readonly options: Options & { readonly url: string }
  readonly password: string | undefined
  /** Whether a job runs for which the target is: only then it is published again after a reconnect. */
  readonly isWanted: () => boolean
  readonly log: { warn (fields: object, message: string): void }
}

const CONNECT_MS = 10_000
const RETRY_MS = 5_000
const CLOSE_MS = 1_000
/**
 * Connects and reconnects. After a reconnect the last target is published again if it switches the heater off, did not
 * go out, or a job runs: else somebody may have switched the heater off meanwhile.
 */
export function createMonitor ({ options, password, isWanted, log }: MonitorDeps): Monitor {
  const { url, username, temperatureTopic, targetTopic, requestedStateTopic, currentStateTopic } = options
  const events = createEmitter<{ reading: [now: Reading], target: [celsius: number] }>((error, event) =>
    log.warn({ err: error, event }, 'listener failed'))
  const readings = createReadings({ options, steady: () => performance.now(), tell: now => { events.emit('reading', now) } })
  let target: number | undefined
  /** The target went out. */
  let isSent = false
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
    if (topic === undefined) return
    if (!client.connected) {
      isSent = false
      return
    }
    client.publish(topic, text, { retain: true }, error => {
      if (!error) return
      isSent = false
      log.warn({ err: error, topic }, 'not published')
    })
  }

  function tell (): void {
    if (target === undefined) return
    isSent = true
    publish(targetTopic, String(target))
    publish(requestedStateTopic, target > 0 ? options.onValue : options.offValue)
  }

  client.on('connect', () => {
    complained = false
    const topics = [temperatureTopic, currentStateTopic].filter(topic => topic !== undefined)
    if (topics.length > 0) client.subscribe(topics, error => { if (error) log.warn({ err: error }, 'not subscribed') })
    if (!isSent || target === 0 || isWanted()) tell()
  })
  client.on('message', readings.take)
  client.on('error', error => {
    if (!complained) log.warn({ err: error }, 'the broker of the chamber cannot be reached')
    complained = true
  })

  return {
    get reading () { return readings.current },
    events,
    aim (celsius) {
      if (celsius === target) return
      target = celsius
      tell()
      events.emit('target', celsius)
    },
    assume (celsius) {
      target = celsius
      isSent = true
    },
    async close () {
      readings.close()
      const timer = setTimeout(() => client.end(true), CLOSE_MS).unref()
      await client.endAsync(!client.connected).catch(() => {})
      clearTimeout(timer)
    }
  }
}
