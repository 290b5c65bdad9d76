import { mqttBroker, type BrokerConnection, type BrokerConnectionOptions } from '../broker/index.js'
import { OFFLINE, type Topics } from './topics.js'

export interface Broker extends Pick<BrokerConnection, 'isConnected' | 'events' | 'publish'> {
  /**
   * Publishes the offline status first, so that entities become unavailable at once.
   * @param isForGood publishes nothing, because everything was cleared
   */
  close (isForGood?: boolean): Promise<void>
}

export interface BrokerOptions extends Pick<BrokerConnectionOptions, 'login' | 'report' | 'firstRetryMs'> {
  readonly topics: Topics
  readonly log: BrokerConnectionOptions['log'] & { info (fields: object, message: string): void }
}

/** Connects to the broker of Home Assistant, which learns by the last will when the service has gone. */
export async function openBroker ({ topics, log, ...options }: BrokerOptions): Promise<Broker> {
  const { connectBroker } = await mqttBroker()
  const connection = connectBroker({
    ...options,
    log,
    will: { topic: topics.status, payload: Buffer.from(OFFLINE), qos: 1, retain: true },
    async greet (connection) {
      await connection.subscribe([topics.commands, topics.birth])
      log.info({}, 'connected to the broker of Home Assistant')
    }
  })
  return {
    get isConnected () { return connection.isConnected },
    events: connection.events,
    publish: (topic, payload, options) => connection.publish(topic, payload, options),
    close: (isForGood = false) => connection.close(isForGood
      ? undefined
      : () => connection.publish(topics.status, OFFLINE, { qos: 1, retain: true }))
  }
}
