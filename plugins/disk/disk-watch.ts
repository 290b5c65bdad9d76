import { withTimeout, type ConnectionEntry } from '../../core/index.js'

const MIB = 1024 ** 2
/** Databases, logs and recordings need some room to go on for a while. */
const LOW_BYTES = 200 * MIB
/** Enough again; above the other, so that a disk around it is not told of again and again. */
const ENOUGH_BYTES = 250 * MIB

export type Trouble = 'low' | 'full'

export interface DiskWatchDeps {
  /** Bytes that are free where the data folder is. */
  readonly free: () => Promise<number>
  /** Writes a small file there. @throws the error, such as ENOSPC, EDQUOT or EROFS */
  readonly tryOut: () => Promise<void>
  /** Lists it among the connections while something is wrong. */
  readonly connect: () => Pick<ConnectionEntry, 'failed' | 'remove'>
  /**
   * Tells people; called again until somebody gets it. The same trouble of one day is told once.
   * @returns the targets that get it
   */
  readonly tell: (trouble: Trouble, words: string, day: string) => Promise<readonly string[]>
  readonly log: { error (facts: object, text: string): void, info (text: string): void }
  readonly now: () => number
}

/** A network disk may never answer: each try has a limit, and the next one waits for the same answer. */
export function inTime<T> (work: () => Promise<T>, ms: number): () => Promise<T> {
  let running: Promise<T> | undefined
  return async () => {
    running ??= work().finally(() => { running = undefined })
    return await withTimeout(ms, running, () => new Error('the disk does not answer'))
  }
}

interface Finding { readonly trouble: Trouble, readonly words: string }

/** Looks for a data folder that is full, nearly full or read-only: what runs goes on, and records are lost. */
export class DiskWatch {
  readonly #deps: DiskWatchDeps
  #entry: Pick<ConnectionEntry, 'failed' | 'remove'> | undefined
  #told = ''

  constructor (deps: DiskWatchDeps) { this.#deps = deps }

  /** Never rejects. */
  async look (): Promise<void> {
    const { connect, tell, log, now } = this.#deps
    const found = await this.#find()
    if (found === undefined) {
      if (this.#entry !== undefined) log.info('the data folder has room again')
      this.#entry?.remove()
      this.#entry = undefined
      return
    }
    const { trouble, words } = found
    const isNew = this.#entry === undefined
    const error = new Error(words)
    this.#entry ??= connect()
    this.#entry.failed(error)
    if (isNew) log.error({ err: error }, 'the disk of the data folder')
    const day = new Date(now()).toLocaleDateString('sv')
    if (this.#told === `${trouble} ${day}`) return
    try {
      if ((await tell(trouble, words, day)).length > 0) this.#told = `${trouble} ${day}`
    } catch (error) {
      log.error({ err: error }, 'nobody could be told about the disk of the data folder')
    }
  }

  async #find (): Promise<Finding | undefined> {
    const { free, tryOut } = this.#deps
    const problem = await tryOut().then(() => undefined, (error: NodeJS.ErrnoException) => error)
    if (problem !== undefined) {
      return { trouble: 'full', words: `Nothing can be written in the data folder: ${problem.code ?? problem.message}` }
    }
    const bytes = await free().catch(() => Infinity) // not on every file system
    if (bytes >= (this.#entry === undefined ? LOW_BYTES : ENOUGH_BYTES)) return undefined
    return { trouble: 'low', words: `Only ${Math.floor(bytes / MIB)} MiB are free where the data folder is` }
  }
}
