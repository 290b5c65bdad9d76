/** Notifies one client that a resource has changed. */
export type Update = (uri: string) => Promise<void>

/** Default interval of change notifications; the last change is always announced. */
const ANNOUNCE_EVERY_MS = 1_000

/** The subscribers of one resource, each with the address it used. */
interface Watched {
  readonly clients: Map<object, { readonly uri: string, readonly update: Update }>
  announcedAt: number
  timer: NodeJS.Timeout | undefined
}

/** Subscriptions to resources, which are announced at most once in an interval. */
export class ResourceSubscriptions {
  readonly #now: () => number
  /** By canonical address, since clients may encode it differently. */
  readonly #watched = new Map<string, Watched>()

  constructor (now: () => number) {
    this.#now = now
  }

  /** @param canonical address of the resource @param uri as the client wrote it */
  add (client: object, canonical: string, uri: string, update: Update): void {
    const one = this.#watched.get(canonical) ?? { clients: new Map(), announcedAt: 0, timer: undefined }
    this.#watched.set(canonical, one)
    one.clients.set(client, { uri, update })
  }

  remove (client: object, uri: string): void {
    for (const [key, { clients }] of this.#watched) {
      if (clients.get(client)?.uri === uri || key === uri) this.#forget(client, key)
    }
  }

  /** Removes all subscriptions of a client. */
  drop (client: object): void { for (const key of [...this.#watched.keys()]) this.#forget(client, key) }

  /** A resource has changed. @param uri its canonical address */
  announce (uri: string, everyMs = ANNOUNCE_EVERY_MS): void {
    const one = this.#watched.get(uri)
    if (!one || one.timer) return
    const wait = one.announcedAt + everyMs - this.#now()
    if (wait <= 0) return this.#announceNow(one)
    one.timer = setTimeout(() => this.#announceNow(one), Math.min(wait, everyMs)).unref()
  }

  close (): void { for (const { timer } of this.#watched.values()) clearTimeout(timer) }

  #announceNow (one: Watched): void {
    one.timer = undefined
    one.announcedAt = this.#now()
    for (const { uri, update } of one.clients.values()) update(uri).catch(() => {}) // the client may have disconnected
  }

  #forget (client: object, key: string): void {
    const one = this.#watched.get(key)
    one?.clients.delete(client)
    if (one?.clients.size !== 0) return
    clearTimeout(one.timer)
    this.#watched.delete(key)
  }
}
