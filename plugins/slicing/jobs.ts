import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Type, type Static } from 'typebox'
import { isServiceError, openJsonStore, type JsonStore } from '../../core/index.js'
import { NoSlicingJob, TooManySlicingJobs } from './errors.js'
import { PlateOrder, SlicingJobView, type SlicingResult } from './schemas.js'

const StoredJob = Type.Object({
  ...SlicingJobView.properties,
  order: PlateOrder,
  /** How often it was begun. */
  attempts: Type.Integer()
})
export type StoredJob = Static<typeof StoredJob>

const Document = Type.Object({ jobs: Type.Array(StoredJob) })

/** What waits, and what is remembered of the past. */
const MOST_WAITING = 20
const MOST_REMEMBERED = 100
/** A plate that ends the service each time must not keep it from running. */
const MOST_ATTEMPTS = 2
const INTERRUPTED = 'The service ended while it was sliced, twice: it is not tried again'

export interface JobWork {
  readonly signal: AbortSignal
  /** Empty; removed afterwards. */
  readonly folder: string
  readonly onStep: (percent: number, step: string) => void
}

export interface SlicingJobsOptions {
  readonly folder: string
  readonly now: () => number
  readonly work: (job: StoredJob, work: JobWork) => Promise<SlicingResult>
  readonly warn: (message: string) => void
}

const WAITING = { state: 'waiting', step: '', percent: 0 } as const

const isOpen = ({ state }: StoredJob): boolean => state === 'waiting' || state === 'running'

/** What has ended is forgotten, never what waits or runs. */
function withoutOldest (jobs: readonly StoredJob[]): readonly StoredJob[] {
  const remembered = new Set(jobs.filter(job => !isOpen(job)).slice(0, MOST_REMEMBERED))
  return jobs.filter(job => isOpen(job) || remembered.has(job))
}

/** Plates that are sliced one after the other. They survive a restart: an interrupted one is begun again, once. */
export class SlicingJobs {
  readonly #options: SlicingJobsOptions
  readonly #document: JsonStore<Static<typeof Document>>
  #jobs: StoredJob[]
  #running: { readonly id: string, readonly abort: AbortController, readonly ended: Promise<void> } | undefined
  readonly #watchers = new Set<(job: StoredJob) => void>()
  #isClosed = false

  private constructor (options: SlicingJobsOptions, document: JsonStore<Static<typeof Document>>) {
    this.#options = options
    this.#document = document
    this.#jobs = [...document.get().jobs]
  }

  static async open (options: SlicingJobsOptions): Promise<SlicingJobs> {
    const { folder, warn } = options
    await mkdir(folder, { recursive: true, mode: 0o700 })
    for (const name of await readdir(folder)) {
      if (name.startsWith('work-')) await rm(join(folder, name), { recursive: true, force: true })
    }
    const document = await openJsonStore(join(folder, 'jobs.json'), { schema: Document, initial: { jobs: [] }, warn, compact: true })
    const jobs = new SlicingJobs(options, document)
    for (const job of jobs.#jobs.filter(({ state }) => state === 'running')) {
      jobs.#change(job.id, job.attempts >= MOST_ATTEMPTS
        ? { state: 'failed', step: '', error: INTERRUPTED, ended_at: options.now() }
        : WAITING)
    }
    return jobs
  }

  /** Newest first. */
  list (): readonly StoredJob[] { return this.#jobs }

  /** @throws PRN_ERR_NO_SLICING_JOB */
  find (id: string): StoredJob {
    const job = this.#jobs.find(job => job.id === id)
    if (job === undefined) throw new NoSlicingJob(id)
    return job
  }

  /** @throws PRN_ERR_TOO_MANY_SLICING_JOBS */
  async add (order: StoredJob['order'], { name, printer, by }: { name: string, printer: string, by: string }): Promise<StoredJob> {
    if (this.#jobs.filter(isOpen).length >= MOST_WAITING) throw new TooManySlicingJobs(String(MOST_WAITING))
    const job: StoredJob = {
      id: randomBytes(8).toString('hex'),
      name,
      printer,
      ...WAITING,
      attempts: 0,
      created_at: this.#options.now(),
      created_by: by,
      ended_at: null,
      error: null,
      result: null,
      order
    }
    this.#jobs = [job, ...withoutOldest(this.#jobs)]
    await this.#save()
    this.#tell(job)
    this.start()
    return job
  }

  /** Ends a job at once, or takes it out of the row. @throws PRN_ERR_NO_SLICING_JOB */
  async cancel (id: string): Promise<StoredJob> {
    const job = this.find(id)
    if (!isOpen(job)) return job
    this.#change(id, { state: 'cancelled', step: '', ended_at: this.#options.now() })
    if (this.#running?.id === id) {
      this.#running.abort.abort(new Error('it was cancelled'))
      await this.#running.ended
    }
    await this.#save()
    return this.find(id)
  }

  /** Calls back with each change of a job. @returns a function that ends it */
  watch (watcher: (job: StoredJob) => void): () => void {
    this.#watchers.add(watcher)
    return () => { this.#watchers.delete(watcher) }
  }

  /** Waits until a job has ended, and cancels it if nobody waits any more. @throws the signal's reason */
  async ended (id: string, signal: AbortSignal, onChange: (job: StoredJob) => void = () => {}): Promise<StoredJob> {
    let stop = () => {}
    const ended = new Promise<StoredJob>(resolve => {
      const take = (job: StoredJob) => {
        if (job.id !== id) return
        onChange(job)
        if (!isOpen(job)) resolve(job)
      }
      stop = this.watch(take)
      take(this.find(id))
    })
    const gone = new Promise<undefined>(resolve => signal.addEventListener('abort', () => resolve(undefined), { once: true }))
    try {
      const job = signal.aborted ? undefined : await Promise.race([ended, gone])
      if (job !== undefined) return job
      await this.cancel(id)
      throw signal.reason
    } finally {
      stop()
    }
  }

  /** Begins with the oldest that waits. */
  start (): void {
    if (this.#isClosed || this.#running !== undefined) return
    const next = this.#jobs.findLast(({ state }) => state === 'waiting')
    if (next === undefined) return
    const abort = new AbortController()
    this.#running = { id: next.id, abort, ended: this.#run(next, abort.signal) }
  }

  /** Ends what runs; it stays in the row for the next start. */
  async close (): Promise<void> {
    this.#isClosed = true
    this.#running?.abort.abort(new Error('the service ends'))
    await this.#running?.ended
    await this.#document.settled()
  }

  async #run (job: StoredJob, signal: AbortSignal): Promise<void> {
    const { folder, work, now } = this.#options
    const own = join(folder, `work-${job.id}`)
    this.#change(job.id, { state: 'running', step: 'placing', attempts: job.attempts + 1 })
    await this.#save()
    let outcome: Partial<StoredJob> | undefined
    try {
      await mkdir(own, { recursive: true, mode: 0o700 })
      signal.throwIfAborted() // it was cancelled before it began
      const result = await work(job, {
        signal, folder: own, onStep: (percent, step) => this.#change(job.id, { percent: Math.floor(percent), step })
      })
      outcome = { state: 'done', step: '', percent: 100, result, ended_at: now() }
    } catch (error) {
      if (!signal.aborted) outcome = this.#failure(job, error)
    }
    await rm(own, { recursive: true, force: true }).catch(() => {}) // whoever hears of the end finds nothing left
    if (this.#isClosed) this.#change(job.id, { ...WAITING, attempts: job.attempts }) // not its fault
    else if (outcome !== undefined) this.#change(job.id, outcome)
    await this.#save()
    this.#running = undefined
    this.start()
  }

  #failure ({ name }: StoredJob, error: unknown): Partial<StoredJob> {
    const text = error instanceof Error ? error.message : String(error)
    if (!isServiceError(error)) this.#options.warn(`'${name}' could not be sliced: ${text}`)
    return { state: 'failed', step: '', error: text, ended_at: this.#options.now() }
  }

  #change (id: string, change: Partial<StoredJob>): void {
    this.#jobs = this.#jobs.map(job => job.id === id && isOpen(job) ? { ...job, ...change } : job)
    const changed = this.#jobs.find(job => job.id === id)
    if (changed) this.#tell(changed)
  }

  #tell (job: StoredJob): void { for (const watcher of this.#watchers) watcher(job) }

  /** The steps of a job are not worth a write each; its beginning and its end are. */
  #save (): Promise<void> {
    return this.#document.set({ jobs: this.#jobs }).catch((error: unknown) => {
      this.#options.warn(`the slicing jobs could not be stored: ${(error as Error).message}`)
    })
  }
}
