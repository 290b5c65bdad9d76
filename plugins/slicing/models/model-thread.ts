import { TaskThread, ThreadBusy, threadFile } from '../../../core/index.js'
import { BadModel, DoesNotFit, ModelsBusy, ModelTooLarge, ModelWorkFailed } from './errors.js'
import { openModelFile } from './model-file.js'
import type { RefusalMessage } from './refusal.js'
import type { ModelAnswer, ModelFile, ModelTask } from './tasks.js'
import type { ModelReport, Placement, PlacePlan } from './types.js'

/** Where the thread's file is in the source tree, in the built plugin, and seen from the bundler's shared chunks. */
const PLACES = ['../model-thread.ts', '../model-thread.js', './model-thread.js', '../plugins/slicing/model-thread.js']

/** The largest models that are allowed take a third of it. */
const TIMEOUT_MS = 120_000
/** For objects; vertices and triangles lie outside, within the limits of their number. */
const MOST_MEMORY_MB = 256
const YOUNG_MB = 16
const MOST_WAITING = 16

export interface ModelThreadOptions {
  readonly timeoutMs?: number
  readonly file?: () => URL
}

/** A task before it has its flag. */
type NewTask = ModelTask extends infer T ? T extends ModelTask ? Omit<T, 'abort'> : never : never

/** Reads, checks, repairs and places models in a thread of their own, one after the other. */
export class ModelThread {
  readonly #thread: TaskThread

  constructor ({ timeoutMs = TIMEOUT_MS, file = () => threadFile(import.meta.url, PLACES) }: ModelThreadOptions = {}) {
    this.#thread = new TaskThread({
      name: 'prnd-models',
      subject: 'working on models',
      file,
      maxMemoryMb: MOST_MEMORY_MB,
      youngMemoryMb: YOUNG_MB,
      timeoutMs,
      mostWaiting: MOST_WAITING
    })
  }

  /**
   * What is in a file, and what is wrong with it.
   * @param name what people call the file
   * @throws PRN_ERR_BAD_MODEL, PRN_ERR_MODEL_TOO_LARGE, PRN_ERR_MODELS_BUSY, PRN_ERR_MODEL_WORK_FAILED, errors of the
   * file system, the signal's reason
   */
  async inspect (path: string, name: string, signal?: AbortSignal): Promise<ModelReport> {
    const file = await openModelFile(path, name, signal)
    const answer = await this.#run({ kind: 'inspect', file }, signal)
    if ('report' in answer) return answer.report
    throw new ModelWorkFailed('the answer is of another kind')
  }

  /**
   * Writes models as they shall lie on the bed, and pictures of them, into the folder of the plan. Equal plans have
   * equal results. What was written before an error is left to the caller, whose folder it is.
   * @throws as `inspect`, and PRN_ERR_DOES_NOT_FIT
   */
  async place (plan: PlacePlan, signal?: AbortSignal): Promise<Placement> {
    const files: Record<string, ModelFile> = Object.create(null)
    for (const { model, name } of plan.parts) files[model] ??= await openModelFile(model, name, signal)
    const answer = await this.#run({ kind: 'place', plan, files }, signal)
    if ('placement' in answer) return answer.placement
    throw new ModelWorkFailed('the answer is of another kind')
  }

  close (): Promise<void> { return this.#thread.close() }

  async #run (task: NewTask, signal?: AbortSignal): Promise<ModelAnswer> {
    const flag = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
    const abort = () => { Atomics.store(flag, 0, 1) }
    signal?.addEventListener('abort', abort, { once: true })
    try {
      const answer = await this.#thread.run({ ...task, abort: flag }, { signal }) as ModelAnswer
      if ('refused' in answer) throw errorOf(answer.refused)
      return answer
    } catch (error) {
      throw signal?.aborted === true ? error : worded(error)
    } finally {
      signal?.removeEventListener('abort', abort)
    }
  }
}

function errorOf ({ kind, words: [name = '', ...words] }: RefusalMessage): Error {
  const [first = '', second = '', third = ''] = words
  if (kind === 'fit') return new DoesNotFit(name, first, second, third)
  return kind === 'large' ? new ModelTooLarge(name, first) : new BadModel(name, first)
}

function worded (error: unknown): unknown {
  if (error instanceof ThreadBusy) return new ModelsBusy({ cause: error })
  const { code, message = '' } = error as NodeJS.ErrnoException
  if (code === 'ERR_WORKER_OUT_OF_MEMORY' || message.includes('Array buffer allocation failed')) {
    return new ModelWorkFailed('they need more memory than there is. Use fewer triangles', { cause: error })
  }
  if (code !== undefined) return error
  const took = / took (more than .*)$/.exec(message)?.[1]
  const why = took === undefined ? `${message}. Try again` : `they took ${took}. Use fewer triangles, or fewer copies`
  return new ModelWorkFailed(why, { cause: error })
}
