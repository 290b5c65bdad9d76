import type { Kysely } from 'kysely'
import type { Connect } from './connect.js'
import { migrate, type Steps } from './migrate.js'
import { whenNotOvertaken } from './overtaken.js'
import { GONE } from './sqlite-file.js'
import type { DatabaseStatus } from './types.js'

/** Readers do not retry a lost database for this long: each would wait for a connection. */
const REST_MS = 1_000

const SPOILT = new Set<unknown>(['SQLITE_BUSY', GONE])

export interface ConnectionOptions {
  readonly kind: DatabaseStatus['kind']
  readonly connect: Connect
  readonly steps: Steps
}

/** The connection to the database, opened and migrated at the first use. */
export class Connection {
  readonly #options: ConnectionOptions
  #opened: Promise<Kysely<any>> | undefined
  #failedAt = -Infinity
  #failure: unknown

  constructor (options: ConnectionOptions) {
    this.#options = options
  }

  /** Whether it was opened, or failed to open. */
  get isUsed (): boolean { return this.#opened !== undefined || this.#failure !== undefined }

  /** After a failure, reconnects, but not at once. */
  open (): Promise<Kysely<any>> {
    if (this.#opened === undefined && performance.now() - this.#failedAt < REST_MS) return Promise.reject(this.#failure)
    this.#opened ??= this.#openNow().catch(error => {
      this.#opened = undefined
      this.#failedAt = performance.now()
      this.#failure = error
      throw error
    })
    return this.#opened
  }

  /**
   * An SQLite statement that hit a lock stays open, so that its connection cannot commit any more; or the thread is
   * lost.
   */
  async leaveIfSpoilt (db: Kysely<any>, error: unknown): Promise<void> {
    if (!SPOILT.has((error as { code?: unknown }).code) || await this.#opened?.catch(() => {}) !== db) return
    this.#opened = undefined
    await db.destroy().catch(() => {})
  }

  async close (): Promise<void> { await (await this.#opened?.catch(() => undefined))?.destroy() }

  async #openNow (): Promise<Kysely<any>> {
    const { kind, connect, steps } = this.#options
    const db = await connect()
    try {
      await whenNotOvertaken(() => migrate(db, kind, steps))
      return db
    } catch (error) {
      await db.destroy().catch(() => {})
      throw error
    }
  }
}
