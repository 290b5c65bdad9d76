import { createWriteStream } from 'node:fs'
import type { PrinterSession, SdCardSink } from '../../core/index.js'
import { cardCall } from './card-call.js'
import type { CardContents } from './card-contents.js'
import type { DownloadCache } from './download-cache.js'
import { localFile, remoteFile } from './remote-file.js'
import { replaceFile } from './replace-file.js'
import type { Spool } from './spool.js'
import type { CardEntry, CardFile, CardStream, OpenOptions, TransferOptions, Transfers } from './types.js'

export interface CardDownloadsDeps {
  readonly contents: CardContents
  readonly transfers: Transfers
  readonly downloads: DownloadCache
  readonly spool: Spool
}

/** Reads files of printers' cards. Each is checked first, so that an outdated copy is never used. */
export class CardDownloads {
  readonly #deps: CardDownloadsDeps

  constructor (deps: CardDownloadsDeps) {
    this.#deps = deps
  }

  async fetch (session: PrinterSession, path: string, options: TransferOptions = {}): Promise<string> {
    const entry = await this.#deps.contents.currentFile(session, path, options)
    return await this.#copyOf(session, entry, options)
  }

  async open (session: PrinterSession, path: string, { entry: current, ...options }: OpenOptions = {}):
  Promise<CardFile> {
    const entry = current ?? await this.#deps.contents.currentFile(session, path, options)
    const { signal } = options
    const isRanged = await cardCall('read', path, () => session.card.allowsRanges(signal ? { signal } : {}))
    if (isRanged) return remoteFile(session, entry, signal)
    return await localFile(await this.#copyOf(session, entry, options), entry)
  }

  async download (session: PrinterSession, path: string, hostPath: string, options: TransferOptions = {}):
  Promise<void> {
    const entry = await this.#deps.contents.currentFile(session, path, options)
    await replaceFile(hostPath, sink => this.#receive(session, entry, sink, options))
  }

  async stream (session: PrinterSession, path: string, options: TransferOptions = {}): Promise<CardStream> {
    const { contents, spool } = this.#deps
    const entry = await contents.currentFile(session, path, options)
    return { entry, body: await spool.stream(entry.size, sink => this.#receive(session, entry, sink, options)) }
  }

  #copyOf (session: PrinterSession, entry: CardEntry, options: TransferOptions): Promise<string> {
    return cardCall('read', entry.path, () => this.#deps.downloads.take(session.config.serial, entry, async target => {
      await this.#receive(session, entry, () => createWriteStream(target, { mode: 0o600 }), options)
    }))
  }

  #receive (session: PrinterSession, { path, size }: CardEntry, sink: () => SdCardSink, options: TransferOptions) {
    return cardCall('download', path, () =>
      this.#deps.transfers.record({ direction: 'download', path }, session, options,
        tracked => session.card.download(path, sink, { ...tracked, mostBytes: size })))
  }
}
