import { errorOf, PendingStatements } from './pending-statements.js'
import { Flag, type SqliteAnswer, type SqliteOpening } from './sqlite-messages.js'
import { giveBack, takeWorker } from './sqlite-workers.js'

/** An SQLite file opened in a thread, executing one statement at a time. */
export interface SqliteFile {
  /** @throws the SQLite error with its `code`, or one with the code `SQLITE_GONE` when the thread is lost */
  run (sql: string, parameters: readonly unknown[]): Promise<SqliteAnswer>
  close (): Promise<void>
}

export const GONE = 'SQLITE_GONE'

/** A statement that takes longer waits for a disk that does not respond. Building an index takes a minute. */
const STATEMENT_MS = 180_000
const CLOSE_MS = 3_000

const goneAs = (cause: string): Error => errorOf({ message: `the database has gone: ${cause}`, code: GONE })

/**
 * @param statementMs time limit of a statement, after which the thread is abandoned
 * @throws the SQLite error
 */
export async function openSqliteFile (opening: SqliteOpening, statementMs = STATEMENT_MS): Promise<SqliteFile> {
  const pending = new PendingStatements()
  const sqlite = takeWorker()
  const { worker, flags, send } = sqlite
  let lastId = 0
  let gone: Error | undefined
  /** Once set, nothing more is sent to the thread, which may serve another file. */
  let closing: Promise<void> | undefined

  function lose (cause: string): void {
    gone ??= goneAs(cause)
    pending.rejectAll(gone)
  }

  function take (answer: SqliteAnswer): void {
    pending.answer(answer)
    if (pending.isEmpty) worker.unref()
  }
  const fail = (error: Error) => lose(error.message)

  /** Terminating a thread inside SQLite crashes the whole process: one that exits waits for the statement. */
  function awaitStatement (): void {
    Atomics.store(flags, Flag.Leaving, 1)
    Atomics.wait(flags, Flag.Busy, 1, CLOSE_MS)
  }

  function end (code: number): void {
    process.removeListener('exit', awaitStatement)
    lose(`its thread ended with code ${code}`)
  }

  /** For the same reason, the thread is not terminated but ends after its statement. */
  function leave (): void {
    send('close')
    send('end')
    worker.unref()
  }

  function answerTo (id: number, withinMs: number, ask: () => void): Promise<SqliteAnswer> {
    if (gone) return Promise.reject(gone)
    const sendNow = () => {
      worker.ref()
      ask()
    }
    return pending.add(id, withinMs, sendNow, () => {
      lose(`a statement took more than ${withinMs / 1000} s`)
      leave()
    })
  }

  /** When all statements are answered: releases the thread for the next file. */
  function part (): void {
    process.removeListener('exit', awaitStatement)
    worker.removeListener('message', take).removeListener('error', fail).removeListener('exit', end)
    giveBack(sqlite)
  }

  process.once('exit', awaitStatement)
  worker.on('message', take).on('error', fail).on('exit', end)
  try {
    await answerTo(0, STATEMENT_MS, () => send(opening))
  } catch (error) {
    if (!gone) part()
    throw error
  }
  return {
    run (sql, parameters) {
      if (closing) return Promise.reject(goneAs('it is closed'))
      const id = ++lastId
      return answerTo(id, statementMs, () => send({ id, sql, parameters }))
    },
    close: () => (closing ??= answerTo(0, CLOSE_MS, () => send('close')).then(part, leave))
  }
}
