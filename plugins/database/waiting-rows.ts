import type { Row } from './types.js'

/** Rows that are written at once. */
const BATCH = 200

const keyOf = ({ table, values }: Row) => `${table}\n${values.id}`

/** Rows waiting to be written, the newest values of each. With too many, the oldest are dropped. */
export class WaitingRows {
  readonly #rows = new Map<string, Row>()
  readonly #most: number
  #dropped = 0

  constructor (most: number) {
    this.#most = most
  }

  get size (): number { return this.#rows.size }

  get dropped (): number { return this.#dropped }

  all (): Row[] { return [...this.#rows.values()] }

  add (row: Row): void {
    const key = keyOf(row)
    const before = this.#rows.get(key)
    if (before && row.onlyNew) return
    this.#rows.set(key, before ? { ...row, values: { ...before.values, ...row.values } } : row)
    if (this.#rows.size <= this.#most) return
    const [oldest = key] = this.#rows.keys()
    this.#rows.delete(oldest)
    this.#dropped++
  }

  /** The table of the oldest row, without some tables. */
  nextTable (without: ReadonlyMap<string, unknown>): string | undefined {
    for (const { table } of this.#rows.values()) if (!without.has(table)) return table
    return undefined
  }

  batchOf (table: string): Row[] { return this.all().filter(row => row.table === table).slice(0, BATCH) }

  drop (row: Row): void {
    this.remove([row])
    this.#dropped++
  }

  /** A row that was changed meanwhile is a new object, and waits again. */
  remove (written: readonly Row[]): void {
    for (const row of written) if (this.#rows.get(keyOf(row)) === row) this.#rows.delete(keyOf(row))
  }
}
