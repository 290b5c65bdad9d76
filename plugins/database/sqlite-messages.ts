// Messages between the service and the SQLite thread. Without imports, as the thread loads it too.

/** Indices into the shared memory. */
export const Flag = {
  /** 1 while a statement runs. */
  Busy: 0,
  /** 1 once the process is exiting: no further statement starts. */
  Leaving: 1
} as const
export const FLAGS_BYTES = 2 * Int32Array.BYTES_PER_ELEMENT

/** Data that the thread starts with: two shared numbers, see `Flag`. */
export interface SqliteThreadData { readonly shared: SharedArrayBuffer }

/** Opens a file. A thread has one at a time. */
export interface SqliteOpening {
  readonly file: string
  readonly pragmas: readonly string[]
}

export interface SqliteRequest {
  /** From 1: 0 is the reply to opening or closing a file. */
  readonly id: number
  readonly sql: string
  readonly parameters: readonly unknown[]
}

export interface SqliteAnswer {
  readonly id: number
  readonly rows?: readonly unknown[]
  /** Of a statement that returns no rows. */
  readonly changes?: number | bigint
  readonly lastId?: number | bigint
  readonly error?: { readonly message: string, readonly code?: string }
}

/** `close` refers to the file; after `end` the thread accepts nothing more. */
export type SqliteMessage = SqliteOpening | SqliteRequest | 'close' | 'end'
