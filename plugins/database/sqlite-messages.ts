// What the service and the thread of SQLite say to each other. It stands by itself, as the thread loads it too.

/** Places of the memory that both share. */
export const Flag = {
  /** 1 while a statement runs. */
  Busy: 0,
  /** 1 once the process is leaving: no further statement begins. */
  Leaving: 1
} as const
export const FLAGS_BYTES = 2 * Int32Array.BYTES_PER_ELEMENT

/** What the thread begins with. */
export interface SqliteThreadData {
  readonly file: string
  readonly pragmas: readonly string[]
  /** Two numbers, see `Flag`. */
  readonly shared: SharedArrayBuffer
}

export interface SqliteRequest {
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
