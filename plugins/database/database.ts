import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import { isServiceError, withTimeout, type JsonStore } from '../../core/index.js'
import type { Connect } from './connect.js'
import { Connection } from './connection.js'
import { DatabaseUnavailable } from './errors.js'
import { loadTables, tryLoadTables } from './load.js'
import { migrate, type Steps } from './migrate.js'
import { whenNotOvertaken } from './overtaken.js'
import type { Database, DatabaseStatus, Row } from './types.js'
import { WriteQueue } from './write-queue.js'

export interface DatabaseOptions {
  readonly kind: DatabaseStatus['kind']
  readonly connect: Connect
  readonly steps: Steps
  readonly journal: JsonStore<Row[]>
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'info'>
  /** How long queries wait for waiting rows. */
  readonly flushMs?: number
}

/** A database that does not answer must not hold up all queries, such as those of the watch over alerts. */
const FLUSH_MS = 10_000
/** A hostile printer may send a record that cannot be stored each second. */
const TELL_EVERY_MS = 60_000

async function put (db: Kysely<any>, { table, values, onlyNew }: Row): Promise<void> {
  const { id, ...columns } = values
  await db.insertInto(table).values(values).onConflict(conflict => onlyNew || Object.keys(columns).length === 0
    ? conflict.column('id').doNothing()
    : conflict.column('id').doUpdateSet(columns)).execute()
}

/** Classes of PostgreSQL's errors: data, constraints, limits such as the size of an indexed text. */
const OF_ROW = /^(?:22|23|54)\w{3}$|^SQLITE_(?:CONSTRAINT|MISMATCH|TOOBIG)/

const isOfRow = (error: unknown): boolean => OF_ROW.test(String((error as { code?: unknown }).code))

const messageOf = (error: unknown): string => error instanceof Error ? error.message || error.name : String(error)

/** @returns the service, and its shutdown */
export function createDatabase ({ kind, connect, steps, journal, log, flushMs = FLUSH_MS }: DatabaseOptions) {
  const connection = new Connection({ kind, connect, steps })

  async function write (rows: readonly Row[]): Promise<void> {
    const db = await connection.open()
    let cause: unknown
    const insert = async (change: Kysely<any>) => { for (const row of rows) await put(change, row) }
    // On a full disk, SQLite rolls back by itself: our rollback then fails, and its error would hide the cause.
    await db.transaction().execute(change => insert(change).catch(error => { cause = error; throw error }))
      .catch(async error => {
        await connection.leaveIfSpoilt(db, cause ?? error)
        throw cause ?? error
      })
  }

  /** @throws the cause of a failure; does not open a file that was not used yet */
  async function check (): Promise<void> {
    if (kind === 'sqlite' && !connection.isUsed) return
    const [{ sql }, db] = await Promise.all([import('kysely'), connection.open()])
    await sql`select 1`.execute(db)
  }

  let toldAt = -Infinity
  const queue = new WriteQueue({
    write,
    isOfRow,
    journal,
    onRefused ({ table, values: { id } }, error) {
      if (performance.now() - toldAt < TELL_EVERY_MS) return
      toldAt = performance.now()
      log.warn({ table, id, reason: messageOf(error) }, 'the database cannot store a record, which is dropped')
    },
    onProblem: problem => problem
      ? log.warn({ err: problem }, 'the database cannot be written: records are stored in a journal meanwhile')
      : log.info('the database is written again')
  })
  if (queue.waiting > 0) void queue.flush()

  /** @throws PRN_ERR_DATABASE_UNAVAILABLE, service errors of the work */
  async function use<R> (work: (db: Kysely<any>) => Promise<R>): Promise<R> {
    if (queue.waiting > 0 && queue.problem === undefined) await withTimeout(flushMs, queue.flush(), lateRows)
    const db = await connection.open().catch(error => { throw unavailable(error) })
    if (queue.problem !== undefined) await withTimeout(flushMs, queue.retry(), lateRows).catch(() => {})
    try {
      return await work(db)
    } catch (error) {
      await connection.leaveIfSpoilt(db, error)
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
    put: row => queue.put(row),
    settled: () => queue.settled(),
    query: use,
    change: work => use(db => alone(db, work)),
    load: options => use(async db => {
      await loadTables(db, kind, steps, options)
      await migrate(db, kind, steps)
    }),
    tryLoad: (folder, options) => tryLoadTables(folder, steps, options)
  }

  return {
    service,
    check,
    async close (): Promise<void> {
      await queue.close()
      await connection.close()
    }
  }
}

const lateRows = () => new DatabaseUnavailable('it does not answer, or has many records to write')

const unavailable = (error: unknown) =>
  isServiceError(error) ? error : new DatabaseUnavailable(messageOf(error), { cause: error as Error })
