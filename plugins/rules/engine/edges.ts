import type { FastifyBaseLogger } from 'fastify'
import type { Edge, RuleStore } from '../rule-store.js'
import type { Predicate, RuleIndex } from './rule-index.js'
import type { Cause, Plain, Rule } from '../types.js'

const RETRY_MS = 15_000
const AT_ONCE = 4
/** What became true so long before a start was acted on then, or is too old to be acted on. */
const OLD_MS = 600_000

export interface EdgesDeps {
  readonly turn: RuleStore['turn']
  readonly now: () => number
  /** Whether the comparison still holds. */
  readonly isTrue: (predicate: Predicate, printer: string) => boolean
  readonly happened: (rule: Rule, cause: Cause) => void
  readonly log: Pick<FastifyBaseLogger, 'warn'>
}

interface Turn {
  readonly predicate: Predicate
  readonly printer: string
  readonly isTrue: boolean
  readonly value: Plain
  readonly at: number
}

/** A comparison holds, and a rule waits until it has held for long enough. */
interface Pending {
  readonly edge: string
  readonly rule: Rule
  readonly cause: Cause
  readonly from: number
  readonly forMs: number
  readonly predicate: Predicate
  readonly printer: string
}

const keyOf = ({ id }: Predicate, printer: string): string => `${id}:${printer}`

/**
 * When comparisons became true, stored so that all services and the next start know the same times: each of them
 * identifies what a rule acts on once. What already held when it was first looked at did not become true.
 */
export class Edges {
  readonly #deps: EdgesDeps
  readonly #known = new Map<string, Edge>()
  readonly #turns = new Map<string, Turn>()
  #pending: Pending[] = []
  /** Those whose value is not known at the moment. */
  #lost: Pending[] = []
  /** Turns of one comparison are stored in their order. */
  readonly #storing = new Set<string>()
  #retryAt = 0

  constructor (deps: EdgesDeps) { this.#deps = deps }

  remember (edges: ReadonlyMap<string, Edge>): void {
    for (const [key, edge] of edges) this.#known.set(key, edge)
  }

  /** Waits of rules that have changed end. */
  use (index: RuleIndex): void {
    const current = new Map(index.predicates.map(predicate => [predicate.id, predicate]))
    const kept = (list: readonly Pending[]): Pending[] => list.flatMap(pending => {
      const predicate = current.get(pending.predicate.id)
      const entry = predicate?.rules.find(({ rule: { id, armedAt } }) =>
        id === pending.rule.id && armedAt === pending.rule.armedAt)
      return predicate === undefined || entry === undefined ? [] : [{ ...pending, predicate, rule: entry.rule }]
    })
    this.#pending = kept(this.#pending)
    this.#lost = kept(this.#lost)
  }

  /** A comparison holds now, or no longer. Several turns while the database is slow become one. */
  turned (predicate: Predicate, printer: string, isTrue: boolean, isFirst: boolean, value: Plain): void {
    const key = keyOf(predicate, printer)
    const known = this.#known.get(key)
    const at = this.#deps.now()
    if (!isTrue) {
      this.#pending = this.#pending.filter(({ edge }) => edge !== key)
      this.#lost = this.#lost.filter(({ edge }) => edge !== key)
    }
    if (isFirst && known?.isTrue === isTrue) {
      // It held before the start as well: whether it did meanwhile is not known, so its time begins anew.
      if (isTrue) this.#began(predicate, printer, known, at, value, OLD_MS)
      return
    }
    if (isFirst && known === undefined) return // that it holds already is no change
    this.#turns.set(key, { predicate, printer, isTrue, value, at })
    this.#work()
  }

  /** Whether it holds is not known: what happens meanwhile does not count. */
  unknown (predicate: Predicate, printer: string): void {
    const key = keyOf(predicate, printer)
    this.#lost.push(...this.#pending.filter(({ edge }) => edge === key))
    this.#pending = this.#pending.filter(({ edge }) => edge !== key)
  }

  /** It holds, as it did before it was not known: its time begins anew. */
  again (predicate: Predicate, printer: string): void {
    if (this.#lost.length === 0) return
    const key = keyOf(predicate, printer)
    const from = this.#deps.now()
    const back = this.#lost.filter(({ edge }) => edge === key)
    this.#lost = this.#lost.filter(({ edge }) => edge !== key)
    this.#pending.push(...back.map(pending => ({ ...pending, from: from + pending.forMs })))
  }

  /** All times begin anew: rules were switched off meanwhile. */
  restart (): void {
    const now = this.#deps.now()
    this.#pending = this.#pending.map(pending => ({ ...pending, from: now + pending.forMs }))
  }

  forget (printer: string): void {
    this.#pending = this.#pending.filter(({ printer: of }) => of !== printer)
    this.#lost = this.#lost.filter(({ printer: of }) => of !== printer)
  }

  tick (): void {
    const now = this.#deps.now()
    if (now >= this.#retryAt) this.#work()
    const due = this.#pending.filter(({ from }) => from <= now)
    if (due.length === 0) return
    this.#pending = this.#pending.filter(({ from }) => from > now)
    for (const pending of due) {
      const { rule, cause, predicate, printer } = pending
      if (this.#deps.isTrue(predicate, printer)) this.#deps.happened(rule, { ...cause, at: now })
      else this.#lost.push(pending) // one that became false was removed
    }
  }

  #work (): void {
    for (const [key, turn] of this.#turns) {
      if (this.#storing.size >= AT_ONCE) return
      if (this.#storing.has(key)) continue
      this.#turns.delete(key)
      this.#storing.add(key)
      void this.#store(key, turn).finally(() => {
        this.#storing.delete(key)
        if (this.#deps.now() >= this.#retryAt) this.#work()
      })
    }
  }

  async #store (key: string, turn: Turn): Promise<void> {
    const { predicate, printer, isTrue, value, at } = turn
    if (this.#known.get(key)?.isTrue === isTrue) return
    try {
      const edge = await this.#deps.turn(key, isTrue, at)
      this.#known.set(key, edge)
      if (isTrue) this.#began(predicate, printer, edge, at, value)
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'what a rule waits for cannot be stored')
      this.#retryAt = this.#deps.now() + RETRY_MS
      if (!this.#turns.has(key)) this.#turns.set(key, turn)
    }
  }

  /**
   * @param at since when it is known to hold without a gap
   * @param oldMs what became true longer ago is left out
   */
  #began (predicate: Predicate, printer: string, edge: Edge, at: number, value: Plain,
    oldMs = Infinity): void {
    if (!this.#deps.isTrue(predicate, printer)) return
    for (const { rule, forMs } of predicate.rules) {
      if (edge.since < rule.armedAt || at - edge.since > forMs + oldMs) continue
      const cause: Cause = {
        key: `state:${keyOf(predicate, printer)}:${edge.since}`,
        at,
        printer: printer === '' ? undefined : printer,
        fields: { value },
        source: predicate.value,
        cameAt: at
      }
      if (forMs === 0) this.#deps.happened(rule, cause)
      else {
        const edge = keyOf(predicate, printer)
        this.#pending.push({ edge, rule, cause, from: at + forMs, forMs, predicate, printer })
      }
    }
  }
}
