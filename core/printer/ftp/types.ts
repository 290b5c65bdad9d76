import type { Writable } from 'node:stream'

/** A file or folder on the printer's card. */
export interface SdCardItem {
  readonly name: string
  /** Absolute, with no slash at the end, folders too: `/cache/part.gcode.3mf`. */
  readonly path: string
  /** Bytes; 0 of a folder. */
  readonly size: number
  readonly isFolder: boolean
  /** ms since the epoch as the server lists it; undefined when it gave none. */
  readonly modifiedAt: number | undefined
  /** The same to the second, ms since the epoch; only from `look`, and where the server tells. */
  readonly changedAt?: number
}

/** How far a transfer has come, bytes. */
export interface SdCardProgress { readonly bytes: number, readonly total: number }

/** Where a file goes; file streams are such. */
export type SdCardSink = Writable & { readonly bytesWritten: number }

export interface SdCardOptions { readonly signal?: AbortSignal }
export interface SdCardTransfer extends SdCardOptions {
  /** Told now and then; after a broken attempt it begins anew. */
  readonly onProgress?: (progress: SdCardProgress) => void
}

/**
 * The card in a printer, over FTPS. One thing at a time: what comes meanwhile waits in line. Connects when there
 * is something to do and lets go soon after. Every call rejects with a SdCardError, or with its signal's reason.
 */
export interface SdCard {
  /** Everything below the root, parents before children. Callers at the same time share one listing. */
  list (options?: SdCardOptions): Promise<readonly SdCardItem[]>
  /** One file or folder as it is now; undefined when there is none. */
  look (path: string, options?: SdCardOptions): Promise<SdCardItem | undefined>
  /** Bytes of a file; undefined when there is none. */
  size (path: string, options?: SdCardOptions): Promise<number | undefined>
  /** Bytes that still fit; undefined where the server does not tell. */
  free (options?: SdCardOptions): Promise<number | undefined>
  /** Stores a host file and compares the size. Of a failed attempt nothing stays, or the problem names it. */
  upload (hostPath: string, path: string, options?: SdCardTransfer): Promise<{ readonly size: number }>
  /**
   * Fetches a whole file and compares the size.
   * @param sink opened anew for every attempt
   */
  download (path: string, sink: () => SdCardSink, options?: SdCardTransfer): Promise<{ readonly size: number }>
  /** Whether the server lets files be read from any place. Asked once per printer. */
  allowsRanges (options?: SdCardOptions): Promise<boolean>
  /** Bytes `start` to `start + length`, fewer only at the end of the file. @throws SdCardError unsupported */
  read (path: string, start: number, length: number, options?: SdCardOptions): Promise<Buffer>
  /** Makes a folder and those above it; one that is there already is fine. */
  makeFolder (path: string, options?: SdCardOptions): Promise<void>
  /** Gives a file or folder another path. */
  rename (from: string, to: string, options?: SdCardOptions): Promise<void>
  remove (path: string, options?: SdCardOptions): Promise<void>
  /** Removes a folder with everything in it. */
  removeFolder (path: string, options?: SdCardOptions): Promise<void>
}

/** How long the card waits for what, ms. */
export interface SdCardTimeouts {
  /** For the connection, the certificate and the login, together. */
  readonly connectMs: number
  /** Without an answer or a byte of a transfer. */
  readonly silenceMs: number
  /** Between two attempts. */
  readonly retryMs: number
  /** An unused connection is kept this long. */
  readonly idleMs: number
  /** For the server's word after a transfer that was ended early. */
  readonly earlyEndMs: number
}

/** Source: what slicers and other clients wait; H2 printers confirm an upload up to 30 s after its last byte. */
export const SD_CARD_TIMEOUTS: SdCardTimeouts = {
  connectMs: 15_000,
  silenceMs: 60_000,
  retryMs: 2_000,
  idleMs: 10_000,
  earlyEndMs: 3_000
}
