import { createWriteStream } from 'node:fs'
import {
  BadInput, SdCardError, cardPath, nameOf, type SdCardSink, type Dispose, type PrinterSession
} from '../../core/index.js'
import { localFile, remoteFile } from './remote-file.js'
import { callerError, FileMissing, listingFailed } from './errors.js'
import { createProtections } from './in-use.js'
import type { Spool } from './spool.js'
import { replaceFile } from './replace-file.js'
import type { DownloadCache } from './download-cache.js'
import { createListingCache } from './listing-cache.js'
import { createTransfers } from './transfers.js'
import type { CardEntry, FilesService, TransferOptions } from './types.js'

export interface ServiceDeps {
  readonly downloads: DownloadCache
  readonly spool: Spool
  readonly now: () => number
}

type Call = { signal?: AbortSignal }

/** The service, and how a printer's part of it is forgotten with its session. */
export interface RunningFiles extends Omit<FilesService, 'hostFiles' | 'checkPrintsBy' | 'checkPrintable' | 'judgeUpload'> {
  follow (session: PrinterSession): Dispose
}

export function createFiles ({ downloads, spool, now }: ServiceDeps): RunningFiles {
  const listings = createListingCache()
  const transfers = createTransfers(now)
  const protections = createProtections()

  async function list (session: PrinterSession, { refresh = false, signal }: Call & { refresh?: boolean } = {}) {
    const known = refresh ? undefined : listings.get(session)
    if (known) return known
    try {
      const entries = await session.card.list(signal ? { signal } : {})
      checkCard(session, entries)
      listings.set(session, entries)
      return entries
    } catch (error) {
      if (signal?.aborted) throw error
      listings.forget(session)
      throw listingFailed(error)
    }
  }

  const known = (session: PrinterSession, path: string): CardEntry | undefined =>
    listings.get(session)?.find(entry => entry.path === path)

  async function find (session: PrinterSession, path: string, { signal }: Call = {}) {
    const target = await clear('find', path, () => cardPath(path))
    const among = (entries: readonly CardEntry[]) => entries.find(entry => entry.path === target)
    return known(session, target) ?? among(await list(session, { refresh: true, ...(signal && { signal }) }))
  }

  async function has (session: PrinterSession, path: string, options: Call = {}) {
    const target = await clear('find', path, () => cardPath(path))
    return await clear('find', path, () => session.card.size(target, options)) !== undefined
  }

  async function look (session: PrinterSession, path: string, { signal }: Call = {}) {
    const target = await clear('find', path, () => cardPath(path))
    if (target === '/') return undefined
    try {
      const entry = await session.card.look(target, signal ? { signal } : {})
      if (entry === undefined) checkCard(session, [])
      listings.update(session, target, entry)
      return entry
    } catch (error) {
      throw listingFailed(error)
    }
  }

  /** A file that is read next: what was listed a while ago may have been replaced on the card since. */
  async function currentFile (session: PrinterSession, path: string, options: Call): Promise<CardEntry> {
    const entry = await look(session, path, options)
    if (!entry || entry.isFolder) throw new FileMissing(path)
    return entry
  }

  const receive = (session: PrinterSession, { path }: CardEntry, sink: () => SdCardSink, options: TransferOptions) =>
    clear('download', path, () => transfers.record({ direction: 'download', path }, session, options,
      tracked => session.card.download(path, sink, tracked)))

  async function fetch (session: PrinterSession, path: string, options: TransferOptions = {}) {
    const entry = await currentFile(session, path, options)
    return await copyOf(session, entry, options)
  }

  const copyOf = (session: PrinterSession, entry: CardEntry, options: TransferOptions): Promise<string> =>
    downloads.take(session.config.serial, entry, async target => {
      await receive(session, entry, () => createWriteStream(target, { mode: 0o600 }), options)
    })

  return {
    transfers,
    list,
    has,
    find,
    look,
    fetch,
    protect: protections.add,
    cached: listings.get,
    lastListings: listings.trees,
    async open (session, path, { entry: current, ...options } = {}) {
      const entry = current ?? await currentFile(session, path, options)
      const { signal } = options
      const ranged = await clear('read', path, () => session.card.allowsRanges(signal ? { signal } : {}))
      if (ranged) return remoteFile(session, entry, signal)
      return await localFile(await copyOf(session, entry, options), entry)
    },
    async upload (session, hostPath, path, options = {}) {
      const target = await clear('upload', path, () => cardPath(path))
      if (path.endsWith('/')) throw isFolderName(path)
      protections.check(session, target)
      const { size } = await clear('upload', undefined, () =>
        transfers.record({ direction: 'upload', path: target }, session, options,
          tracked => session.card.upload(hostPath, target, tracked)))
      // One folder is listed, not the card. That it cannot be does not undo the upload.
      const found = await look(session, target, options).catch(() => undefined)
      if (found) return found
      const modifiedAt = Math.floor(now() / 1000) * 1000
      const entry = { name: nameOf(target), path: target, size, isFolder: false, modifiedAt }
      listings.update(session, target, entry)
      return entry
    },
    async uploadFrom (session, source, path, options = {}) {
      const target = await clear('upload', path, () => cardPath(path))
      protections.check(session, target)
      await clear('upload', undefined, () => transfers.record({ direction: 'upload', path: target }, session, options,
        ({ signal }) => session.card.uploadFrom(source, target, { signal })))
      await look(session, target, options).catch(() => {}) // for the listing that is kept
    },
    async download (session, path, hostPath, options = {}) {
      const entry = await currentFile(session, path, options)
      await replaceFile(hostPath, sink => receive(session, entry, sink, options))
    },
    async stream (session, path, options = {}) {
      const entry = await currentFile(session, path, options)
      return { entry, body: await spool.stream(entry.size, sink => receive(session, entry, sink, options)) }
    },
    async makeFolder (session, path, options = {}) {
      await clear('folder creation', undefined, () => session.card.makeFolder(path, options))
    },
    async rename (session, from, to, options = {}) {
      const [source, target] = await clear('rename', undefined, () => [cardPath(from), cardPath(to)] as const)
      const entry = await find(session, source, options)
      if (!entry) throw new FileMissing(from)
      const reach = () => clear('rename', from, () => session.card.look(source, options))
      await protections.checkRemoval(session, source, entry.isFolder, reach)
      if (source !== target && await find(session, target, options)) {
        throw callerError(new SdCardError('bad_path', `${target} already exists`), 'rename')
      }
      await clear('rename', from, () => session.card.rename(source, target, options))
      listings.move(session, source, target)
    },
    async remove (session, path, options = {}) {
      const target = await clear('delete', undefined, () => cardPath(path))
      const wholeFolder = path.endsWith('/')
      const reach = () => clear('delete', path, () => session.card.look(target, options))
      await protections.checkRemoval(session, target, wholeFolder, reach)
      await clear('delete', path, () => wholeFolder
        ? session.card.removeFolder(target, options)
        : session.card.remove(target, options))
      listings.remove(session, target)
    },
    follow: session => () => { listings.forget(session) }
  }
}

/** A root without anything is a card without files, unless the printer says that there is no card. */
function checkCard (session: PrinterSession, entries: readonly CardEntry[]): void {
  if (entries.length > 0 || session.state?.device.storage !== false) return
  throw new SdCardError('not_found', 'The printer has no SD card')
}

/** Does something with a card; its problems become errors for callers. */
async function clear<T> (act: string, path: string | undefined, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw callerError(error, act, path)
  }
}

const isFolderName = (path: string): Error => new BadInput(`'${path}' ends in a slash, as folders do: name the file in it ` +
  `too, such as '${path}part.gcode.3mf'`)
