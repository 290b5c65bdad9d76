import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { Worker, type Transferable } from 'node:worker_threads'

export interface TaskThreadOptions {
  /** Of the thread, in lists of threads. */
  readonly name: string
  /** What runs in it, as the beginning of a sentence: `the analysis`. */
  readonly subject: string
  readonly file: () => URL
  readonly maxMemoryMb: number
  /** Young objects; more of them make collections rarer. */
  readonly youngMemoryMb: number
  /** Of one task, from the moment it begins. */
  readonly timeoutMs: number
  /** Tasks that may wait for their turn. */
  readonly mostWaiting?: number
}

export interface TaskOptions {
  readonly signal?: AbortSignal | undefined
  /** Objects that the thread gets instead of copies. */
  readonly transfer?: readonly Transferable[]
}

interface Entry {
  readonly id: number
  readonly task: unknown
  readonly transfer: readonly Transferable[]
  readonly settle: (settled: { readonly result: unknown } | { readonly error: Error }) => void
}

/** What a thread answers to a message `{ id, task }`. */
type Reply = { readonly id: number, readonly result?: unknown, readonly error?: string }

/** A task is refused because too many wait. */
export class ThreadBusy extends Error {}

/** The first of these places, relative to a module, where there is a file. */
export function threadFile (base: string, places: readonly string[]): URL {
  const found = places.map(place => new URL(place, base)).find(url => existsSync(fileURLToPath(url)))
  if (!found) throw new Error(`the thread ${places[0] ?? ''} is missing: rebuild the package`)
  return found
}

/** Node would size the thread's initial heap like the main thread's, which delays its garbage collection. */
const resetInitialHeap = () => setFlagsFromString('--initial-old-space-size=0')

const errorOf = (error: unknown): Error => error instanceof Error ? error : new Error(String(error))

/**
 * Runs tasks in a thread of its own, one after the other. The thread starts with the first task. If it dies, or a task
 * takes too long, that task fails and the next one gets a new thread.
 */
export class TaskThread {
  readonly #options: TaskThreadOptions
  readonly #waiting: Entry[] = []
  #running: Entry | undefined
  #timer: NodeJS.Timeout | undefined
  #worker: Worker | undefined
  #lastId = 0
  #isClosed = false

  constructor (options: TaskThreadOptions) { this.#options = options }

  /** @throws the error of the task, its signal's reason, `ThreadBusy`, or a timeout */
  run (task: unknown, { signal, transfer = [] }: TaskOptions = {}): Promise<unknown> {
    const { subject, mostWaiting = Infinity } = this.#options
    if (this.#isClosed) return Promise.reject(new Error(`${subject} has ended`))
    if (signal?.aborted) return Promise.reject(this.#reasonOf(signal))
    if (this.#waiting.length >= mostWaiting) return Promise.reject(new ThreadBusy(`${subject} has too much to do`))
    return new Promise((resolve, reject) => {
      const abort = () => {
        const at = this.#waiting.indexOf(entry)
        if (at !== -1) this.#waiting.splice(at, 1)
        entry.settle({ error: this.#reasonOf(signal) })
      }
      const entry: Entry = {
        id: ++this.#lastId,
        task,
        transfer,
        settle (settled) {
          signal?.removeEventListener('abort', abort)
          if ('error' in settled) reject(settled.error)
          else resolve(settled.result)
        }
      }
      signal?.addEventListener('abort', abort, { once: true })
      this.#waiting.push(entry)
      this.#next()
    })
  }

  /** Ends the thread and rejects what runs and waits. */
  async close (): Promise<void> {
    this.#isClosed = true
    const error = new Error(`${this.#options.subject} has ended`)
    for (const entry of this.#waiting.splice(0)) entry.settle({ error })
    const worker = this.#worker
    this.#fail(error)
    await worker?.terminate()
  }

  #reasonOf (signal: AbortSignal | undefined): Error {
    return signal?.reason instanceof Error ? signal.reason : new Error(`${this.#options.subject} was aborted`)
  }

  #next (): void {
    const entry = this.#running === undefined ? this.#waiting.shift() : undefined
    if (entry === undefined) return
    const { timeoutMs, subject } = this.#options
    this.#running = entry
    this.#timer = setTimeout(() => {
      const worker = this.#worker
      this.#fail(new Error(`${subject} took more than ${timeoutMs / 1_000} s`))
      void worker?.terminate()
    }, timeoutMs).unref()
    try {
      this.#worker ??= this.#begin()
      this.#worker.ref()
      this.#worker.postMessage({ id: entry.id, task: entry.task }, [...entry.transfer])
    } catch (error) {
      this.#end(entry.id, { error: errorOf(error) })
    }
  }

  #end (id: number, settled: Parameters<Entry['settle']>[0]): void {
    const entry = this.#running
    if (entry?.id !== id) return
    clearTimeout(this.#timer)
    this.#running = undefined
    if (this.#waiting.length === 0) this.#worker?.unref()
    entry.settle(settled)
    this.#next()
  }

  /** The thread is gone. */
  #fail (error: Error): void {
    this.#worker = undefined
    if (this.#running !== undefined) this.#end(this.#running.id, { error })
  }

  #begin (): Worker {
    const made = this.#start()
    const gone = (error: Error) => { if (this.#worker === made) this.#fail(error) }
    made.on('message', ({ id, result, error }: Reply) =>
      this.#end(id, error === undefined ? { result } : { error: new Error(error) }))
    made.on('error', gone)
    made.on('exit', code => gone(new Error(`${this.#options.subject} broke off: its thread ended with code ${code}`)))
    return made
  }

  /** When run from source, the thread must register the TypeScript loader, which it does not inherit. */
  #start (): Worker {
    const { name, maxMemoryMb, youngMemoryMb } = this.#options
    const file = this.#options.file()
    const limits = {
      name, resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb, maxYoungGenerationSizeMb: youngMemoryMb }
    }
    resetInitialHeap()
    if (!file.pathname.endsWith('.ts')) return new Worker(file, limits)
    const loader = import.meta.resolve('tsx/esm/api')
    const code = `import('${loader}').then(({ register }) => { register(); return import('${file.href}') })`
    return new Worker(code, { ...limits, eval: true })
  }
}
