import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { checkReplaceable } from '../../core/index.js'
import { createPostgresPool } from './postgres-pool.js'

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
