import { join } from 'node:path'
import type { Kysely, PostgresPool, PostgresPoolClient } from 'kysely'
import { checkReplaceable } from '../../core/index.js'
import { storable } from './storable.js'

/** Waiting for another program's lock blocks all other statements. Writes are retried later anyway. */
const BUSY_MS = 100
const CONNECT_MS = 5_000
const STATEMENT_MS = 30_000
/** The server ends a statement that takes too long: one that is silent after that is lost. */
const ANSWER_MS = STATEMENT_MS + 5_000
/** Notices a lost server on idle connections. */
const KEEP_ALIVE_MS = 10_000
const MOST_CONNECTIONS = 4
/** How connections are named at the server. */
export const APPLICATION = 'prnd'
/** PostgreSQL's type id of `bigint`, which its client returns as text: our values fit a JavaScript number. */
const BIGINT = 20

export type Connect = () => Promise<Kysely<any>>

const FILE = 'prnd.sqlite'
/** Suffixes of SQLite's files. */
const PARTS = ['', '-wal', '-shm', '-journal']

/** SQLite would follow a link, or block on a pipe. @throws PRN_ERR_NOT_A_FILE */
export async function checkSqlite (folder: string): Promise<void> {
  for (const part of PARTS) await checkReplaceable(join(folder, `${FILE}${part}`))
}

/** One file in the folder. Readers do not block the writer; commits survive a crash and a power failure. */
export const connectSqlite = (folder: () => Promise<string>, statementMs?: number): Connect => async () => {
  const [kysely, { openSqliteFile }, { sqliteDialect }, where] = await Promise.all([
    import('kysely'), import('./sqlite-file.js'), import('./sqlite-dialect.js'), folder()
  ])
  await checkSqlite(where)
  const pragmas = ['journal_mode = WAL', `busy_timeout = ${BUSY_MS}`, 'foreign_keys = ON']
  const file = await openSqliteFile({ file: join(where, FILE), pragmas }, statementMs)
  return new kysely.Kysely({ dialect: sqliteDialect(file, kysely) })
}

/** What a pool of the driver `pg` hands out. */
interface PooledClient {
  query (sql: string, parameters: readonly unknown[]): Promise<unknown>
  /** @param broken closes the connection instead of lending it again */
  release (broken?: Error): void
}

/** Only errors that PostgreSQL answers with state their severity. */
const isAnswer = (error: unknown): boolean => typeof (error as { severity?: unknown }).severity === 'string'

function lent (client: PooledClient): PostgresPoolClient {
  let broken: Error | undefined
  async function query (sql: string, parameters: readonly unknown[]): Promise<unknown> {
    // The rollback after a lost statement would wait for the answer to that statement.
    if (broken) throw broken
    try {
      return await client.query(sql, parameters.map(storable))
    } catch (error) {
      if (!isAnswer(error)) broken = error as Error
      throw error
    }
  }
  // Cursors are not used.
  return { query: query as PostgresPoolClient['query'], release: () => client.release(broken) }
}

/** Connections that lost a statement are not lent again: the server may be silent for ever. */
const createPostgresPool = (
  pool: { connect (): Promise<PooledClient>, end (): Promise<void> }
): PostgresPool => ({
  connect: async () => lent(await pool.connect()),
  end: () => pool.end()
})

/**
 * @param onIdleError called when an idle connection breaks; the pool replaces it
 * @param answerMs how long a statement may stay without an answer
 */
export const connectPostgres = (
  url: string, onIdleError: (error: Error) => void, answerMs = ANSWER_MS
): Connect => async () => {
  const [{ Kysely, PostgresDialect }, { default: pg }] = await Promise.all([import('kysely'), import('pg')])
  const pool = new pg.Pool({
    connectionString: url,
    max: MOST_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    statement_timeout: STATEMENT_MS,
    query_timeout: answerMs,
    application_name: APPLICATION,
    types: {
      getTypeParser: (type: number, format?: any) => type === BIGINT ? Number : pg.types.getTypeParser(type, format)
    }
  })
  pool.on('error', onIdleError)
  // A busy connection reports the error to its statement. Between two statements an unhandled error would end the
  // process.
  pool.on('connect', client => { client.on('error', () => {}) })
  return new Kysely({ dialect: new PostgresDialect({ pool: createPostgresPool(pool) }) })
}
