import type { Database } from '../database/index.js'
import { deleteRows, recentRows, type Db } from './queries.js'
import type { AlertRow } from './tables.js'

/** The latest arrival, after the state, of the number that reveals a cancellation or the cause of a pause. */
const LATE_MS = 60_000
/** Services that watch the same printer raise the same alert no further apart. */
const SAME_MS = 10_000
/** The first look after a start: rows may have waited in the journal. */
const FIRST_LOOK_MS = 86_400_000
const RETRY_MS = 60_000

/** Members in which two services differ, as their clocks and reports do. */
const PASSING = new Set(['elapsed_min', 'percent', 'layer_num', 'replaces'])

type Payload = Readonly<Record<string, unknown>>
interface Known { readonly row: AlertRow, readonly payload: Payload, readonly key: string }

function knownOf (row: AlertRow): Known {
  const payload = JSON.parse(row.payload) as Payload
  const lasting = Object.entries(payload).filter(([name]) => !PASSING.has(name)).sort(([a], [b]) => a < b ? -1 : 1)
  return { row: { ...row, at: Number(row.at) }, payload, key: JSON.stringify([row.printer, row.type, lasting]) }
}

/** A failure that was a cancellation, or a pause whose cause was still unknown. One with a reason is another pause. */
const isReplaced = ({ row, payload }: Known, by: Known): boolean =>
  row.acknowledged_at === null && payload.reason === undefined && row.id !== by.row.id &&
  row.printer === by.row.printer && row.type === by.payload.replaces &&
  row.at <= by.row.at && row.at >= by.row.at - LATE_MS

/** Two services that share this database both recorded it. */
const isRepeated = ({ row, key }: Known, first: Known): boolean =>
  key === first.key && row.at - first.row.at < SAME_MS && row.id !== first.row.id &&
  (row.at > first.row.at || (row.at === first.row.at && row.id > first.row.id))

/**
 * Ids of the rows that another one stands for. What a person has acknowledged stays. Pure.
 * @param isShared other services may write into the same log
 */
export function superfluous (rows: readonly AlertRow[], isShared: boolean): string[] {
  const known = rows.filter(({ acknowledged_by: by }) => by === null).map(knownOf)
  const isSuperfluous = (one: Known) =>
    known.some(other => isReplaced(one, other) || (isShared && isRepeated(one, other)))
  return known.filter(isSuperfluous).map(({ row }) => row.id)
}

interface TidierOptions {
  readonly database: Pick<Database, 'query' | 'status'>
  readonly now: () => number
  readonly warn: (error: Error) => void
  readonly retryMs?: number
}

/** Removes superfluous rows after each new one, and again later if the database was away. */
export class Tidier {
  readonly #options: TidierOptions
  /** Rows since then were not looked at, ms since the epoch. */
  #since: number | undefined
  #isFirst = true
  #timer: NodeJS.Timeout | undefined
  #isRunning = false
  #isClosed = false

  constructor (options: TidierOptions) { this.#options = options }

  /** @param at of a new row */
  note (at: number): void {
    const from = this.#isFirst ? Math.min(at, this.#options.now() - FIRST_LOOK_MS) : at - LATE_MS
    this.#isFirst = false
    this.#since = Math.min(from, this.#since ?? Infinity)
    if (!this.#isRunning) void this.#run()
  }

  close (): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  async #run (): Promise<void> {
    clearTimeout(this.#timer)
    const { database, warn, retryMs = RETRY_MS } = this.#options
    this.#isRunning = true
    let failed = false
    while (this.#since !== undefined && !failed && !this.#isClosed) {
      const since = this.#since
      this.#since = undefined
      const tidy = async (db: Db) => { await deleteRows(db, superfluous(await recentRows(db, since), database.status.kind === 'postgres')) }
      const isDone = await database.query(tidy).then(() => true, error => { warn(error); return false })
      // A query writes waiting rows first, unless writing fails.
      failed = !isDone || database.status.problem !== undefined
      if (failed) this.#since = Math.min(since, this.#since ?? Infinity)
    }
    this.#isRunning = false
    if (failed && !this.#isClosed) this.#timer = setTimeout(() => { void this.#run() }, retryMs).unref()
  }
}
