import { defineError, type ConnectionEntry, type Kernel } from '../../core/index.js'
import type { BrokerConnection, BrokerConnectionOptions, Message } from './connect-broker.js'
import type { Login } from './login.js'
import { createFloodGate, Subscriptions, type Listener } from './subscriptions.js'
import { filterProblem } from './topic-filter.js'

export const BrokerAway = defineError<[what: string]>('PRN_ERR_BROKER_AWAY', 'The MQTT broker %s', 503)

export interface BrokerServiceDeps {
  readonly kernel: Pick<Kernel, 'connections' | 'maskSecret' | 'signal'>
  readonly log: BrokerConnectionOptions['log']
}

/** What a plug or a scale says is short: longer messages are not for us. */
const MOST_BYTES = 65_536
const ACK_MS = 5_000

interface Link {
  readonly login: Login
  readonly entry: ConnectionEntry
  readonly connection: Promise<BrokerConnection>
}

/** The broker of the house: messages of plugs, scales and sensors, for all plugins through one connection. */
export class BrokerService {
  readonly #deps: BrokerServiceDeps
  readonly #subscriptions = new Subscriptions()
  readonly #mayRead = createFloodGate()
  #own: Login | undefined
  #lent: Login | undefined
  #link: Link | undefined
  #connection: BrokerConnection | undefined
  #isClosed = false

  /** @param own of the configuration; wins over one that is lent */
  constructor (deps: BrokerServiceDeps, own?: Login) {
    this.#deps = deps
    this.#own = own
  }

  /** There is an address, whether or not the broker answers. */
  get isSetUp (): boolean { return this.#login !== undefined }
  get isConnected (): boolean { return this.#connection?.isConnected ?? false }

  /** The connection that another plugin has set up is used as well, unless the configuration names a broker. */
  async lend (login: Login | undefined): Promise<void> {
    this.#lent = login
    if (this.#link !== undefined && this.#link.login !== this.#login) await this.#leave()
    this.#connect()
  }

  /**
   * Calls back with every message of the topics, over reconnects and changes of the broker; retained ones come with
   * every new connection. Connects with the first subscription.
   * @param filter may contain + and # @returns ends it
   * @throws TypeError for a wrong filter, which callers check before with `filterProblem`
   */
  subscribe (filter: string, listener: Listener): () => void {
    const problem = filterProblem(filter)
    if (problem !== undefined) throw new TypeError(problem)
    const end = this.#subscriptions.add(filter, listener)
    this.#connect()
    // A new listener needs the retained messages too, so the broker is asked again.
    if (this.isConnected) this.#connection?.subscribe([filter]).catch(this.#onLost)
    return () => {
      if (end() && this.isConnected) this.#connection?.unsubscribe(filter).catch(this.#onLost)
    }
  }

  /**
   * Resolves when the message was sent, at most once: a command repeated after an outage would come too late to be
   * safe. Whoever needs to know whether it arrived waits for the device's own word.
   * @throws PRN_ERR_BROKER_AWAY without a broker, or if it takes nothing for 5 s
   */
  async publish (topic: string, payload: string, { retain = false } = {}): Promise<void> {
    if (!this.isSetUp) throw new BrokerAway('is not set up')
    this.#connect()
    const connection = this.#connection
    if (connection?.isConnected !== true) throw new BrokerAway('is not connected')
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new BrokerAway('takes no messages')), ACK_MS)
    })
    try {
      await Promise.race([connection.publish(topic, payload, { qos: 0, retain }), late])
    } finally {
      clearTimeout(timer)
    }
  }

  async close (): Promise<void> {
    this.#isClosed = true
    await this.#leave()
  }

  get #login (): Login | undefined { return this.#own ?? this.#lent }

  readonly #onLost = () => {} // all topics are subscribed anew with the next connection

  /** Nothing is connected that nobody uses. */
  #connect (): void {
    const login = this.#login
    if (this.#isClosed || this.#link !== undefined || login === undefined || this.#subscriptions.size === 0) return
    const { kernel, log } = this.#deps
    if (login.password !== undefined) kernel.maskSecret(login.password)
    const entry = kernel.connections.add({
      name: 'broker', plugin: 'broker', what: 'the MQTT broker of plugs and sensors', address: login.url
    })
    const connection = import('./connect-broker.js').then(({ connectBroker }) => { // loads the MQTT library only when needed
      const opened = connectBroker({ login, report: entry, log, greet: connection => this.#subscribeAll(connection) })
      opened.events.on('message', message => this.#deliver(message))
      if (this.#link?.connection === connection) this.#connection = opened
      return opened
    })
    this.#link = { login, entry, connection }
  }

  async #leave (): Promise<void> {
    const link = this.#link
    this.#link = undefined
    this.#connection = undefined
    if (link === undefined) return
    link.entry.remove()
    await (await link.connection).close()
  }

  async #subscribeAll (connection: BrokerConnection): Promise<void> {
    if (this.#subscriptions.size > 0) await connection.subscribe(this.#subscriptions.filters)
  }

  /** A flood is left out before anything of it is read. */
  #deliver (message: Message): void {
    const { topic, payload } = message
    if (payload.length > MOST_BYTES || !this.#mayRead(topic)) return
    for (const listener of this.#subscriptions.of(topic)) this.#tell(listener, message)
  }

  #tell (listener: Listener, message: Message): void {
    try {
      listener(message)
    } catch (error) {
      this.#deps.log.warn({ err: error, topic: message.topic }, 'a message of the broker was not understood')
    }
  }
}
