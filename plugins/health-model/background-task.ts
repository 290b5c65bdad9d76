import { TaskRunning } from './errors.js'

export type Step = 'fetching' | 'checking' | 'installing' | 'done' | 'failed' | 'cancelled'

/** What was begun last, and how far it is. */
export interface TaskProgress {
  readonly kind: 'network' | 'runtime'
  /** The network, as the user named it. */
  readonly name: string
  readonly step: Step
  /** Fetched so far, of so many; null where that is not known. */
  readonly bytes: number | null
  readonly total: number | null
  /** Why it failed, in words. */
  readonly problem: string | null
}

export type Report = (progress: Partial<Pick<TaskProgress, 'step' | 'bytes'>>) => void
type Work = (signal: AbortSignal, report: Report) => Promise<void>

const ENDED: readonly Step[] = ['done', 'failed', 'cancelled']

/** Runs what takes minutes, one at a time; requests only begin it and ask for its progress. */
export class BackgroundTask {
  #progress: TaskProgress | undefined
  #abort = new AbortController()
  #running: Promise<void> = Promise.resolve()

  get progress (): TaskProgress | undefined { return this.#progress }

  /** @throws PRN_ERR_NETWORK_TASK while another one runs */
  start (what: Pick<TaskProgress, 'kind' | 'name' | 'step' | 'total'>, work: Work): void {
    const { step, name } = this.#progress ?? {}
    if (step !== undefined && !ENDED.includes(step)) throw new TaskRunning(name ?? '')
    this.#progress = { ...what, bytes: null, problem: null }
    this.#abort = new AbortController()
    this.#running = this.#run(work, this.#abort.signal)
  }

  async #run (work: Work, signal: AbortSignal): Promise<void> {
    const change = (changes: Partial<TaskProgress>) => {
      if (this.#progress) this.#progress = { ...this.#progress, ...changes }
    }
    try {
      await work(signal, change)
      change({ step: 'done' })
    } catch (error) {
      change(signal.aborted ? { step: 'cancelled' } : { step: 'failed', problem: (error as Error).message })
    }
  }

  /** Ends the running task, and resolves when it has ended. */
  async cancel (): Promise<void> {
    this.#abort.abort(new Error('cancelled'))
    await this.#running
  }
}
