import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import { isServiceError, type JsonStore } from '../../core/index.js'
import type { Connect } from './connect.js'
import { DatabaseUnavailable } from './errors.js'
import { loadTables } from './load.js'
import { migrate, type Steps } from './migrate.js'
import { GONE } from './sqlite-file.js'
import type { Database, DatabaseStatus, Row } from './types.js'
import { createWriteQueue } from './write-queue.js'

export interface DatabaseOptions {
  readonly kind: DatabaseStatus['kind']
  readonly connect: Connect
  readonly steps: Steps
  readonly journal: JsonStore<Row[]>
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'info'>
}

/** Readers do not retry a lost database for this long: each would wait for a connection. */
const REST_MS = 1_000

/** PostgreSQL's error codes after losing a race; the last two are of `create table if not exists`. */
const OVERTAKEN = new Set<unknown>(['40001', '40P01', '23505', '42710', '42P07'])
const MOST_TRIES = 10

const SPOILT = new Set<unknown>(['SQLITE_BUSY', GONE])

async function put (db: Kysely<any>, { table, values, onlyNew }: Row): Promise<void> {
  const { id, ...columns } = values
  await db.insertInto(table).values(values).onConflict(conflict => onlyNew || Object.keys(columns).length === 0
    ? conflict.column('id').doNothing()
    : conflict.column('id').doUpdateSet(columns)).execute()
}

/** Retries after losing a race with another service. */
async function whenNotOvertaken<R> (work: () => Promise<R>): Promise<R> {
  for (let left = MOST_TRIES; ; left--) {
    try {
      return await work()
    } catch (error) {
      if (left <= 1 || !OVERTAKEN.has((error as { code?: unknown }).code)) throw error
    }
  }
}

const messageOf = (error: unknown): string => error instanceof Error ? error.message || error.name : String(error)

/** @returns the service, and its shutdown */
export function createDatabase ({ kind, connect, steps, journal, log }: DatabaseOptions) {
  let opened: Promise<Kysely<any>> | undefined
  let failedAt = -Infinity
  let failure: unknown

  async function openNow (): Promise<Kysely<any>> {
    const db = await connect()
    try {
      await whenNotOvertaken(() => migrate(db, kind, steps))
      return db
    } catch (error) {
      await db.destroy().catch(() => {})
      throw error
    }
  }

  /** After a failure, reconnects, but not at once. */
  function open (): Promise<Kysely<any>> {
    if (opened === undefined && performance.now() - failedAt < REST_MS) return Promise.reject(failure)
    opened ??= openNow().catch(error => {
      opened = undefined
      failedAt = performance.now()
      failure = error
      throw error
    })
    return opened
  }

  /**
   * An SQLite statement that hit a lock stays open, so that its connection cannot commit any more; or the thread is
   * lost.
   */
  async function leaveIfSpoilt (db: Kysely<any>, error: unknown): Promise<void> {
    if (!SPOILT.has((error as { code?: unknown }).code) || await opened?.catch(() => {}) !== db) return
    opened = undefined
    await db.destroy().catch(() => {})
  }

  async function write (rows: readonly Row[]): Promise<void> {
    const db = await open()
    let cause: unknown
    const insert = async (change: Kysely<any>) => { for (const row of rows) await put(change, row) }
    // On a full disk, SQLite rolls back by itself: our rollback then fails, and its error would hide the cause.
    await db.transaction().execute(change => insert(change).catch(error => { cause = error; throw error }))
      .catch(async error => {
        await leaveIfSpoilt(db, cause ?? error)
        throw cause ?? error
      })
  }

  /** @throws the cause of a failure; does not open a file that was not used yet */
  async function check (): Promise<void> {
    if (kind === 'sqlite' && opened === undefined && failure === undefined) return
    const [{ sql }, db] = await Promise.all([import('kysely'), open()])
    await sql`select 1`.execute(db)
  }

  const queue = createWriteQueue({
    write,
    journal,
    onProblem: problem => problem
      ? log.warn({ err: problem }, 'the database cannot be written: records are stored in a journal meanwhile')
      : log.info('the database is written again')
  })
  if (queue.waiting > 0) void queue.flush()

  /** @throws PRN_ERR_DATABASE_UNAVAILABLE, service errors of the work */
  async function use<R> (work: (db: Kysely<any>) => Promise<R>): Promise<R> {
    if (queue.waiting > 0 && queue.problem === undefined) await queue.flush()
    const db = await open().catch(error => { throw unavailable(error) })
    try {
      return await work(db)
    } catch (error) {
      await leaveIfSpoilt(db, error)
      throw isServiceError(error) ? error : unavailable(error)
    }
  }

  /** A serializable transaction. */
  const alone = <R>(db: Kysely<any>, work: (db: Kysely<any>) => Promise<R>): Promise<R> =>
    whenNotOvertaken(() => db.transaction().setIsolationLevel('serializable').execute(work))

  const service: Database = {
    get status () {
      const { waiting, dropped, problem } = queue
      return { kind, waiting, dropped, problem: problem && messageOf(problem) }
    },
    put: queue.put,
    settled: queue.settled,
    query: use,
    change: work => use(db => alone(db, work)),
    load: options => use(async db => {
      await loadTables(db, kind, steps, options)
      await migrate(db, kind, steps)
    })
  }

  return {
    service,
    check,
    async close (): Promise<void> {
      await queue.close()
      await (await opened?.catch(() => undefined))?.destroy()
    }
  }
}

const unavailable = (error: unknown) =>
  isServiceError(error) ? error : new DatabaseUnavailable(messageOf(error), { cause: error as Error })
