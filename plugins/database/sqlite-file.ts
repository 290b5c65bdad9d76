import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { Flag, FLAGS_BYTES, type SqliteAnswer, type SqliteRequest, type SqliteThreadData } from './sqlite-messages.js'

/** A file of SQLite that is worked on in a thread of its own, one statement after the other. */
export interface SqliteFile {
  /** @throws the error of SQLite with its `code`, or one with the code `SQLITE_GONE` when the thread is lost */
  run (sql: string, parameters: readonly unknown[]): Promise<SqliteAnswer>
  close (): Promise<void>
}

export const GONE = 'SQLITE_GONE'

/** A statement that is not done by then waits for a disk that does not answer. Building an index takes a minute. */
const STATEMENT_MS = 180_000
const CLOSE_MS = 3_000
/** MB; the large things of SQLite are outside of it. */
const LIMITS = { name: 'prn-database', resourceLimits: { maxYoungGenerationSizeMb: 4 } }

/** Beside this file as source, beside its plugin when built, also from where the bundler puts shared code. */
const PLACES = ['./sqlite-thread.ts', './sqlite-thread.js', '../plugins/database/sqlite-thread.js']

function threadFile (): URL {
  const found = PLACES.map(place => new URL(place, import.meta.url)).find(url => existsSync(fileURLToPath(url)))
  if (!found) throw new Error('the thread of plugin \'database\' is missing: rebuild the package')
  return found
}

/** From source the thread needs the same loader as we, which it does not take over by itself. */
function startThread (workerData: SqliteThreadData, file = threadFile()): Worker {
  if (!file.pathname.endsWith('.ts')) return new Worker(file, { ...LIMITS, workerData })
  const loader = import.meta.resolve('tsx/esm/api')
  const code = `import('${loader}').then(({ register }) => { register(); return import('${file.href}') })`
  return new Worker(code, { ...LIMITS, workerData, eval: true })
}

const errorOf = ({ message, code }: { message: string, code?: string }): Error =>
  Object.assign(new Error(message), { code })

interface Waiting {
  readonly resolve: (answer: SqliteAnswer) => void
  readonly reject: (error: Error) => void
}

/**
 * @param statementMs how long one statement may take before the thread is given up
 * @throws the error of SQLite
 */
export async function openSqliteFile (
  data: Omit<SqliteThreadData, 'shared'>, statementMs = STATEMENT_MS
): Promise<SqliteFile> {
  const waiting = new Map<number, Waiting>()
  const shared = new SharedArrayBuffer(FLAGS_BYTES)
  const thread = startThread({ ...data, shared })
  let lastId = 0
  let gone: Error | undefined

  function lose (cause: string): void {
    gone ??= errorOf({ message: `the database has gone: ${cause}`, code: GONE })
    const all = [...waiting.values()]
    waiting.clear()
    for (const { reject } of all) reject(gone)
  }

  /** It ends when its statement does. A thread that is ended within SQLite takes the whole process with it. */
  function leave (): void {
    thread.postMessage('close')
    thread.unref()
  }

  /** For the same reason a process that exits waits for the end of the statement. */
  function awaitStatement (): void {
    const flags = new Int32Array(shared)
    Atomics.store(flags, Flag.Leaving, 1)
    Atomics.wait(flags, Flag.Busy, 1, CLOSE_MS)
  }
  process.once('exit', awaitStatement)

  thread.on('message', (answer: SqliteAnswer) => {
    const request = waiting.get(answer.id)
    waiting.delete(answer.id)
    if (waiting.size === 0) thread.unref()
    if (answer.error) request?.reject(errorOf(answer.error))
    else request?.resolve(answer)
  })
  thread.on('error', error => lose(error.message))
  thread.on('exit', code => lose(`its thread ended with code ${code}`))
  const ended = new Promise<void>(resolve => {
    thread.once('exit', () => {
      process.removeListener('exit', awaitStatement)
      resolve()
    })
  })

  function answerTo (id: number, withinMs: number, send: () => void): Promise<SqliteAnswer> {
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
      thread.ref()
      send()
    })
  }

  async function close (): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>(resolve => { timer = setTimeout(resolve, CLOSE_MS) })
    leave()
    await Promise.race([ended, late])
    clearTimeout(timer)
  }

  await answerTo(lastId, STATEMENT_MS, () => {})
  return {
    run (sql, parameters) {
      const id = ++lastId
      return answerTo(id, statementMs, () => thread.postMessage({ id, sql, parameters } satisfies SqliteRequest))
    },
    close
  }
}
