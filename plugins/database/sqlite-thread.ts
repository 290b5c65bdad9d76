// The thread in which SQLite works: a commit waits for the disk, and the printers must not wait with it. It imports
// next to nothing of the service, so that it starts quickly.
import { parentPort, workerData } from 'node:worker_threads'
import Sqlite from 'libsql'
import { keepStatements } from './sqlite-statements.js'
import { Flag, type SqliteAnswer, type SqliteRequest, type SqliteThreadData } from './sqlite-messages.js'

const port = parentPort
if (!port) throw new Error('this file runs in a worker thread')

const { file, pragmas, shared } = workerData as SqliteThreadData
const flags = new Int32Array(shared)

/** Structured cloning turns what was a Buffer into a plain array of bytes, which the driver does not take. */
const bound = (value: unknown): unknown => value instanceof Uint8Array ? Buffer.from(value) : value

const failed = (id: number, error: unknown): SqliteAnswer => {
  const { message, code } = error as Error & { code?: string }
  return { id, error: { message, ...(code !== undefined && { code }) } }
}

function open (): Sqlite.Database {
  const db = new Sqlite(file)
  try {
    for (const pragma of pragmas) db.pragma(pragma)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

type Statements = ReturnType<typeof keepStatements>

function run (db: Statements, { id, sql, parameters }: SqliteRequest): SqliteAnswer {
  const statement = db.prepare(sql)
  const values = parameters.map(bound)
  if (statement.reader) return { id, rows: statement.all(values) }
  const { changes, lastInsertRowid } = statement.run(values)
  return { id, rows: [], changes, lastId: lastInsertRowid }
}

/** Its requests are numbered from 1: the answer 0 says whether the file could be opened. */
try {
  const db = keepStatements(open())
  port.postMessage({ id: 0, rows: [] } satisfies SqliteAnswer)
  port.on('message', (request: SqliteRequest | 'close') => {
    if (request === 'close') {
      db.close()
      port.close()
      return
    }
    Atomics.store(flags, Flag.Busy, 1)
    try {
      if (Atomics.load(flags, Flag.Leaving) === 0) port.postMessage(run(db, request))
    } catch (error) {
      port.postMessage(failed(request.id, error))
    } finally {
      Atomics.store(flags, Flag.Busy, 0)
      Atomics.notify(flags, Flag.Busy)
    }
  })
} catch (error) {
  port.postMessage(failed(0, error))
}
