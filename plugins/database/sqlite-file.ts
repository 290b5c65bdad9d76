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

const errorOf = ({ message, code }: { message: string, code?: string }): Error =>
  Object.assign(new Error(message), { code })
const goneAs = (cause: string): Error => errorOf({ message: `the database has gone: ${cause}`, code: GONE })

interface Waiting {
  readonly resolve: (answer: SqliteAnswer) => void
  readonly reject: (error: Error) => void
}

/**
 * @param statementMs time limit of a statement, after which the thread is abandoned
 * @throws the SQLite error
 */
export async function openSqliteFile (opening: SqliteOpening, statementMs = STATEMENT_MS): Promise<SqliteFile> {
  const waiting = new Map<number, Waiting>()
  const sqlite = takeWorker()
  const { worker, flags, send } = sqlite
  let lastId = 0
  let gone: Error | undefined
  /** Once set, nothing more is sent to the thread, which may serve another file. */
  let closing: Promise<void> | undefined

  function lose (cause: string): void {
    gone ??= goneAs(cause)
    const all = [...waiting.values()]
    waiting.clear()
    for (const { reject } of all) reject(gone)
  }

  function take (answer: SqliteAnswer): void {
    const request = waiting.get(answer.id)
    waiting.delete(answer.id)
    if (waiting.size === 0) worker.unref()
    if (answer.error) request?.reject(errorOf(answer.error))
    else request?.resolve(answer)
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
    return new Promise<SqliteAnswer>((resolve, reject) => {
      const timer = setTimeout(() => {
        lose(`a statement took more than ${withinMs / 1000} s`)
        leave()
      }, withinMs).unref()
      waiting.set(id, {
        resolve: answer => { clearTimeout(timer); resolve(answer) },
        reject: error => { clearTimeout(timer); reject(error) }
      })
      worker.ref()
      ask()
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
