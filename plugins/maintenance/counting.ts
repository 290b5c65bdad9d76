import type { History, Print, PrintView } from '../history/index.js'
import { wearOf } from './print-wear.js'
import type { WearStore } from './wear-store.js'

/** A print that lost its printer may be resumed within a day. */
const MAY_GO_ON_MS = 24 * 3_600_000
/** The record may lag behind its event; one still missing after this time was deleted. */
const GONE_MS = 10 * 60_000
/** Prints that ended while no service ran are looked for this far before the newest that is counted. */
const LOOK_BACK_MS = 14 * 24 * 3_600_000
const RECORDED_WITHIN_MS = 60_000
const MOST_REMEMBERED = 1_000

export interface CountingDeps {
  readonly history: Pick<History, 'find' | 'since'>
  readonly store: WearStore
  readonly now: () => number
}

/** Counts ended prints, each once by the id of its record, whatever service counts it and however often. */
export class PrintCounting {
  readonly #deps: CountingDeps
  /** Ended prints that are not counted yet, with when that was heard, ms since the epoch. */
  readonly #ended = new Map<string, number>()
  /** Places that held filament that wears nozzles while a print ran. */
  readonly #abrasive = new Map<string, Set<string>>()
  #isCaughtUp = false

  constructor (deps: CountingDeps) { this.#deps = deps }

  /** A print has begun, changed or ended. @param abrasive places of spools that wear nozzles */
  see ({ id, result }: Pick<Print, 'id' | 'result'>, abrasive: ReadonlySet<string>): void {
    const known = this.#abrasive.get(id) ?? new Set()
    for (const place of abrasive) known.add(place)
    this.#abrasive.set(id, known)
    const [oldest] = this.#abrasive.keys()
    if (this.#abrasive.size > MOST_REMEMBERED && oldest !== undefined) this.#abrasive.delete(oldest)
    if (result !== 'running') this.#ended.set(id, this.#deps.now())
  }

  /** @returns whether something was counted @throws the database's errors */
  async run (signal: AbortSignal): Promise<boolean> {
    if (!this.#isCaughtUp) await this.#catchUp(signal)
    let hasCounted = false
    for (const [id, since] of [...this.#ended]) {
      const print = await this.#deps.history.find(id)
      const isGone = print === undefined && this.#deps.now() - since > GONE_MS
      if (print && this.#isOver(print)) {
        await this.#count(print)
        hasCounted = true
      } else if (!isGone) continue
      this.#ended.delete(id)
    }
    return hasCounted
  }

  /** Counts the whole record the first time, and later what ended since. */
  async #catchUp (signal: AbortSignal): Promise<void> {
    const { history, store, now } = this.#deps
    const until = await store.countedUntil()
    for await (const print of history.since(until === undefined ? 0 : until - LOOK_BACK_MS)) {
      if (signal.aborted) return
      if (print.result === 'running') continue
      if (!this.#isOver(print)) this.#ended.set(print.id, now())
      else if (!await store.isCounted(print.id)) await this.#count(print)
    }
    this.#isCaughtUp = true
  }

  #isOver ({ result, started_at: startedAt, ended_at: endedAt, grams_open_until: openUntil }: PrintView): boolean {
    const now = this.#deps.now()
    if (result === 'running' || (openUntil !== null && now < openUntil + RECORDED_WITHIN_MS)) return false
    return result !== 'unknown' || now - (endedAt ?? startedAt) > MAY_GO_ON_MS
  }

  async #count (print: PrintView): Promise<void> {
    const wear = wearOf(print, this.#abrasive.get(print.id) ?? new Set())
    await this.#deps.store.keepPrint(wear.print, wear.filaments)
    this.#abrasive.delete(print.id)
  }
}
