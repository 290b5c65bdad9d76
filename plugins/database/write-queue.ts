import type { JsonStore } from '../../core/index.js'
import type { Row } from './types.js'

/** More than a large farm produces in weeks. */
const MOST_ROWS = 50_000
const BATCH = 200
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

const keyOf = ({ table, values }: Row) => `${table}\n${values.id}`

/**
 * Rows waiting to be written, by table. They are held in memory; after a failure they are also stored in the journal
 * until they are written. Retries begin after 1 s and slow down to one a minute.
 */
export function createWriteQueue ({ write, journal, onProblem, mostRows = MOST_ROWS }: WriteQueueOptions) {
  const waiting = new Map<string, Row>()
  let dropped = 0
  let problem: Error | undefined
  let journaled = journal.get().length > 0
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let retryMs = FIRST_RETRY_MS
  let closed = false

  function add (row: Row): void {
    const key = keyOf(row)
    const before = waiting.get(key)
    if (before && row.onlyNew) return
    waiting.set(key, before ? { ...row, values: { ...before.values, ...row.values } } : row)
    if (waiting.size <= mostRows) return
    const [oldest = key] = waiting.keys()
    waiting.delete(oldest)
    dropped++
  }
  for (const row of journal.get()) add(row)

  /** A full disk may prevent the journal as well: the rows are still in memory. */
  const keep = async (rows: readonly Row[]): Promise<void> => {
    journaled = rows.length > 0
    await journal.set([...rows]).catch(() => {})
  }

  const rowsOf = (table: string) => [...waiting].filter(([, row]) => row.table === table).slice(0, BATCH)

  /** A row that is changed meanwhile is a new object, and is written again. */
  async function writeTable (table: string): Promise<void> {
    for (let batch = rowsOf(table); batch.length > 0; batch = rowsOf(table)) {
      await write(batch.map(([, row]) => row))
      for (const [key, row] of batch) if (waiting.get(key) === row) waiting.delete(key)
    }
  }

  /** A table that cannot be written does not delay those of other plugins. */
  async function writeAll (): Promise<void> {
    const failures = new Map<string, Error>()
    const next = () => [...waiting.values()].find(({ table }) => !failures.has(table))?.table
    for (let table = next(); table !== undefined; table = next()) {
      const name = table
      await writeTable(name).catch((error: Error) => { failures.set(name, error) })
    }
    const [failure] = failures.values()
    if (failure) throw failure
  }

  function settle (failed: Error | undefined): void {
    if ((problem === undefined) !== (failed === undefined)) onProblem(failed)
    problem = failed
    retryMs = failed ? Math.min(2 * retryMs, LONGEST_RETRY_MS) : FIRST_RETRY_MS
  }

  async function attempt (): Promise<void> {
    clearTimeout(timer)
    try {
      await writeAll()
      settle(undefined)
      if (journaled) await keep([])
    } catch (error) {
      const wait = retryMs
      settle(error as Error)
      await keep([...waiting.values()])
      if (!closed) timer = setTimeout(() => { void flush() }, wait).unref()
    }
  }

  function flush (): Promise<void> {
    running ??= attempt().finally(() => { running = undefined })
    return running
  }

  return {
    get waiting () { return waiting.size },
    get dropped () { return dropped },
    get problem () { return problem },
    put (row: Row): void {
      add(row)
      if (problem === undefined) void flush()
      else void keep([...waiting.values()])
    },
    /** Tries to write everything now. */
    async flush (): Promise<void> {
      await flush()
      if (waiting.size > 0 && problem === undefined) await flush()
    },
    settled: async (): Promise<void> => {
      await running
      await journal.settled()
    },
    /** Rows that cannot be written are in the journal afterwards. */
    async close (): Promise<void> {
      closed = true
      if (waiting.size > 0) await flush()
      clearTimeout(timer)
      await journal.settled()
    }
  }
}

export type WriteQueue = ReturnType<typeof createWriteQueue>
