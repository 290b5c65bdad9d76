import type { JsonStore } from '../../core/index.js'
import type { Row } from './types.js'
import { WaitingRows } from './waiting-rows.js'

/** More than a large farm produces in weeks. */
const MOST_ROWS = 50_000
const FIRST_RETRY_MS = 1_000
const LONGEST_RETRY_MS = 60_000

export interface WriteQueueOptions {
  /** Writes all rows or none. */
  readonly write: (rows: readonly Row[]) => Promise<void>
  readonly journal: JsonStore<Row[]>
  /** Called when writing starts to fail, and with undefined when it works again. */
  readonly onProblem: (problem: Error | undefined) => void
  readonly mostRows?: number
}

/**
 * Rows waiting to be written, by table. They are held in memory; after a failure they are also stored in the journal
 * until they are written. Retries begin after 1 s and slow down to one a minute.
 */
export class WriteQueue {
  readonly #options: WriteQueueOptions
  readonly #rows: WaitingRows
  #problem: Error | undefined
  #isJournaled: boolean
  #running: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #retryMs = FIRST_RETRY_MS
  #isClosed = false

  constructor (options: WriteQueueOptions) {
    const { journal, mostRows = MOST_ROWS } = options
    const journaled = journal.get()
    this.#options = options
    this.#rows = new WaitingRows(mostRows)
    this.#isJournaled = journaled.length > 0
    for (const row of journaled) this.#rows.add(row)
  }

  get waiting (): number { return this.#rows.size }

  get dropped (): number { return this.#rows.dropped }

  get problem (): Error | undefined { return this.#problem }

  put (row: Row): void {
    this.#rows.add(row)
    if (this.#problem === undefined) void this.#flush()
    else void this.#store(this.#rows.all())
  }

  /** Tries to write everything now. */
  async flush (): Promise<void> {
    await this.#flush()
    if (this.waiting > 0 && this.#problem === undefined) await this.#flush()
  }

  async settled (): Promise<void> {
    await this.#running
    await this.#options.journal.settled()
  }

  /** Rows that cannot be written are in the journal afterwards. */
  async close (): Promise<void> {
    this.#isClosed = true
    if (this.waiting > 0) await this.#flush()
    clearTimeout(this.#timer)
    await this.#options.journal.settled()
  }

  #flush (): Promise<void> {
    this.#running ??= this.#attempt().finally(() => { this.#running = undefined })
    return this.#running
  }

  async #attempt (): Promise<void> {
    clearTimeout(this.#timer)
    try {
      await this.#writeAll()
      this.#settle(undefined)
      if (this.#isJournaled) await this.#store([])
    } catch (error) {
      const wait = this.#retryMs
      this.#settle(error as Error)
      await this.#store(this.#rows.all())
      if (!this.#isClosed) this.#timer = setTimeout(() => { void this.#flush() }, wait).unref()
    }
  }

  /** A table that cannot be written does not delay those of other plugins. */
  async #writeAll (): Promise<void> {
    const failures = new Map<string, Error>()
    const next = () => this.#rows.nextTable(failures)
    for (let table = next(); table !== undefined; table = next()) {
      const name = table
      await this.#writeTable(name).catch((error: Error) => { failures.set(name, error) })
    }
    const [failure] = failures.values()
    if (failure) throw failure
  }

  async #writeTable (table: string): Promise<void> {
    const next = () => this.#rows.batchOf(table)
    for (let batch = next(); batch.length > 0; batch = next()) {
      await this.#options.write(batch)
      this.#rows.remove(batch)
    }
  }

  #settle (failed: Error | undefined): void {
    if ((this.#problem === undefined) !== (failed === undefined)) this.#options.onProblem(failed)
    this.#problem = failed
    this.#retryMs = failed ? Math.min(2 * this.#retryMs, LONGEST_RETRY_MS) : FIRST_RETRY_MS
  }

  /** A full disk may prevent the journal as well: the rows are still in memory. */
  async #store (rows: readonly Row[]): Promise<void> {
    this.#isJournaled = rows.length > 0
    await this.#options.journal.set([...rows]).catch(() => {})
  }
}
