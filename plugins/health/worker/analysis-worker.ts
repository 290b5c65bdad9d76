import { TaskThread, threadFile } from '../../../core/index.js'
import type { ResultOf, Task } from './tasks.js'

/** Runs tasks in a worker thread. */
export interface AnalysisWorker {
  /** @throws the error of the task, or a timeout */
  run<T extends Task> (task: T, signal?: AbortSignal): Promise<ResultOf<T>>
  /** Ends the thread and rejects pending tasks. */
  close (): Promise<void>
}

const TIMEOUT_MS = 120_000
/** Memory limit of the thread. */
const MOST_MEMORY_MB = 512
/** Small, because large buffers lie outside the heap. */
const YOUNG_MB = 4
/** Locations of the worker in the source tree, in the built plugin, and seen from the bundler's shared chunks. */
const PLACES = ['../worker.ts', '../worker.js', '../plugins/health/worker.js']

/** The thread starts with the first task, and again after a crash. All printers share it. */
export function createAnalysisWorker (timeoutMs = TIMEOUT_MS): AnalysisWorker {
  const thread = new TaskThread({
    name: 'prnd-health',
    subject: 'the analysis',
    file: () => threadFile(import.meta.url, PLACES),
    maxMemoryMb: MOST_MEMORY_MB,
    youngMemoryMb: YOUNG_MB,
    timeoutMs
  })
  return {
    run: async <T extends Task>(task: T, signal?: AbortSignal) => await thread.run(task, { signal }) as ResultOf<T>,
    close: () => thread.close()
  }
}
