import type { Trust } from '../tls.js'
import type { PrinterConfig } from '../types.js'
import { makeFolder, remove, removeFolder, rename } from './file-operations.js'
import { createServerQuirks, type TlsVersion } from './server-quirks.js'
import { createFtpConnection } from './ftp-connection.js'
import { look } from './entry.js'
import { sizeOf } from './stat.js'
import { cardPath, newCardPath } from './path.js'
import { SdCardError } from './sd-card-error.js'
import { receive } from './partial-read.js'
import { singleFlight } from '../../util/single-flight.js'
import { download } from './download.js'
import { freeBytes, upload } from './upload.js'
import { CARD_WAITS, type SdCard, type SdCardTimeouts } from './types.js'
import { listRecursive, type ListDeps } from './list-recursive.js'

export { SD_CARD_ERROR_CODES, SdCardError } from './sd-card-error.js'
export type { SdCardErrorCode } from './sd-card-error.js'
export { cardPath, nameOf, newCardPath, parentOf } from './path.js'
export type { SdCard, SdCardOptions, SdCardItem, SdCardProgress, SdCardSink, SdCardTransfer, SdCardTimeouts } from './types.js'

export interface CardDeps {
  readonly now: () => number
  /** How the certificate is judged, as on every other port. */
  readonly trust: () => Trust
  /** Told the fingerprint of a certificate that passed. */
  readonly onPeer: (fingerprint: string) => void
  /** Aborted when the session ends. */
  readonly signal: AbortSignal
  readonly timeouts?: Partial<SdCardTimeouts>
  /**
   * Newer versions are refused by some models and lose bytes on others; a server that speaks nothing else gets them.
   * @default TLSv1.2
   */
  readonly maxVersion?: TlsVersion
  /** @default bblp */
  readonly user?: string
  /** Told once when transfers go unencrypted from now on, as encrypted ones stood still. */
  readonly onPlain?: () => void
}

const USER = 'bblp'

/** A card and the means to end it; only its session holds these. */
export interface RunningSdCard { readonly card: SdCard, end (): Promise<void> }

/** Makes the access to a printer's card. Nothing connects before it is asked for something. */
export function createSdCard (config: PrinterConfig, deps: CardDeps): RunningSdCard {
  const timeouts = { ...CARD_WAITS, ...deps.timeouts }
  const { host, serial, accessCode, ports: { ftps: port } } = config
  const { user = USER, maxVersion = 'TLSv1.2', onPlain = () => {} } = deps
  // Who named authorities asked for more than that.
  const quirks = createServerQuirks({ maxVersion, onPlain, mayBePlain: () => deps.trust().mode !== 'ca' })
  const line = createFtpConnection({
    signal: deps.signal,
    onPeer: deps.onPeer,
    target: () => ({ host, port, serial, user, accessCode, timeouts, quirks, trust: deps.trust() })
  })
  const receiving = () => ({ earlyEndMs: timeouts.earlyEndMs, silenceMs: timeouts.silenceMs })
  const walking: ListDeps = { line, quirks, now: deps.now, receiving }
  const list = singleFlight(signal => listRecursive(walking, signal))
  let ranges: boolean | undefined

  async function allowsRanges (signal?: AbortSignal): Promise<boolean> {
    ranges ??= await line.use({
      what: 'Asking what the card allows',
      signal,
      async run (client) {
        const { code } = await client.sendIgnoringError('REST 100')
        await client.sendIgnoringError('REST 0')
        return code === 350
      }
    })
    return ranges
  }

  async function read (path: string, start: number, length: number, signal?: AbortSignal): Promise<Buffer> {
    if (length <= 0) return Buffer.alloc(0)
    if (!await allowsRanges(signal)) throw new SdCardError('unsupported', 'This printer sends only whole files')
    return await line.use({
      what: `Reading ${path}`,
      signal,
      async run (client) {
        const size = await client.size(path)
        const wanted = Math.min(length, size - start)
        if (wanted <= 0) return Buffer.alloc(0)
        // At the end of the file one byte more shows whether the server began where it was told to.
        const isTail = start + wanted === size
        const { bytes } = await receive(client, `RETR ${path}`, { ...receiving(), limit: wanted + (isTail ? 1 : 0) }, start)
        if (bytes.length === wanted) return bytes
        if (bytes.length < wanted) throw new Error(`${bytes.length} of ${wanted} bytes came`)
        ranges = false
        throw new SdCardError('unsupported', 'This printer sends only whole files')
      }
    })
  }

  const card: SdCard = {
    list: ({ signal } = {}) => list(signal),
    look: async (path, options = {}) => await look(walking, notRoot(path), options),
    size: async (path, { signal } = {}) => {
      const wanted = cardPath(path)
      return await line.use({ what: `Looking for ${wanted}`, signal, run: client => sizeOf(client, wanted) })
    },
    free: async ({ signal } = {}) =>
      await line.use({ what: 'Asking for free space', signal, run: client => freeBytes(client, quirks) }),
    upload: async (hostPath, path, options = {}) =>
      await upload(line, quirks, timeouts, hostPath, newCardPath(path), options),
    download: async (path, sink, options = {}) => await download(walking, cardPath(path), sink, options),
    allowsRanges: async ({ signal } = {}) => await allowsRanges(signal),
    read: async (path, start, length, { signal } = {}) => await read(cardPath(path), start, length, signal),
    makeFolder: async (path, options = {}) => await makeFolder(walking, newCardPath(path), options),
    rename: async (from, to, options = {}) => await rename(walking, notRoot(from), newCardPath(to), options),
    remove: async (path, options = {}) => await remove(walking, notRoot(path), options),
    removeFolder: async (path, options = {}) => await removeFolder(walking, notRoot(path), options)
  }
  return { card, end: line.end }
}

function notRoot (text: string): string {
  const path = cardPath(text)
  if (path === '/') throw new SdCardError('bad_path', 'That would be the whole card')
  return path
}
