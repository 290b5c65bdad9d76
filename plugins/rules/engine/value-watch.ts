import { compare } from './compare.js'
import type { Predicate, RuleIndex } from './rule-index.js'
import type { Plain } from '../types.js'

const UNKNOWN = 0
const FALSE = 1
const TRUE = 2

export interface ValueWatchDeps {
  readonly read: (name: string, printer: string) => Plain | undefined
  /** Whether it is one of the service as a whole. */
  readonly isShared: (name: string) => boolean
  /** A comparison holds now, or no longer; `isFirst`: it was not known before. */
  readonly turned: (predicate: Predicate, printer: string, isTrue: boolean, isFirst: boolean, value: Plain) => void
  /** One that holds is not known at the moment. */
  readonly unknown: (predicate: Predicate, printer: string) => void
  /** One that held before it was not known holds again. */
  readonly again: (predicate: Predicate, printer: string) => void
}

interface Seen {
  readonly values: Map<string, Plain | undefined>
  /** One for each comparison of the index. */
  states: Int8Array
}

/**
 * Compares values when they may have changed. A value that stays the same costs one read and one comparison, however
 * many rules use it.
 */
export class ValueWatch {
  readonly #deps: ValueWatchDeps
  readonly #seen = new Map<string, Seen>()
  #index: RuleIndex | undefined
  /** Values that are looked at with every report. */
  #reported: readonly string[] = []

  constructor (deps: ValueWatchDeps) { this.#deps = deps }

  /** @param isWatched whether a value tells by itself when it changes */
  use (index: RuleIndex, isWatched: (value: string) => boolean): void {
    const before = this.#index
    this.#index = index
    this.#reported = [...index.byValue.keys()].filter(name => !isWatched(name))
    for (const seen of this.#seen.values()) {
      const states = new Int8Array(index.predicates.length)
      const old = new Map(before?.predicates.map(({ id, number }) => [id, seen.states[number] ?? UNKNOWN]))
      for (const { id, number } of index.predicates) states[number] = old.get(id) ?? UNKNOWN
      seen.states = states
      // A new comparison needs a look at values that did not change.
      seen.values.clear()
    }
  }

  /** A report of a printer arrived. */
  reported (printer: string): void {
    for (const name of this.#reported) this.changed(name, printer)
  }

  /** A value may have changed. */
  changed (name: string, of: string): void {
    const predicates = this.#index?.byValue.get(name)
    if (predicates === undefined) return
    const printer = this.#deps.isShared(name) ? '' : of
    const value = this.#deps.read(name, printer)
    const seen = this.#of(printer)
    if (seen.values.get(name) === value && seen.values.has(name)) return
    seen.values.set(name, value)
    // What is not known at the moment is not false: a lost connection is no change.
    if (value === undefined) {
      const held = predicates.filter(({ number }) => seen.states[number] === TRUE)
      for (const predicate of held) this.#deps.unknown(predicate, printer)
      return
    }
    for (const predicate of predicates) {
      const result = compare(value, predicate.comparing)
      if (result === undefined) continue
      const before = seen.states[predicate.number]
      const now = result ? TRUE : FALSE
      if (before === now && result) this.#deps.again(predicate, printer)
      if (before === now) continue
      seen.states[predicate.number] = now
      this.#deps.turned(predicate, printer, result, before === UNKNOWN, value)
    }
  }

  /** Whether a comparison holds now: not while its value is unknown. */
  isTrue ({ value, comparing }: Predicate, printer: string): boolean {
    return compare(this.#deps.read(value, printer), comparing) === true
  }

  forget (printer: string): void { this.#seen.delete(printer) }

  #of (printer: string): Seen {
    const known = this.#seen.get(printer)
    if (known) return known
    const states = new Int8Array(this.#index?.predicates.length ?? 0)
    const made: Seen = { values: new Map(), states }
    this.#seen.set(printer, made)
    return made
  }
}
