import type { Dispose, PrinterSession } from '../../core/index.js'
import { CardChanges } from './card-changes.js'
import { CardContents } from './card-contents.js'
import { CardDownloads } from './card-downloads.js'
import type { DownloadCache } from './download-cache.js'
import { createProtections } from './protections.js'
import { createListingCache } from './listing-cache.js'
import type { Spool } from './spool.js'
import { createTransfers } from './transfers.js'
import type { FilesService } from './types.js'

export interface ServiceDeps {
  readonly downloads: DownloadCache
  readonly spool: Spool
  readonly now: () => number
}

/** The service, with the cleanup when a session ends. */
export interface RunningFiles extends Omit<FilesService, 'hostFiles' | 'checkPrintsBy' | 'checkPrintable' | 'judgeUpload'> {
  follow (session: PrinterSession): Dispose
}

export function createFiles ({ downloads, spool, now }: ServiceDeps): RunningFiles {
  const listings = createListingCache()
  const transfers = createTransfers(now)
  const protections = createProtections()
  const contents = new CardContents(listings)
  const reader = new CardDownloads({ contents, transfers, downloads, spool })
  const writer = new CardChanges({ contents, listings, transfers, protections, now })
  return {
    transfers,
    cached: listings.get,
    lastListings: listings.trees,
    protect: protections.add,
    list: (session, options) => contents.list(session, options),
    find: (session, path, options) => contents.find(session, path, options),
    stat: (session, path, options) => contents.stat(session, path, options),
    has: (session, path, options) => contents.has(session, path, options),
    open: (session, path, options) => reader.open(session, path, options),
    fetch: (session, path, options) => reader.fetch(session, path, options),
    download: (session, path, hostPath, options) => reader.download(session, path, hostPath, options),
    stream: (session, path, options) => reader.stream(session, path, options),
    upload: (session, hostPath, path, options) => writer.upload(session, hostPath, path, options),
    uploadFrom: (session, source, path, options) => writer.uploadFrom(session, source, path, options),
    makeFolder: (session, path, options) => writer.makeFolder(session, path, options),
    rename: (session, from, to, options) => writer.rename(session, from, to, options),
    remove: (session, path, options) => writer.remove(session, path, options),
    follow: session => () => { listings.forget(session) }
  }
}
