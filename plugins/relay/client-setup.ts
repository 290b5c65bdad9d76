import { randomInt } from 'node:crypto'
import { BadInput, type Kernel, type KeyedQueue } from '../../core/index.js'
import type { ClientRegistry } from './client-registry.js'
import { ClientExists, ClientFixed, ClientsFull, NoClient } from './errors.js'
import type { ClientSettings } from './options.js'
import type { Places } from './places.js'
import { MOST_CLIENTS, type StoredAccess, type StoredClient } from './stored-access.js'

/** Without those that are easily taken for another. */
const CODE_SIGNS = 'abcdefghijkmnpqrstuvwxyz23456789'
/** Dialogues of slicers take exactly as many. */
const CODE_LENGTH = 8

export interface ClientSetupDeps {
  /** Clients of the configuration file. */
  readonly fixed: readonly ClientSettings[]
  readonly registry: ClientRegistry
  readonly stored: Pick<StoredAccess, 'clients' | 'setClients'>
  readonly places: Pick<Places, 'get' | 'follow'>
  readonly printers: Pick<Kernel['printers'], 'names' | 'config'>
  readonly mask: (secret: string) => void
  readonly warn: (message: string) => void
  /** Serialises all changes of the relay. */
  readonly queue: KeyedQueue<string>
  readonly makeCode?: () => string
}

export type ClientRights = Pick<StoredClient, 'access' | 'printers'>

const makeRandomCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => CODE_SIGNS[randomInt(CODE_SIGNS.length)]).join('')

const plain = (name: string): string => name.normalize('NFKC').toLowerCase()
const isSameName = (a: string, b: string): boolean => plain(a) === plain(b)

const settingsOf = ({ printers, ...client }: StoredClient): ClientSettings =>
  ({ ...client, printers: printers ?? undefined })

/** Adds, changes and removes clients while the service runs. */
export class ClientSetup {
  readonly #deps: ClientSetupDeps

  constructor (deps: ClientSetupDeps) {
    this.#deps = deps
  }

  /** Lets the clients of the file and the stored ones in. Of two with a name or a code, that of the file counts. */
  open (): void {
    const { fixed, registry, stored, mask, warn } = this.#deps
    for (const client of fixed) registry.put(client)
    for (const client of stored.clients) {
      mask(client.code)
      if (this.#isUsed(client)) registry.put(settingsOf(client))
      else warn(`the client '${client.name}' of the relay was added in the browser, and the configuration file has one with its name or code: that one is used`)
    }
  }

  get fixed (): readonly ClientSettings[] { return this.#deps.fixed }

  /** Those that were added in the browser. */
  get stored (): readonly StoredClient[] { return this.#deps.stored.clients.filter(client => this.#isUsed(client)) }

  /** @throws PRN_ERR_RELAY_CLIENT_EXISTS, PRN_ERR_RELAY_CLIENTS_FULL, PRN_ERR_BAD_INPUT */
  checkNew (name: string, { printers }: ClientRights): void {
    const { fixed, stored: { clients } } = this.#deps
    if ([...fixed, ...clients].some(other => isSameName(other.name, name))) throw new ClientExists(name)
    if (clients.length >= MOST_CLIENTS) throw new ClientsFull(MOST_CLIENTS)
    this.#checkPrinters(printers ?? [])
  }

  /**
   * @returns the client with the change
   * @throws PRN_ERR_NO_RELAY_CLIENT, PRN_ERR_RELAY_CLIENT_FIXED, PRN_ERR_BAD_INPUT
   */
  changed (name: string, change: Partial<ClientRights>): StoredClient {
    const known = this.known(name)
    this.#checkPrinters((change.printers ?? []).filter(printer => known.printers?.includes(printer) !== true))
    return { ...known, ...change }
  }

  /** @throws PRN_ERR_NO_RELAY_CLIENT, PRN_ERR_RELAY_CLIENT_FIXED */
  known (name: string): StoredClient {
    if (this.#deps.fixed.some(client => client.name === name)) throw new ClientFixed(name)
    const known = this.stored.find(client => client.name === name)
    if (known === undefined) throw new NoClient(name)
    return known
  }

  /** @returns its code @throws as `checkNew` */
  add (name: string, rights: ClientRights): Promise<string> {
    return this.#deps.queue.run('', async () => {
      this.checkNew(name, rights)
      const client = { name, code: this.#freeCode(), ...rights }
      await this.#store([...this.#deps.stored.clients, client], client)
      return client.code
    })
  }

  /** Its connections end, unless nothing changes. @throws as `changed` */
  change (name: string, change: Partial<ClientRights>): Promise<void> {
    return this.#deps.queue.run('', async () => {
      const client = this.changed(name, change)
      if (JSON.stringify(client) !== JSON.stringify(this.known(name))) await this.#replace(client)
    })
  }

  /** Its connections end. @returns the new code @throws as `known` */
  renew (name: string): Promise<string> {
    return this.#deps.queue.run('', async () => {
      const client = { ...this.known(name), code: this.#freeCode() }
      await this.#replace(client)
      return client.code
    })
  }

  /** Its connections end. @throws as `known` */
  remove (name: string): Promise<void> {
    return this.#deps.queue.run('', async () => {
      this.known(name)
      const { stored, registry, places } = this.#deps
      await stored.setClients(stored.clients.filter(client => client.name !== name))
      registry.remove(name)
      await places.follow()
    })
  }

  #replace (client: StoredClient): Promise<void> {
    return this.#store(this.#deps.stored.clients.map(one => one.name === client.name ? client : one), client)
  }

  /** Nobody gets in by what could not be stored, and nobody is shut out by it. */
  async #store (clients: readonly StoredClient[], changed: StoredClient): Promise<void> {
    const { stored, registry, places } = this.#deps
    await stored.setClients(clients)
    registry.put(settingsOf(changed))
    await places.follow()
  }

  #isUsed ({ name, code }: StoredClient): boolean {
    return !this.#deps.fixed.some(other => isSameName(other.name, name) || other.code === code)
  }

  /** A code that opens nothing else. It is masked from its first login on: until then, only its own answer has it. */
  #freeCode (): string {
    const { fixed, stored: { clients }, printers, makeCode = makeRandomCode } = this.#deps
    const taken = new Set([...fixed, ...clients].map(({ code }) => code))
    for (const name of printers.names) taken.add(printers.config(name)?.accessCode ?? '')
    for (;;) {
      const code = makeCode()
      if (!taken.has(code)) return code
    }
  }

  #checkPrinters (names: readonly string[]): void {
    const { printers, places } = this.#deps
    const unknown = names.find(name => !printers.names.includes(name) && places.get(name) === undefined)
    if (unknown !== undefined) throw new BadInput(`there is no printer or group '${unknown}'`)
  }
}
