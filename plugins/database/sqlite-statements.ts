import type Sqlite from 'libsql'

/** Statements that are kept; those of lists differ by the number of their rows. */
const MOST_KEPT = 100
/** What changes tables: statements of before may tell of columns that there are no more. */
const CHANGES_TABLES = /^\s*(?:create|alter|drop|pragma)\b/i

type Made = ReturnType<InstanceType<typeof Sqlite>['prepare']>
type Values = readonly unknown[]

interface Statement {
  readonly reader: boolean
  all (values: Values): object[]
  run (values: Values): { changes: number, lastInsertRowid: number | bigint }
}

/** Rows come as lists and become objects of one shape: those that the driver makes are slow to read and to copy. */
function rowsOf (names: readonly string[], lists: readonly Values[]): object[] {
  return lists.map(list => {
    const row: Record<string, unknown> = {}
    for (let at = 0; at < names.length; at++) row[names[at] as string] = list[at]
    return row
  })
}

/**
 * The statements of a file. They are made once: they take memory that the garbage collector does not see, so that
 * those which are used once pile up to hundreds of megabytes.
 */
export function keepStatements (file: InstanceType<typeof Sqlite>) {
  const kept = new Map<string, Statement>()

  function usable (sql: string, made: Made): Statement {
    const { reader } = made
    const names = reader ? made.raw(true).columns().map(({ name }) => name) : []
    /** What failed may not be ended. */
    function attempt<T> (work: () => T): T {
      try {
        return work()
      } catch (error) {
        kept.delete(sql)
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
        kept.clear()
        return usable(sql, file.prepare(sql))
      }
      const statement = kept.get(sql) ?? usable(sql, file.prepare(sql))
      kept.delete(sql)
      kept.set(sql, statement)
      const [oldest = sql] = kept.keys()
      if (kept.size > MOST_KEPT) kept.delete(oldest)
      return statement
    },
    close () {
      kept.clear()
      file.close()
    }
  }
}
