import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { FLAGS_BYTES, type SqliteMessage, type SqliteThreadData } from './sqlite-messages.js'

/** A thread that SQLite works in. */
export interface SqliteWorker {
  readonly worker: Worker
  /** What both sides see at once, see `Flag`. */
  readonly flags: Int32Array
  send (message: SqliteMessage): void
}

/** MB; the large things of SQLite are outside of it. */
const LIMITS = { name: 'prnd-database', resourceLimits: { maxYoungGenerationSizeMb: 4 } }

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

/** One that has no file. To start one takes longer than to open a file. */
let idle: SqliteWorker | undefined

function startWorker (): SqliteWorker {
  const shared = new SharedArrayBuffer(FLAGS_BYTES)
  const worker = startThread({ shared })
  const ended = () => { if (idle?.worker === worker) idle = undefined }
  worker.on('error', ended).on('exit', ended)
  return { worker, flags: new Int32Array(shared), send: message => worker.postMessage(message) }
}

/** @returns one that has no file, and that nobody listens to */
export function takeWorker (): SqliteWorker {
  const taken = idle ?? startWorker()
  idle = undefined
  return taken
}

/** Keeps one whose file is closed for the next file; it does not hold the process. A second one ends. */
export function giveBack (used: SqliteWorker): void {
  used.worker.unref()
  if (idle === undefined) idle = used
  else used.send('end')
}
