import type { Readable } from 'node:stream'
import type { Caller, Dispose, PrinterSession, SdCardItem } from '../../core/index.js'
import type { HostFiles } from './host-files.js'
import type { Protection } from './in-use.js'

/** A file or folder on the printer's card. */
export type CardEntry = SdCardItem

/** A file on the card that is read in parts. */
export interface CardFile {
  readonly entry: CardEntry
  /** Where the whole of it lies on the host, when it was fetched. */
  readonly localPath?: string
  /** Bytes `start` to `start + length`, fewer only at the end of the file. */
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
  /** As `look` found it a moment ago: the card is not asked for it again. */
  readonly entry?: CardEntry
}

export interface CardStream { readonly entry: CardEntry, readonly body: Readable }

/** A file or folder as callers see it. Folders' ids end in a slash and they alone have children. */
export interface CardNode {
  readonly id: string
  readonly name: string
  /** s since the epoch; 0 when the printer gave no date. Not of the root. */
  readonly timestamp?: number
  readonly size?: number
  readonly children?: readonly CardNode[]
}

/** What lay on a card when it was listed last, whole and with projects only. */
export interface Listings { readonly all: CardNode, readonly projects: CardNode }

/** What is known of a transfer between host and card. Times in ms since the epoch. */
export interface TransferRecord {
  readonly id: string
  readonly printer: string
  readonly direction: 'upload' | 'download'
  readonly path: string
  readonly status: 'running' | 'done' | 'failed' | 'cancelled'
  readonly bytes: number
  /** 0 while it is not known. */
  readonly total: number
  readonly startedAt: number
  readonly endedAt?: number
  readonly error?: string
}

/** The transfers of late, newest first. */
export interface Transfers {
  list (printer?: string): readonly TransferRecord[]
  /** Ends a transfer. @throws PRN_ERR_NOT_FOUND unless it runs */
  cancel (id: string): void
  /** Keeps a record of work while it runs and after it. */
  record<T> (about: Pick<TransferRecord, 'direction' | 'path'>, session: PrinterSession, options: TransferOptions,
    work: (options: TransferOptions & { signal: AbortSignal }) => Promise<T>): Promise<T>
  /** Told of every change. @returns what ends it */
  watch (listener: (record: TransferRecord) => void): () => void
}

/** Looks into a file of this host. @param name as its sender called it */
export interface PrintChecks {
  /** @throws what is wrong with a file that is meant to be printed */
  checkPrintable (path: string, name: string): Promise<void>
  /** @returns what to know of a file that is none to be printed @throws what is wrong with one that is */
  judgeUpload (path: string, name: string): Promise<string | undefined>
}

/** What other plugins may do with printers' cards. All throw the errors of plugins/files/errors.ts. */
export interface FilesService extends PrintChecks {
  /** Every entry below a folder, from the cached tree, or listed anew with `refresh`. */
  list (session: PrinterSession, options?: { refresh?: boolean, signal?: AbortSignal }): Promise<readonly CardEntry[]>
  /** The entry at this path, listed anew when the cached tree does not hold it; undefined when there is none. */
  find (session: PrinterSession, path: string, options?: { signal?: AbortSignal }): Promise<CardEntry | undefined>
  /** The file or folder at this path as the card has it now; undefined when there is none. */
  look (session: PrinterSession, path: string, options?: { signal?: AbortSignal }): Promise<CardEntry | undefined>
  /** Whether there is a file at this path now, asked without a listing; false where the printer cannot say. */
  has (session: PrinterSession, path: string, options?: { signal?: AbortSignal }): Promise<boolean>
  /** Random access: by partial transfers where the server allows them, else over a local copy in a bounded cache. */
  open (session: PrinterSession, path: string, options?: OpenOptions): Promise<CardFile>
  /** The file's local copy in the bounded cache, fetched when it is not there. */
  fetch (session: PrinterSession, path: string, options?: TransferOptions): Promise<string>
  /** Puts a host file on the card; verified by size. */
  upload (session: PrinterSession, hostPath: string, cardPath: string, options?: TransferOptions): Promise<CardEntry>
  /** Puts bytes on the card as they come, into a folder that is there; they are not tried twice. */
  uploadFrom (session: PrinterSession, source: Readable, cardPath: string, options?: TransferOptions): Promise<void>
  /**
   * Writes a card file to the host. A file of that name is replaced once the new one is whole.
   * @param hostPath its folder by its real path: links are not followed
   */
  download (session: PrinterSession, cardPath: string, hostPath: string, options?: TransferOptions): Promise<void>
  /** A card file as it comes, whole or not at all as far as the sizes tell. */
  stream (session: PrinterSession, cardPath: string, options?: TransferOptions): Promise<CardStream>
  makeFolder (session: PrinterSession, path: string, options?: { signal?: AbortSignal }): Promise<void>
  rename (session: PrinterSession, from: string, to: string, options?: { signal?: AbortSignal }): Promise<void>
  /** A path with a slash at the end is a folder, with everything in it. */
  remove (session: PrinterSession, path: string, options?: { signal?: AbortSignal }): Promise<void>
  /** The last listing, as far as we know it is still right; undefined when there is none. */
  cached (session: PrinterSession): readonly CardEntry[] | undefined
  /** The same as trees; the same object until the listing changes. */
  lastListings (session: PrinterSession): Listings | undefined
  /**
   * Keeps files as they are while they are needed: what would rename, delete or replace one of them, or a folder above
   * it, is refused with the reason that the protection gives. It is told the path that would change, without a slash
   * at the end, and is asked each time, so it must be quick.
   */
  protect (protection: Protection): Dispose
  readonly transfers: Transfers
  /** Uploads and host paths of a caller: those of everybody, or its own alone where it may use only some printers. */
  hostFiles (caller?: Caller): HostFiles
  /** Lets the plugin that prints look into a file of this host before it goes to a card; it throws what is wrong. */
  checkPrintsBy (checks: PrintChecks): void
}

declare module 'prnd' {
  interface Services { files: FilesService }
}
