import type { Link } from '../link.js'
import type { Names } from '../names.js'
import { openNodeStores, type NodeStores, type NodeStoresOptions } from '../stores.js'

const RETRY_MS = 2_000

export interface ConnectedStoresOptions extends NodeStoresOptions {
  readonly link: Link
  readonly names: Names
  readonly onFailure: (error: Error) => void
}

/** The stores of the fleet, opened with the first connection. */
export class ConnectedStores {
  readonly #options: ConnectedStoresOptions
  #stores: NodeStores | undefined
  #retry: NodeJS.Timeout | undefined
  #isClosed = false

  constructor (options: ConnectedStoresOptions) {
    this.#options = options
  }

  /** Undefined while there is no connection. */
  get current (): NodeStores | undefined { return this.#options.link.connected ? this.#stores : undefined }

  /** @param work runs on every connection, once the stores are open; a failure is retried */
  onOpen (work: () => Promise<void>): void { this.#options.link.onConnect(() => { void this.#open(work) }) }

  close (): void {
    this.#isClosed = true
    clearTimeout(this.#retry)
  }

  async #open (work: () => Promise<void>): Promise<void> {
    const { link, names, onFailure } = this.#options
    clearTimeout(this.#retry)
    try {
      const nats = await link.opened
      this.#stores ??= await openNodeStores(nats, names, this.#options)
      await work()
    } catch (error) {
      if (this.#isClosed) return
      onFailure(error as Error)
      this.#retry = setTimeout(() => { void this.#open(work) }, RETRY_MS).unref()
    }
  }
}
