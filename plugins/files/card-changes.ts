import type { Readable } from 'node:stream'
import { BadInput, SdCardError, cardPath, nameOf, type PrinterSession } from '../../core/index.js'
import { cardCall } from './card-call.js'
import type { CardContents } from './card-contents.js'
import { callerError, FileMissing } from './errors.js'
import type { createProtections } from './protections.js'
import type { ListingCache } from './listing-cache.js'
import type { CardEntry, TransferOptions, Transfers } from './types.js'

export interface CardChangesDeps {
  readonly contents: CardContents
  readonly listings: ListingCache
  readonly transfers: Transfers
  readonly protections: ReturnType<typeof createProtections>
  readonly now: () => number
}

interface CallOptions { readonly signal?: AbortSignal }

/** Changes files on printers' cards, except those in use, and updates the cached listing. */
export class CardChanges {
  readonly #deps: CardChangesDeps

  constructor (deps: CardChangesDeps) {
    this.#deps = deps
  }

  async upload (session: PrinterSession, hostPath: string, path: string, options: TransferOptions = {}):
  Promise<CardEntry> {
    const { contents, listings, transfers, protections, now } = this.#deps
    const target = await cardCall('upload', path, () => cardPath(path))
    if (path.endsWith('/')) throw namesFolder(path)
    protections.check(session, target)
    const checkLast = (replaces: boolean) => protections.checkReplacement(session, target, replaces)
    const { size } = await cardCall('upload', undefined, () =>
      transfers.record({ direction: 'upload', path: target }, session, options,
        tracked => session.card.upload(hostPath, target, { ...tracked, checkLast })))
    // Lists one folder instead of the card. A failure of that does not undo the upload.
    const found = await contents.stat(session, target, options).catch(() => undefined)
    if (found) return found
    const modifiedAt = Math.floor(now() / 1000) * 1000
    const entry = { name: nameOf(target), path: target, size, isFolder: false, modifiedAt }
    listings.update(session, target, entry)
    return entry
  }

  async uploadFrom (session: PrinterSession, source: Readable, path: string, options: TransferOptions = {}):
  Promise<void> {
    const { contents, transfers, protections } = this.#deps
    const target = await cardCall('upload', path, () => cardPath(path))
    protections.check(session, target)
    const checkLast = (replaces: boolean) => protections.checkReplacement(session, target, replaces)
    await cardCall('upload', undefined, () =>
      transfers.record({ direction: 'upload', path: target }, session, options,
        ({ signal }) => session.card.uploadFrom(source, target, { signal, checkLast })))
    await contents.stat(session, target, options).catch(() => {}) // updates the cached listing
  }

  async makeFolder (session: PrinterSession, path: string, options: CallOptions = {}): Promise<void> {
    await cardCall('folder creation', undefined, () => session.card.makeFolder(path, options))
  }

  async rename (session: PrinterSession, from: string, to: string, options: CallOptions = {}): Promise<void> {
    const { contents, listings, protections } = this.#deps
    const [source, target] = await cardCall('rename', undefined, () => [cardPath(from), cardPath(to)] as const)
    const entry = await contents.find(session, source, options)
    if (!entry) throw new FileMissing(from)
    const reach = () => cardCall('rename', from, () => session.card.stat(source, options))
    await protections.checkRemoval(session, source, entry.isFolder, reach)
    if (source !== target && await contents.find(session, target, options)) {
      throw callerError(new SdCardError('bad_path', `${target} already exists`), 'rename')
    }
    await cardCall('rename', from, () => session.card.rename(source, target, options))
    listings.move(session, source, target)
  }

  async remove (session: PrinterSession, path: string, options: CallOptions = {}): Promise<void> {
    const { listings, protections } = this.#deps
    const target = await cardCall('delete', undefined, () => cardPath(path))
    const isFolder = path.endsWith('/')
    const reach = () => cardCall('delete', path, () => session.card.stat(target, options))
    await protections.checkRemoval(session, target, isFolder, reach)
    await cardCall('delete', path, () => isFolder
      ? session.card.removeFolder(target, options)
      : session.card.remove(target, options))
    listings.remove(session, target)
  }
}

const namesFolder = (path: string): Error => new BadInput(`'${path}' ends in a slash, as folders do: name the file in it ` +
  `too, such as '${path}part.gcode.3mf'`)
