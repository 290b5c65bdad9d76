import type { Readable, Writable } from 'node:stream'

/** A file or folder on the printer's SD card. */
export interface SdCardItem {
  readonly name: string
  /** Absolute, without a trailing slash, even for folders: `/cache/part.gcode.3mf`. */
  readonly path: string
  /** Bytes; 0 for a folder. */
  readonly size: number
  readonly isFolder: boolean
  /** ms since the epoch as the server lists it; undefined if it gave none. */
  readonly modifiedAt: number | undefined
  /** With seconds, ms since the epoch; only from `stat`, and from servers that support MDTM. */
  readonly changedAt?: number
}

/** Progress of a transfer, bytes. */
export interface SdCardProgress { readonly bytes: number, readonly total: number }

/** Target of a download; file streams qualify. */
export type SdCardSink = Writable & { readonly bytesWritten: number }

export interface SdCardOptions { readonly signal?: AbortSignal }
export interface SdCardTransfer extends SdCardOptions {
  /** Called at intervals; starts over when the transfer is retried. */
  readonly onProgress?: (progress: SdCardProgress) => void
}
export interface SdCardUpload extends SdCardTransfer {
  /**
   * Called once it is this upload's turn, right before the file is written: a transfer before it may take minutes.
   * What it throws ends the upload: the call rejects with it.
   * @param replaces a file of that path is there
   */
  readonly checkLast?: (replaces: boolean) => void
}

export interface SdCardDownload extends SdCardTransfer {
  /** The size in a listing: a printer that announces more for the transfer itself could fill the disk. */
  readonly mostBytes?: number
}

/**
 * The SD card of a printer, over FTPS. Requests are queued and run one at a time. It connects on demand and disconnects
 * soon after. Every call rejects with a SdCardError, or with its signal's reason.
 */
export interface SdCard {
  /** Everything below the root, parents before children. Concurrent callers share one listing. */
  list (options?: SdCardOptions): Promise<readonly SdCardItem[]>
  /** The current contents of one folder. */
  listFolder (path: string, options?: SdCardOptions): Promise<readonly SdCardItem[]>
  /** The current entry of one file or folder; undefined if there is none. */
  stat (path: string, options?: SdCardOptions): Promise<SdCardItem | undefined>
  /** Bytes of a file; undefined if there is none. */
  size (path: string, options?: SdCardOptions): Promise<number | undefined>
  /** Free space in bytes; undefined if the server does not support AVBL. */
  free (options?: SdCardOptions): Promise<number | undefined>
  /** Uploads a host file and compares the size. After a failure, a partial file is removed, or named in the error. */
  upload (hostPath: string, path: string, options?: SdCardUpload): Promise<{ readonly size: number }>
  /**
   * Streams bytes to a new file in an existing folder. They cannot be sent again: a failure is final, and the partial
   * file is removed.
   */
  uploadFrom (source: Readable, path: string, options?: Omit<SdCardUpload, 'onProgress'>):
  Promise<{ readonly size: number }>
  /**
   * Downloads a whole file and compares the size.
   * @param sink opened again for every attempt
   */
  download (path: string, sink: () => SdCardSink, options?: SdCardDownload): Promise<{ readonly size: number }>
  /** Whether the server supports REST, to read from an offset. Determined once per printer. */
  allowsRanges (options?: SdCardOptions): Promise<boolean>
  /** Bytes `start` to `start + length`; fewer only at the end of the file. @throws SdCardError unsupported */
  read (path: string, start: number, length: number, options?: SdCardOptions): Promise<Buffer>
  /** Creates a folder and its parents; an existing one is no error. */
  makeFolder (path: string, options?: SdCardOptions): Promise<void>
  /** Moves a file or folder to another path. */
  rename (from: string, to: string, options?: SdCardOptions): Promise<void>
  remove (path: string, options?: SdCardOptions): Promise<void>
  /** Removes a folder and its contents. */
  removeFolder (path: string, options?: SdCardOptions): Promise<void>
}

/** Timeouts of the SD card client, ms. */
export interface SdCardTimeouts {
  /** For the connection, the certificate and the login, together. */
  readonly connectMs: number
  /** Without a reply or data. */
  readonly silenceMs: number
  /** Between two attempts. */
  readonly retryMs: number
  /** An idle connection is closed after this. */
  readonly idleMs: number
  /** For the server's reply to an aborted transfer. */
  readonly earlyEndMs: number
}

/** From slicers and other clients; H2 printers confirm an upload up to 30 s after its last byte. */
export const SD_CARD_TIMEOUTS: SdCardTimeouts = {
  connectMs: 15_000,
  silenceMs: 60_000,
  retryMs: 2_000,
  idleMs: 10_000,
  earlyEndMs: 3_000
}
