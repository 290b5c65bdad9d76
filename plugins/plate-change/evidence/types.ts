/** What one source says about the plate. */
export interface Evidence {
  readonly verdict: 'empty' | 'full' | 'unsure'
  /** A sentence's part. */
  readonly reason: string
  /** Unsure only because this service lacks what it has to ask: another one may have it. */
  readonly isMissing?: boolean
}

export interface BrokerMessage {
  readonly topic: string
  readonly payload: Buffer
  /** Sent by the broker from its memory: nobody measured it now. */
  readonly isRetained: boolean
}

/** As much of the service's MQTT broker as a sensor needs. */
export interface SensorBroker {
  readonly isConnected: boolean
  subscribe (filter: string, listener: (message: BrokerMessage) => void): () => void
  publish (topic: string, text: string): unknown
}
