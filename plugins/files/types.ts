import type { PrinterSession } from '../../core/index.js'

/** A file or folder on the printer's card. */
export interface CardEntry {
  readonly name: string
  /** Absolute, with no slash at the end, folders too: `/cache/part.gcode.3mf`. */
  readonly path: string
  /** Bytes; 0 of a folder. */
  readonly size: number
  readonly isFolder: boolean
  /** ms since the epoch as the server lists it; undefined when it gave none. */
  readonly modifiedAt: number | undefined
}

/** A file on the card that is read in parts. */
export interface CardFile {
  readonly entry: CardEntry
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

/** What other plugins may do with printers' cards. All throw the errors of plugins/files/errors.ts. */
export interface FilesService {
  /** Every entry below a folder, from the cached tree, or listed anew with `refresh`. */
  list (session: PrinterSession, options?: { refresh?: boolean, signal?: AbortSignal }): Promise<readonly CardEntry[]>
  /** The entry at this path, listed anew when the cached tree does not hold it; undefined when there is none. */
  find (session: PrinterSession, path: string, options?: { signal?: AbortSignal }): Promise<CardEntry | undefined>
  /** Random access: by partial transfers where the server allows them, else over a local copy in a bounded cache. */
  open (session: PrinterSession, path: string, options?: TransferOptions): Promise<CardFile>
  /** The file's local copy in the bounded cache, fetched when it is not there. */
  fetch (session: PrinterSession, path: string, options?: TransferOptions): Promise<string>
  /** Puts a host file on the card; verified by size. */
  upload (session: PrinterSession, hostPath: string, cardPath: string, options?: TransferOptions): Promise<CardEntry>
}

declare module 'prn' {
  interface Services { files: FilesService }
}
