import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { storable } from './storable.js'

/** What a pool of the driver `pg` hands out. */
export interface PooledClient {
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
export const createPostgresPool = (
  pool: { connect (): Promise<PooledClient>, end (): Promise<void> }
): PostgresPool => ({
  connect: async () => lent(await pool.connect()),
  end: () => pool.end()
})
