import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { FLAGS_BYTES, type SqliteMessage, type SqliteThreadData } from './sqlite-messages.js'

/** A thread that runs SQLite. */
export interface SqliteWorker {
  readonly worker: Worker
  /** Memory shared by both sides, see `Flag`. */
  readonly flags: Int32Array
  send (message: SqliteMessage): void
}

/** MB; most memory of SQLite is outside this limit. */
const LIMITS = { name: 'prnd-database', resourceLimits: { maxYoungGenerationSizeMb: 4 } }

/**
 * Next to this file in the sources, next to the plugin when built, also seen from the bundler's folder of shared
 * chunks.
 */
const PLACES = ['./sqlite-thread.ts', './sqlite-thread.js', '../plugins/database/sqlite-thread.js']

function threadFile (): URL {
  const found = PLACES.map(place => new URL(place, import.meta.url)).find(url => existsSync(fileURLToPath(url)))
  if (!found) throw new Error('the thread of plugin \'database\' is missing: rebuild the package')
  return found
}

/** A thread started from source needs the same loader, which it does not inherit. */
function startThread (workerData: SqliteThreadData, file = threadFile()): Worker {
  if (!file.pathname.endsWith('.ts')) return new Worker(file, { ...LIMITS, workerData })
  const loader = import.meta.resolve('tsx/esm/api')
  const code = `import('${loader}').then(({ register }) => { register(); return import('${file.href}') })`
  return new Worker(code, { ...LIMITS, workerData, eval: true })
}

/** A thread without a file, for reuse: starting one takes longer than opening a file. */
let idle: SqliteWorker | undefined

function startWorker (): SqliteWorker {
  const shared = new SharedArrayBuffer(FLAGS_BYTES)
  const worker = startThread({ shared })
  const ended = () => { if (idle?.worker === worker) idle = undefined }
  worker.on('error', ended).on('exit', ended)
  return { worker, flags: new Int32Array(shared), send: message => worker.postMessage(message) }
}

/** @returns a thread without a file and listeners */
export function takeWorker (): SqliteWorker {
  const taken = idle ?? startWorker()
  idle = undefined
  return taken
}

/** Retains one idle thread for the next file, without keeping the process alive. A second one ends. */
export function giveBack (used: SqliteWorker): void {
  used.worker.unref()
  if (idle === undefined) idle = used
  else used.send('end')
}
