import type Sqlite from 'libsql'

/** Limit of cached statements; inserts of lists differ by their number of rows. */
const MAX_CACHED = 100
/** Statements that change tables: cached statements may then return columns that no longer exist. */
const CHANGES_TABLES = /^\s*(?:create|alter|drop|pragma)\b/i

type Made = ReturnType<InstanceType<typeof Sqlite>['prepare']>
type Values = readonly unknown[]

interface Statement {
  readonly reader: boolean
  all (values: Values): object[]
  run (values: Values): { changes: number, lastInsertRowid: number | bigint }
}

/** Rows come as arrays and become objects of one shape: the driver's own objects are slow to read and to clone. */
function rowsOf (names: readonly string[], lists: readonly Values[]): object[] {
  return lists.map(list => {
    const row: Record<string, unknown> = {}
    for (let at = 0; at < names.length; at++) row[names[at] as string] = list[at]
    return row
  })
}

/**
 * Caches the prepared statements of a file. Their memory is invisible to the garbage collector, so that statements
 * prepared for a single use would pile up to hundreds of megabytes.
 */
export function keepStatements (file: InstanceType<typeof Sqlite>) {
  const cached = new Map<string, Statement>()

  function usable (sql: string, made: Made): Statement {
    const { reader } = made
    const names = reader ? made.raw(true).columns().map(({ name }) => name) : []
    /** Drops a failed statement from the cache, as it may still be open. */
    function attempt<T> (work: () => T): T {
      try {
        return work()
      } catch (error) {
        cached.delete(sql)
        throw error
      }
    }
    return {
      reader,
      all: values => attempt(() => rowsOf(names, made.all(values) as Values[])),
      run: values => attempt(() => made.run(values) as { changes: number, lastInsertRowid: number })
    }
  }

  return {
    prepare (sql: string): Statement {
      if (CHANGES_TABLES.test(sql)) {
        cached.clear()
        return usable(sql, file.prepare(sql))
      }
      const statement = cached.get(sql) ?? usable(sql, file.prepare(sql))
      cached.delete(sql)
      cached.set(sql, statement)
      const [oldest = sql] = cached.keys()
      if (cached.size > MAX_CACHED) cached.delete(oldest)
      return statement
    },
    close () {
      cached.clear()
      file.close()
    }
  }
}
