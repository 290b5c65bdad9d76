import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import type { ResultOf, Task } from './tasks.js'

/** Runs tasks in a worker thread. */
export interface AnalysisWorker {
  /** @throws the error of the task, or a timeout */
  run<T extends Task> (task: T, signal?: AbortSignal): Promise<ResultOf<T>>
  /** Ends the thread and rejects pending tasks. */
  close (): Promise<void>
}

/** Includes the time in the queue behind the tasks of all other printers. */
const TIMEOUT_MS = 120_000
/** Memory limit of the thread. */
const MOST_MEMORY_MB = 512

/** Locations of the worker in the source tree, in the built plugin, and seen from the bundler's shared chunks. */
const PLACES = ['../worker.ts', '../worker.js', '../plugins/health/worker.js']

function workerFile (): URL {
  const found = PLACES.map(place => new URL(place, import.meta.url)).find(url => existsSync(fileURLToPath(url)))
  if (!found) throw new Error('the worker of plugin \'health\' is missing: rebuild the package')
  return found
}

/** Small, because large buffers lie outside the heap. */
const YOUNG_MB = 4
const LIMITS = {
  name: 'prnd-health',
  resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB, maxYoungGenerationSizeMb: YOUNG_MB }
}

/** Node would size the worker's initial heap like the main thread's, which delays its garbage collection. */
const resetInitialHeap = () => setFlagsFromString('--initial-old-space-size=0')

/** When run from source, the thread must register the TypeScript loader, which it does not inherit. */
function startThread (file = workerFile()): Worker {
  resetInitialHeap()
  if (!file.pathname.endsWith('.ts')) return new Worker(file, LIMITS)
  const loader = import.meta.resolve('tsx/esm/api')
  const code = `import('${loader}').then(({ register }) => { register(); return import('${file.href}') })`
  return new Worker(code, { ...LIMITS, eval: true })
}

const reasonOf = (signal: AbortSignal | undefined): Error =>
  signal?.reason instanceof Error ? signal.reason : new Error('the analysis was aborted')

interface Waiting {
  readonly resolve: (result: never) => void
  readonly reject: (error: Error) => void
}

type Reply = { readonly id: number, readonly result?: unknown, readonly error?: string }

/** The thread starts with the first task, and again after a crash. */
export function createAnalysisWorker (timeoutMs = TIMEOUT_MS): AnalysisWorker {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | undefined
  let lastId = 0
  let closed = false

  function fail (error: Error): void {
    worker = undefined
    const all = [...waiting.values()]
    waiting.clear()
    for (const { reject } of all) reject(error)
  }

  function begin (): Worker {
    const made = startThread()
    const gone = (error: Error) => { if (worker === made) fail(error) }
    made.on('message', ({ id, result, error }: Reply) => {
      const task = waiting.get(id)
      waiting.delete(id)
      if (waiting.size === 0) made.unref()
      if (error === undefined) task?.resolve(result as never)
      else task?.reject(new Error(error))
    })
    made.on('error', gone)
    made.on('exit', code => gone(new Error(`the analysis thread ended with code ${code}`)))
    return made
  }

  function run<T extends Task> (task: T, signal?: AbortSignal): Promise<ResultOf<T>> {
    if (closed) return Promise.reject(new Error('the analysis has ended'))
    signal?.throwIfAborted()
    const id = ++lastId
    return new Promise<ResultOf<T>>((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
        waiting.delete(id)
      }
      const abort = () => { settle(); reject(reasonOf(signal)) }
      const timer = setTimeout(() => {
        settle()
        reject(new Error(`the analysis took more than ${timeoutMs / 1000} s`))
        void worker?.terminate()
      }, timeoutMs).unref()
      signal?.addEventListener('abort', abort, { once: true })
      waiting.set(id, {
        resolve: result => { settle(); resolve(result) },
        reject: (error: Error) => { settle(); reject(error) }
      })
      try {
        worker ??= begin()
        worker.ref()
        worker.postMessage({ id, task })
      } catch (error) {
        settle()
        reject(error instanceof Error ? error : new Error(String(error)))
      }
    })
  }

  return {
    run,
    async close () {
      closed = true
      await worker?.terminate()
      fail(new Error('the analysis has ended'))
    }
  }
}
