import type { Client, ClientSettings } from './options.js'

interface Entry {
  readonly client: Client
  readonly gone: AbortController
}

/** The clients that may connect now, by name. */
export class ClientRegistry {
  readonly #service: AbortSignal
  readonly #entries = new Map<string, Entry>()
  #all: readonly Client[] = []

  /** @param service aborted when the service ends */
  constructor (service: AbortSignal) {
    this.#service = service
  }

  get all (): readonly Client[] { return this.#all }

  /** Adds a client, or replaces the one of its name, whose connections end. */
  put (settings: ClientSettings): void {
    const gone = new AbortController()
    const before = this.#entries.get(settings.name)
    const client = { ...settings, signal: AbortSignal.any([this.#service, gone.signal]) }
    this.#entries.set(settings.name, { client, gone })
    this.#changed(before)
  }

  /** Its connections, and what it has begun, end. */
  remove (name: string): void {
    const before = this.#entries.get(name)
    this.#entries.delete(name)
    this.#changed(before)
  }

  #changed (before: Entry | undefined): void {
    this.#all = [...this.#entries.values()].map(({ client }) => client)
    before?.gone.abort(new Error(`the access of '${before.client.name}' to the relay was changed`))
  }
}
