import { BadInput, createKeyedQueue } from '../../core/index.js'
import { mqttBroker, type Login } from '../broker/index.js'
import { brokerProblem, type BrokerProblem } from './broker-problem.js'
import { openConnection, type Announcing, type Connection, type ConnectionDeps, type ConnectionState } from './connection.js'
import { BrokerFixed } from './errors.js'
import { isTooOften, LEAST_SECONDS, loginOf, type Options } from './options.js'
import { PORT, TLS_PORT, type BrokerSettings, type StoredBroker } from './stored-broker.js'

export interface BrokerSetupDeps extends Pick<ConnectionDeps, 'context' | 'ledger'> {
  readonly options: Options
  readonly stored: StoredBroker
}

/** The broker as it is shown: everything but the password and the certificates. */
export interface BrokerView {
  /** `none`: there is no broker. */
  readonly origin: 'file' | 'stored' | 'none'
  readonly settings: Omit<BrokerSettings, 'ca'> | null
  /** What a new broker begins with. */
  readonly initial: Announcing
  readonly has_password: boolean
  readonly has_ca: boolean
  readonly state: ConnectionState | null
}

/** An omitted password or certificate keeps its value; null or an empty text removes it. */
export type BrokerChange = Omit<BrokerSettings, 'ca'> & { readonly password?: string | null, readonly ca?: string | null }

const announcingOf = ({ discoveryPrefix, topicPrefix, readOnly, imageOnAlert, imageSeconds }: Announcing): Announcing =>
  ({ discoveryPrefix, topicPrefix, readOnly, imageOnAlert, imageSeconds })

/** IPv6 addresses are in brackets. */
const hostOf = (host: string): string => host.includes(':') ? `[${host}]` : host

export const loginTo = ({ host, port, tls, username, ca }: BrokerSettings, password: string | undefined): Login => ({
  url: `${tls ? 'mqtts' : 'mqtt'}://${hostOf(host)}:${port}`,
  ...(username !== undefined && { username }),
  ...(password !== undefined && { password }),
  ...(ca !== undefined && { ca })
})

/** The settings that the configuration file says. */
function settingsOf ({ url, username }: Login, options: Options): Omit<BrokerSettings, 'ca'> {
  const { protocol, hostname, port } = new URL(url)
  const tls = protocol === 'mqtts:'
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (tls ? TLS_PORT : PORT),
    tls,
    ...(username !== undefined && { username }),
    ...announcingOf(options)
  }
}

/** The connection to Home Assistant, as the file or the page says, and its changes while the service runs. */
export class BrokerSetup {
  readonly #deps: BrokerSetupDeps
  readonly #queue = createKeyedQueue()
  #connection: Connection | undefined
  /** Where it connects to. */
  #login: Login | undefined

  constructor (deps: BrokerSetupDeps) {
    this.#deps = deps
  }

  /** @throws PRN_ERR_CONFIG for what the configuration file says */
  async open (): Promise<void> {
    const { options, stored } = this.#deps
    const settings = stored.settings()
    if (options.broker !== undefined) await this.#connect(await loginOf(options), options)
    else if (settings !== undefined) await this.#connect(loginTo(settings, stored.password()), settings)
  }

  read (): BrokerView {
    const { options, stored } = this.#deps
    const own = stored.settings()
    const isFixed = options.broker !== undefined
    const { ca: _ca, ...shown } = own ?? {}
    const inFile = isFixed && this.#login !== undefined ? settingsOf(this.#login, options) : null
    return {
      origin: isFixed ? 'file' : own === undefined ? 'none' : 'stored',
      settings: isFixed ? inFile : own === undefined ? null : shown as BrokerView['settings'],
      initial: announcingOf(options),
      has_password: this.#login?.password !== undefined,
      has_ca: this.#login?.ca !== undefined,
      state: this.#connection?.state ?? null
    }
  }

  /** Stores it and connects; a broker that is left is told first. @throws PRN_ERR_BROKER_FIXED, PRN_ERR_BAD_INPUT */
  change (change: BrokerChange): Promise<void> {
    return this.#queue.run('', async () => {
      this.#checkOpen()
      const { settings, password } = this.#completed(change)
      const login = loginTo(settings, password)
      await this.#leave(login.url !== this.#login?.url)
      await this.#deps.stored.save(settings, password)
      await this.#connect(login, settings)
    })
  }

  /** The printers disappear from Home Assistant, and the password is deleted. @throws PRN_ERR_BROKER_FIXED */
  remove (): Promise<void> {
    return this.#queue.run('', async () => {
      this.#checkOpen()
      await this.#leave(true)
      await this.#deps.stored.remove()
    })
  }

  /** Logs in and out again. @returns why that failed; undefined if it worked @throws PRN_ERR_BAD_INPUT */
  async try (change: BrokerChange): Promise<BrokerProblem | undefined> {
    const { kernel } = this.#deps.context
    const { settings, password } = this.#completed(change)
    if (password !== undefined) kernel.maskSecret(password)
    const { tryLogin } = await mqttBroker()
    return await tryLogin(loginTo(settings, password))
      .then(() => undefined, error => brokerProblem(error, kernel.redact))
  }

  async close (): Promise<void> {
    await this.#queue.run('', () => this.#leave(false))
    await this.#deps.stored.settled()
  }

  #checkOpen (): void { if (this.#deps.options.broker !== undefined) throw new BrokerFixed() }

  async #connect (login: Login, settings: Announcing): Promise<void> {
    const { context, ledger } = this.#deps
    if (login.password !== undefined) context.kernel.maskSecret(login.password)
    this.#connection = await openConnection({ context, ledger, login, settings })
    this.#login = login
    await context.optional.broker?.lend(login)
  }

  async #leave (isForGood: boolean): Promise<void> {
    const connection = this.#connection
    this.#connection = undefined
    this.#login = undefined
    await this.#deps.context.optional.broker?.lend(undefined)
    await connection?.close(isForGood)
  }

  /** A stored password is only sent to the address, and by the certificates, that it was stored for. */
  #completed ({ password, ca, ...settings }: BrokerChange): { settings: BrokerSettings, password: string | undefined } {
    const { stored } = this.#deps
    const before = stored.settings()
    const kept = stored.password()
    if (isTooOften(settings.imageSeconds)) throw new BadInput(`imageSeconds must be 0, or ${LEAST_SECONDS} at least`)
    const authorities = ca === undefined ? before?.ca : ca || undefined
    const next: BrokerSettings = { ...settings, ...(authorities !== undefined && { ca: authorities }) }
    if (password !== undefined) return { settings: next, password: password || undefined }
    if (kept === undefined || before === undefined) return { settings: next, password: undefined }
    const keyOf = (settings: BrokerSettings) => JSON.stringify(loginTo(settings, kept))
    if (keyOf(before) !== keyOf(next)) {
      throw new BadInput('password must be given again, because the address, the user or the certificates have changed')
    }
    return { settings: next, password: kept }
  }
}
