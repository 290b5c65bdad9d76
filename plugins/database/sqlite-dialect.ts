import type * as kysely from 'kysely'
import type { SqliteFile } from './sqlite-file.js'
import { storable } from './storable.js'

const bigintOf = (value: number | bigint | undefined): bigint | undefined =>
  value === undefined ? undefined : BigInt(value)

function connectionTo (file: SqliteFile): kysely.DatabaseConnection {
  return {
    async executeQuery<R> ({ sql, parameters }: kysely.CompiledQuery): Promise<kysely.QueryResult<R>> {
      const { rows = [], changes, lastId } = await file.run(sql, parameters.map(storable))
      const [numAffectedRows, insertId] = [bigintOf(changes), bigintOf(lastId)]
      return {
        rows: rows as R[],
        ...(numAffectedRows !== undefined && { numAffectedRows }),
        ...(insertId !== undefined && { insertId })
      }
    },
    async * streamQuery () {
      throw new Error('rows of SQLite are read in pages, not as a stream')
    }
  }
}

/** There is one connection, held until the end of a transaction. */
function driverOf (file: SqliteFile, { CompiledQuery }: typeof kysely): kysely.Driver {
  const connection = connectionTo(file)
  const say = async (sql: string) => { await connection.executeQuery(CompiledQuery.raw(sql)) }
  let last = Promise.resolve()
  let release: () => void = () => {}
  return {
    init: async () => {},
    async acquireConnection () {
      const before = last
      let done: () => void = () => {}
      last = new Promise(resolve => { done = resolve })
      await before
      release = done
      return connection
    },
    releaseConnection: async () => release(),
    beginTransaction: () => say('begin'),
    commitTransaction: () => say('commit'),
    rollbackTransaction: () => say('rollback'),
    destroy: () => file.close()
  }
}

/** SQLite in a thread, as a dialect of the query builder. */
export const sqliteDialect = (file: SqliteFile, module: typeof kysely): kysely.Dialect => ({
  createDriver: () => driverOf(file, module),
  createQueryCompiler: () => new module.SqliteQueryCompiler(),
  createAdapter: () => new module.SqliteAdapter(),
  createIntrospector: db => new module.SqliteIntrospector(db)
})
