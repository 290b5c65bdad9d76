// What the service and the thread of SQLite say to each other. It stands by itself, as the thread loads it too.

/** Places of the memory that both share. */
export const Flag = {
  /** 1 while a statement runs. */
  Busy: 0,
  /** 1 once the process is leaving: no further statement begins. */
  Leaving: 1
} as const
export const FLAGS_BYTES = 2 * Int32Array.BYTES_PER_ELEMENT

/** What the thread begins with: two numbers, see `Flag`. */
export interface SqliteThreadData { readonly shared: SharedArrayBuffer }

/** A file to work on. It has one at a time. */
export interface SqliteOpening {
  readonly file: string
  readonly pragmas: readonly string[]
}

export interface SqliteRequest {
  /** From 1: 0 answers to a file that is opened or closed. */
  readonly id: number
  readonly sql: string
  readonly parameters: readonly unknown[]
}

export interface SqliteAnswer {
  readonly id: number
  readonly rows?: readonly unknown[]
  /** Of a statement that reads nothing. */
  readonly changes?: number | bigint
  readonly lastId?: number | bigint
  readonly error?: { readonly message: string, readonly code?: string }
}

/** `close` is said of the file; after `end` the thread takes nothing more. */
export type SqliteMessage = SqliteOpening | SqliteRequest | 'close' | 'end'
