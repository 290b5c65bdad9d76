import type { Trust } from '../tls.js'
import type { PrinterConfig } from '../types.js'
import { stat, makeFolder, remove, removeFolder, rename } from './file-operations.js'
import { createServerQuirks, type TlsVersion } from './server-quirks.js'
import { createFtpConnection } from './ftp-connection.js'
import { sizeOf } from './path-kind.js'
import { cardPath, newCardPath } from './path.js'
import { SdCardError } from './sd-card-error.js'
import { RangedReads } from './ranged-reads.js'
import { download } from './download.js'
import { freeBytes, upload, uploadFrom } from './upload.js'
import { SD_CARD_TIMEOUTS, type SdCard, type SdCardTimeouts } from './types.js'
import { listFolder, listRecursive, type ListDeps } from './list-recursive.js'

interface Flight<T> { readonly result: Promise<T>, readonly controller: AbortController, callers: number }

/** Shares one run of the work among concurrent callers. It is aborted only when all of them have aborted. */
function singleFlight<T> (work: (signal: AbortSignal) => Promise<T>): (signal?: AbortSignal) => Promise<T> {
  let current: Flight<T> | undefined

  function begin (): Flight<T> {
    const controller = new AbortController()
    const made: Flight<T> = { controller, callers: 0, result: work(controller.signal) }
    const over = () => { if (current === made) current = undefined }
    made.result.then(over, over)
    return made
  }

  return async (signal?: AbortSignal): Promise<T> => {
    signal?.throwIfAborted()
    const flight = current ??= begin()
    flight.callers++
    let leave = (): void => {}
    const left = new Promise<never>((_resolve, reject) => {
      leave = () => {
        reject(signal?.reason)
        if (--flight.callers === 0) {
          if (current === flight) current = undefined
          flight.controller.abort(signal?.reason)
        }
      }
      signal?.addEventListener('abort', leave, { once: true })
    })
    left.catch(() => {})
    return await Promise.race([flight.result, left]).finally(() => signal?.removeEventListener('abort', leave))
  }
}

export { SD_CARD_ERROR_CODES, SdCardError } from './sd-card-error.js'
export type { SdCardErrorCode } from './sd-card-error.js'
export { cardPath, nameOf, newCardPath, parentOf } from './path.js'
export type { SdCard, SdCardOptions, SdCardItem, SdCardProgress, SdCardSink, SdCardTransfer, SdCardTimeouts } from './types.js'

export interface SdCardDeps {
  readonly now: () => number
  /** How the certificate is verified, as on every other port. */
  readonly trust: () => Trust
  /** Called with the fingerprint of a certificate that passed. */
  readonly onPeer: (fingerprint: string) => void
  /** Aborted when the session ends. */
  readonly signal: AbortSignal
  readonly timeouts?: Partial<SdCardTimeouts>
  /**
   * Newer versions are refused by some models and lose bytes on others; a server that supports nothing else gets them.
   * @default TLSv1.2
   */
  readonly maxVersion?: TlsVersion
  /** @default bblp */
  readonly user?: string
  /** Called once when transfers are unencrypted from now on, because encrypted ones stalled. */
  readonly onPlain?: () => void
}

const USER = 'bblp'

/** An SD card client and the function that closes it, which only its session has. */
export interface RunningSdCard { readonly card: SdCard, end (): Promise<void> }

/** Creates the client for a printer's SD card. It connects with the first request. */
export function createSdCard (config: PrinterConfig, deps: SdCardDeps): RunningSdCard {
  const timeouts = { ...SD_CARD_TIMEOUTS, ...deps.timeouts }
  const { name, host, serial, accessCode, ports: { ftps: port } } = config
  const { user = USER, maxVersion = 'TLSv1.2', onPlain = () => {} } = deps
  // Configured authorities mean that encryption is required: no fallback to plain transfers.
  const quirks = createServerQuirks({ maxVersion, onPlain, mayBePlain: () => deps.trust().mode !== 'ca' })
  const connection = createFtpConnection({
    signal: deps.signal,
    onPeer: deps.onPeer,
    target: () => ({ name, host, port, serial, user, accessCode, timeouts, quirks, trust: deps.trust() })
  })
  const receiving = () => ({ earlyEndMs: timeouts.earlyEndMs, silenceMs: timeouts.silenceMs })
  const listDeps: ListDeps = { connection, quirks, now: deps.now, receiving }
  const list = singleFlight(signal => listRecursive(listDeps, signal))
  const ranged = new RangedReads(connection, receiving)

  const card: SdCard = {
    list: ({ signal } = {}) => list(signal),
    listFolder: async (path, { signal } = {}) => {
      const folder = cardPath(path)
      const options = quirks.listsHidden ? '-a' : ''
      return await connection.use({
        what: `Listing ${folder}`,
        signal,
        run: async client => (await listFolder(client, folder, listDeps, { options })).items
      })
    },
    stat: async (path, options = {}) => await stat(listDeps, notRoot(path), options),
    size: async (path, { signal } = {}) => {
      const wanted = cardPath(path)
      return await connection.use({ what: `Looking for ${wanted}`, signal, run: client => sizeOf(client, wanted) })
    },
    free: async ({ signal } = {}) =>
      await connection.use({ what: 'Asking for free space', signal, run: client => freeBytes(client, quirks) }),
    upload: async (hostPath, path, options = {}) =>
      await upload(connection, quirks, timeouts, hostPath, newCardPath(path), options),
    uploadFrom: async (source, path, options = {}) =>
      await uploadFrom(connection, quirks, timeouts, source, newCardPath(path), options),
    download: async (path, sink, options = {}) => await download(listDeps, cardPath(path), sink, options),
    allowsRanges: async ({ signal } = {}) => await ranged.allowed(signal),
    read: async (path, start, length, { signal } = {}) => await ranged.read(cardPath(path), start, length, signal),
    makeFolder: async (path, options = {}) => await makeFolder(listDeps, newCardPath(path), options),
    rename: async (from, to, options = {}) => await rename(listDeps, notRoot(from), newCardPath(to), options),
    remove: async (path, options = {}) => await remove(listDeps, notRoot(path), options),
    removeFolder: async (path, options = {}) => await removeFolder(listDeps, notRoot(path), options)
  }
  return { card, end: connection.end }
}

function notRoot (text: string): string {
  const path = cardPath(text)
  if (path === '/') throw new SdCardError('bad_path', 'That would be the whole card')
  return path
}
