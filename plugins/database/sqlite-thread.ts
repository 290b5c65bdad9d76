// The thread in which SQLite runs: a commit waits for the disk, which must not delay the printers. It imports hardly
// anything of the service, so that it starts quickly.
import { parentPort, workerData } from 'node:worker_threads'
import Sqlite from 'libsql'
import { keepStatements } from './sqlite-statements.js'
import {
  Flag, type SqliteAnswer, type SqliteMessage, type SqliteOpening, type SqliteRequest, type SqliteThreadData
} from './sqlite-messages.js'

const port = parentPort
if (!port) throw new Error('this file runs in a worker thread')

const { shared } = workerData as SqliteThreadData
const flags = new Int32Array(shared)

/** Structured cloning turns a Buffer into a Uint8Array, which the driver does not accept. */
const bound = (value: unknown): unknown => value instanceof Uint8Array ? Buffer.from(value) : value

const failed = (id: number, error: unknown): SqliteAnswer => {
  const { message, code } = error as Error & { code?: string }
  return { id, error: { message, ...(code !== undefined && { code }) } }
}

function open ({ file, pragmas }: SqliteOpening): Sqlite.Database {
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

let db: Statements | undefined

function answerTo (message: Exclude<SqliteMessage, 'end'>): SqliteAnswer {
  if (message === 'close') {
    db?.close()
    db = undefined
    return { id: 0 }
  }
  if ('file' in message) {
    db = keepStatements(open(message))
    return { id: 0 }
  }
  if (db === undefined) throw new Error('no file is open')
  return run(db, message)
}

const idOf = (message: SqliteMessage): number => typeof message === 'object' && 'id' in message ? message.id : 0

port.on('message', (message: SqliteMessage) => {
  if (message === 'end') return port.close()
  Atomics.store(flags, Flag.Busy, 1)
  try {
    if (Atomics.load(flags, Flag.Leaving) === 0) port.postMessage(answerTo(message))
  } catch (error) {
    port.postMessage(failed(idOf(message), error))
  } finally {
    Atomics.store(flags, Flag.Busy, 0)
    Atomics.notify(flags, Flag.Busy)
  }
})
