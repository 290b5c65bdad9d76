import type { FastifyBaseLogger } from 'fastify'
import type { Edge, RuleStore } from '../rule-store.js'
import type { Predicate, RuleIndex } from './rule-index.js'
import type { Cause, Plain, Rule } from '../types.js'

const RETRY_MS = 15_000
const AT_ONCE = 4

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
    this.#pending = this.#pending.flatMap(pending => {
      const predicate = current.get(pending.predicate.id)
      const entry = predicate?.rules.find(({ rule: { id, armedAt } }) =>
        id === pending.rule.id && armedAt === pending.rule.armedAt)
      return predicate === undefined || entry === undefined ? [] : [{ ...pending, predicate, rule: entry.rule }]
    })
  }

  /** A comparison holds now, or no longer. Several turns while the database is slow become one. */
  turned (predicate: Predicate, printer: string, isTrue: boolean, isFirst: boolean, value: Plain): void {
    const key = keyOf(predicate, printer)
    const known = this.#known.get(key)
    const at = this.#deps.now()
    if (!isTrue) this.#pending = this.#pending.filter(({ edge }) => edge !== key)
    if (isFirst && known?.isTrue === isTrue) {
      // It held before the start as well: whether it did meanwhile is not known, so its time begins anew.
      if (isTrue) this.#began(predicate, printer, known, at, value)
      return
    }
    if (isFirst && known === undefined) return // that it holds already is no change
    this.#turns.set(key, { predicate, printer, isTrue, value, at })
    this.#work()
  }

  tick (): void {
    const now = this.#deps.now()
    if (now >= this.#retryAt) this.#work()
    const due = this.#pending.filter(({ from }) => from <= now)
    if (due.length === 0) return
    this.#pending = this.#pending.filter(({ from }) => from > now)
    for (const { rule, cause, predicate, printer } of due) {
      if (this.#deps.isTrue(predicate, printer)) this.#deps.happened(rule, { ...cause, at: now })
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

  /** @param at since when it is known to hold without a gap */
  #began (predicate: Predicate, printer: string, edge: Edge, at: number, value: Plain): void {
    if (!this.#deps.isTrue(predicate, printer)) return
    for (const { rule, forMs } of predicate.rules) {
      if (edge.since < rule.armedAt) continue
      const cause: Cause = {
        key: `state:${keyOf(predicate, printer)}:${edge.since}`,
        at,
        printer: printer === '' ? undefined : printer,
        fields: { value },
        source: predicate.value
      }
      if (forMs === 0) this.#deps.happened(rule, cause)
      else this.#pending.push({ edge: keyOf(predicate, printer), rule, cause, from: at + forMs, predicate, printer })
    }
  }
}
