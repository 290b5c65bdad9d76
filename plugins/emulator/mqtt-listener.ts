import { createBroker, createIdentity, type Broker, type BrokerHandler, type Identity } from '../printer-servers/index.js'

/** The MQTT listener of the printer, with its port and certificate. */
export interface MqttListener {
  /** Undefined while the printer is off. */
  readonly broker: Broker | undefined
  readonly port: number
  readonly fingerprint: string
  /** Undefined before the first start. */
  readonly identity: Identity | undefined
  open (): Promise<void>
  close (): Promise<void>
  publish (payload: Uint8Array): void
  /** Another key and certificate; connections end. */
  changeCertificate (): Promise<string>
  /** Back to the certificate of the first start. */
  restoreCertificate (): void
}

export interface MqttListenerOptions {
  readonly serial: string
  readonly host: string
  /** 0 for any; the port stays the same across restarts. */
  readonly port: number
  readonly identity: Identity | undefined
  /** Called when the printer presents another certificate. */
  readonly presented?: (identity: Identity) => void
}

export function createMqttListener (options: MqttListenerOptions, handler: BrokerHandler<true>): MqttListener {
  const { serial, host } = options
  let { port, identity } = options
  let first = options.identity
  let broker: Broker | undefined
  let opening: Promise<void> | undefined

  const present = (next: Identity): void => {
    identity = next
    broker?.present(next)
    broker?.drop()
    options.presented?.(next)
  }

  const open = async (): Promise<void> => {
    first ??= await createIdentity(serial)
    identity ??= first
    broker = await createBroker({ serial, host, port, identity }, handler)
    port = broker.port
  }

  return {
    get broker () { return broker },
    get port () { return port },
    get identity () { return identity },
    get fingerprint () { return identity?.fingerprint ?? '' },
    open () {
      opening ??= open().catch(error => { opening = undefined; throw error })
      return opening
    },
    async close () {
      await opening?.catch(() => {})
      opening = undefined
      const closing = broker
      broker = undefined
      await closing?.close()
    },
    publish: payload => broker?.publish(payload),
    async changeCertificate () {
      const next = await createIdentity(serial, true)
      first ??= next
      present(next)
      return next.fingerprint
    },
    restoreCertificate () {
      if (first !== undefined && identity !== first) present(first)
    }
  }
}
