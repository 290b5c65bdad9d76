import { SdCardError, cardPath, type PrinterSession } from '../../core/index.js'
import { cardCall } from './card-call.js'
import { FileMissing, listingFailed } from './errors.js'
import type { ListingCache } from './listing-cache.js'
import type { CardEntry } from './types.js'

interface CallOptions { readonly signal?: AbortSignal }

/** Contents of printers' cards, from the last listing or read now. */
export class CardContents {
  readonly #listings: ListingCache

  constructor (listings: ListingCache) {
    this.#listings = listings
  }

  async list (session: PrinterSession, { refresh = false, signal }: CallOptions & { refresh?: boolean } = {}):
  Promise<readonly CardEntry[]> {
    const known = refresh ? undefined : this.#listings.get(session)
    if (known) return known
    try {
      const entries = await session.card.list(signal ? { signal } : {})
      checkCard(session, entries)
      this.#listings.set(session, entries)
      return entries
    } catch (error) {
      if (signal?.aborted) throw error
      this.#listings.forget(session)
      throw listingFailed(error)
    }
  }

  async find (session: PrinterSession, path: string, { signal }: CallOptions = {}): Promise<CardEntry | undefined> {
    const target = await cardCall('find', path, () => cardPath(path))
    const among = (entries: readonly CardEntry[] = []) => entries.find(entry => entry.path === target)
    return among(this.#listings.get(session)) ??
      among(await this.list(session, { refresh: true, ...(signal && { signal }) }))
  }

  async has (session: PrinterSession, path: string, options: CallOptions = {}): Promise<boolean> {
    const target = await cardCall('find', path, () => cardPath(path))
    return await cardCall('find', path, () => session.card.size(target, options)) !== undefined
  }

  async stat (session: PrinterSession, path: string, { signal }: CallOptions = {}): Promise<CardEntry | undefined> {
    const target = await cardCall('find', path, () => cardPath(path))
    if (target === '/') return undefined
    try {
      const entry = await session.card.stat(target, signal ? { signal } : {})
      if (entry === undefined) checkCard(session, [])
      this.#listings.update(session, target, entry)
      return entry
    } catch (error) {
      throw listingFailed(error)
    }
  }

  /**
   * A file that is about to be read: it may have been replaced on the card since the last listing.
   * @throws PRN_ERR_FILE_NOT_FOUND
   */
  async currentFile (session: PrinterSession, path: string, options: CallOptions): Promise<CardEntry> {
    const entry = await this.stat(session, path, options)
    if (!entry || entry.isFolder) throw new FileMissing(path)
    return entry
  }
}

/** An empty root is a card without files, unless the printer reports that there is no card. */
function checkCard (session: PrinterSession, entries: readonly CardEntry[]): void {
  if (entries.length > 0 || session.state?.device.storage !== false) return
  throw new SdCardError('not_found', 'The printer has no SD card')
}
