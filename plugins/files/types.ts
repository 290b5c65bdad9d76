import type { Readable } from 'node:stream'
import type { Caller, Dispose, PrinterSession, SdCardItem } from '../../core/index.js'
import type { HostFiles } from './host-files.js'
import type { Protection } from './protections.js'

/** A file or folder on the printer's card. */
export type CardEntry = SdCardItem

/** A file on the card that can be read in parts. */
export interface CardFile {
  readonly entry: CardEntry
  /** Path of a complete local copy on the host, if there is one. */
  readonly localPath?: string
  /** Bytes `start` to `start + length`; fewer only at the end of the file. */
  read (start: number, length: number): Promise<Buffer>
  close (): Promise<void>
}

/** Progress of a transfer. */
export interface TransferProgress { readonly bytes: number, readonly total: number }

export interface TransferOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: TransferProgress) => void
}

export interface OpenOptions extends TransferOptions {
  /** The result of a recent `stat`, which avoids another request. */
  readonly entry?: CardEntry
}

export interface CardStream { readonly entry: CardEntry, readonly body: Readable }

/** A file or folder as callers see it. Only folders have children, and ids with a trailing slash. */
export interface CardNode {
  readonly id: string
  readonly name: string
  /** s since the epoch; 0 if the printer gave no date. Absent at the root. */
  readonly timestamp?: number
  readonly size?: number
  readonly children?: readonly CardNode[]
}

/** The last listing of a card, complete and with projects only. */
export interface Listings { readonly all: CardNode, readonly projects: CardNode }

/** A transfer between host and card. Times in ms since the epoch. */
export interface TransferRecord {
  readonly id: string
  readonly printer: string
  readonly direction: 'upload' | 'download'
  readonly path: string
  readonly status: 'running' | 'done' | 'failed' | 'cancelled'
  readonly bytes: number
  /** 0 while it is unknown. */
  readonly total: number
  readonly startedAt: number
  readonly endedAt?: number
  readonly error?: string
}

/** Recent transfers, newest first. */
export interface Transfers {
  list (printer?: string): readonly TransferRecord[]
  /** Cancels a transfer. @throws PRN_ERR_NOT_FOUND unless it is running */
  cancel (id: string): void
  /** Records work while it runs and afterwards. */
  record<T> (about: Pick<TransferRecord, 'direction' | 'path'>, session: PrinterSession, options: TransferOptions,
    work: (options: TransferOptions & { signal: AbortSignal }) => Promise<T>): Promise<T>
  /** Called on every change. @returns stops it */
  watch (listener: (record: TransferRecord) => void): () => void
}

/** Checks of host files by the plugin that prints. @param name as its sender called it */
export interface PrintChecks {
  /** @throws what is wrong with a file that is to be printed */
  checkPrintable (path: string, name: string): Promise<void>
  /** @returns a note about a file that cannot be printed @throws what is wrong with one that can */
  judgeUpload (path: string, name: string): Promise<string | undefined>
}

/** Access of other plugins to printers' cards. All methods throw the errors of plugins/files/errors.ts. */
export interface FilesService extends PrintChecks {
  /** Every entry below a folder, from the cached tree, or newly listed with `refresh`. */
  list (session: PrinterSession, options?: { refresh?: boolean, signal?: AbortSignal }): Promise<readonly CardEntry[]>
  /** The entry at this path, with a new listing if the cached tree does not have it; undefined if there is none. */
  find (session: PrinterSession, path: string, options?: { signal?: AbortSignal }): Promise<CardEntry | undefined>
  /** The file or folder at this path as it is on the card now; undefined if there is none. */
  stat (session: PrinterSession, path: string, options?: { signal?: AbortSignal }): Promise<CardEntry | undefined>
  /** Whether there is a file at this path now, without a listing; false if the printer cannot say. */
  has (session: PrinterSession, path: string, options?: { signal?: AbortSignal }): Promise<boolean>
  /** Random access: by partial transfers if the server supports them, else to a local copy in a bounded cache. */
  open (session: PrinterSession, path: string, options?: OpenOptions): Promise<CardFile>
  /** The file's local copy in the bounded cache, fetched if necessary. */
  fetch (session: PrinterSession, path: string, options?: TransferOptions): Promise<string>
  /** Copies a host file to the card; verified by size. */
  upload (session: PrinterSession, hostPath: string, cardPath: string, options?: TransferOptions): Promise<CardEntry>
  /** Streams bytes to an existing folder of the card, without retries. */
  uploadFrom (session: PrinterSession, source: Readable, cardPath: string, options?: TransferOptions): Promise<void>
  /**
   * Copies a card file to the host. An existing file is replaced once the new one is complete.
   * @param hostPath with the real path of its folder: links are not followed
   */
  download (session: PrinterSession, cardPath: string, hostPath: string, options?: TransferOptions): Promise<void>
  /** Streams a card file; incomplete transfers fail as far as sizes reveal them. */
  stream (session: PrinterSession, cardPath: string, options?: TransferOptions): Promise<CardStream>
  makeFolder (session: PrinterSession, path: string, options?: { signal?: AbortSignal }): Promise<void>
  rename (session: PrinterSession, from: string, to: string, options?: { signal?: AbortSignal }): Promise<void>
  /** A path with a trailing slash is a folder, which is removed with its contents. */
  remove (session: PrinterSession, path: string, options?: { signal?: AbortSignal }): Promise<void>
  /** The last listing while it is believed to be right; undefined if there is none. */
  cached (session: PrinterSession): readonly CardEntry[] | undefined
  /** The same as trees; the same object until the listing changes. */
  lastListings (session: PrinterSession): Listings | undefined
  /**
   * Protects files while they are needed: renaming, deleting or replacing one of them, or a folder above it, is refused
   * with the reason that the protection returns. It gets the path that would change, without a trailing slash, and is
   * called for every change, so it must be fast.
   */
  protect (protection: Protection): Dispose
  readonly transfers: Transfers
  /** Uploads and host paths of a caller: the shared ones, or its own folder if it may use only some printers. */
  hostFiles (caller?: Caller): HostFiles
  /** Lets the plugin that prints check a host file before it goes to a card; the check throws what is wrong. */
  checkPrintsBy (checks: PrintChecks): void
}

declare module 'prnd' {
  interface Services { files: FilesService }
}
