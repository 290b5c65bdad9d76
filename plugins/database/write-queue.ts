import { withTimeout, type JsonStore } from '../../core/index.js'
import type { Row } from './types.js'
import { WaitingRows } from './waiting-rows.js'

/** More than a large farm produces in weeks. */
const MOST_ROWS = 50_000
const FIRST_RETRY_MS = 1_000
const LONGEST_RETRY_MS = 60_000
/** Between two attempts that questions cause. */
const LEAST_RETRY_MS = 5_000
/** A plugin has 5 s to end, and the journal must be written within. */
const LATE_MS = 3_000

export interface WriteQueueOptions {
  /** Writes all rows or none. */
  readonly write: (rows: readonly Row[]) => Promise<void>
  /** Whether a row caused it, so that trying again is in vain. */
  readonly isOfRow: (error: unknown) => boolean
  /** Called with a row that cannot be stored, before it is dropped. */
  readonly onRefused: (row: Row, error: unknown) => void
  readonly journal: JsonStore<Row[]>
  /** Called when writing starts to fail, and with undefined when it works again. */
  readonly onProblem: (problem: Error | undefined) => void
  readonly mostRows?: number
  /** After this time without an answer, the rows are stored in the journal. */
  readonly lateMs?: number
  readonly leastRetryMs?: number
}

/**
 * Rows waiting to be written, by table. They are held in memory; after a failure, or when writing takes long, they
 * are also stored in the journal until they are written. Retries begin after 1 s and slow down to one a minute.
 */
export class WriteQueue {
  readonly #options: WriteQueueOptions
  readonly #rows: WaitingRows
  readonly #lateMs: number
  #problem: Error | undefined
  #isJournaled: boolean
  #running: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #retryMs = FIRST_RETRY_MS
  #triedAt = -Infinity
  #isLate = false
  #isClosed = false

  constructor (options: WriteQueueOptions) {
    const { journal, mostRows = MOST_ROWS, lateMs = LATE_MS } = options
    const journaled = journal.get()
    this.#options = options
    this.#lateMs = lateMs
    this.#rows = new WaitingRows(mostRows)
    this.#isJournaled = journaled.length > 0
    for (const row of journaled) this.#rows.add(row)
  }

  get waiting (): number { return this.#rows.size }

  get dropped (): number { return this.#rows.dropped }

  get problem (): Error | undefined { return this.#problem }

  put (row: Row): void {
    this.#rows.add(row)
    if (this.#problem === undefined && !this.#isLate) void this.#flush()
    else void this.#store(this.#rows.all())
  }

  /** Tries to write everything now. */
  async flush (): Promise<void> {
    await this.#flush()
    if (this.waiting > 0 && this.#problem === undefined) await this.#flush()
  }

  /** The database may answer again before the next attempt is due: tries now, unless it was tried a moment ago. */
  async retry (): Promise<void> {
    const { leastRetryMs = LEAST_RETRY_MS } = this.#options
    if (performance.now() - this.#triedAt >= leastRetryMs) await this.#flush()
    else await this.#running
  }

  async settled (): Promise<void> {
    await this.#running
    await this.#options.journal.settled()
  }

  /** Rows that cannot be written are in the journal afterwards. */
  async close (): Promise<void> {
    this.#isClosed = true
    if (this.waiting > 0) {
      await withTimeout(this.#lateMs, this.#flush(), () => new Error('late')).catch(() => this.#store(this.#rows.all()))
    }
    clearTimeout(this.#timer)
    await this.#options.journal.settled()
  }

  #flush (): Promise<void> {
    this.#running ??= this.#attempt().finally(() => {
      this.#running = undefined
      // Rows that came while the journal was emptied.
      if (this.waiting > 0 && this.#problem === undefined && !this.#isClosed) void this.#flush()
    })
    return this.#running
  }

  async #attempt (): Promise<void> {
    clearTimeout(this.#timer)
    const late = setTimeout(() => this.#beLate(), this.#lateMs).unref()
    try {
      await this.#writeAll()
      this.#isLate = false
      this.#settle(undefined)
      if (this.#isJournaled) await this.#store([])
    } catch (error) {
      this.#triedAt = performance.now()
      const wait = this.#retryMs
      this.#settle(error as Error)
      await this.#store(this.#rows.all())
      if (!this.#isClosed) this.#timer = setTimeout(() => { void this.#flush() }, wait).unref()
    } finally {
      clearTimeout(late)
      this.#isLate = false
    }
  }

  /** A database that does not answer fails late, and the service may end before. */
  #beLate (): void {
    this.#isLate = true
    void this.#store(this.#rows.all())
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
      const all = batch
      await this.#options.write(all).then(() => this.#rows.remove(all), async error => {
        if (!this.#options.isOfRow(error)) throw error
        for (const row of all) await this.#writeAlone(row)
      })
    }
  }

  /** A row that cannot be stored must not hold up the others. */
  async #writeAlone (row: Row): Promise<void> {
    const { write, isOfRow, onRefused } = this.#options
    await write([row]).then(() => this.#rows.remove([row]), error => {
      if (!isOfRow(error)) throw error
      onRefused(row, error)
      this.#rows.drop(row)
    })
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
