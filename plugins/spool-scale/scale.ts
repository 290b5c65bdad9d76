import type { Reading } from './read-message.js'

interface Seen extends Reading { readonly at: number }

/** A value is steady when readings of so long differ by no more than this. */
const STEADY_MS = 3_000
const LEAST_READINGS = 3
const MOST_APART_GRAMS = 2
/** Below this nothing is on the scale. */
const EMPTY_GRAMS = 20
/** Another spool is on it when it shows this much more or less than what was taken. */
const OTHER_GRAMS = 50
/** Faster readings do not make a value steady, so that a flood costs nothing. */
const LEAST_APART_MS = 100
const MOST_KEPT = 64

/** The readings of one scale, of which one for each spool put on it is taken. */
export class Scale {
  #recent: Seen[] = []
  /** What was taken while this spool lies on it; undefined: nothing yet. */
  #taken: Reading | undefined
  #last: Seen | undefined
  #keptAt = -Infinity

  get last (): { readonly grams: number, readonly at: number } | undefined { return this.#last }

  /** @param at ms since the epoch @returns the reading that counts; undefined: not yet, or it was taken already */
  add (reading: Reading, at: number): Reading | undefined {
    const seen = { ...reading, at }
    this.#last = seen
    if (reading.grams < EMPTY_GRAMS) {
      this.#forget()
      return undefined
    }
    if (this.#taken !== undefined && !this.#isOther(reading)) return undefined
    const passed = at - this.#keptAt
    if (passed >= 0 && passed < LEAST_APART_MS && !reading.isSteady) return undefined
    this.#keptAt = at
    this.#recent = [...this.#recent.filter(one => at - one.at <= 2 * STEADY_MS && one.at <= at), seen].slice(-MOST_KEPT)
    return this.#isSteady(seen) ? reading : undefined
  }

  /** Call once a reading was used: this spool is not weighed again before it leaves the scale. */
  take (reading: Reading): void {
    this.#taken = reading
    this.#recent = []
  }

  #forget (): void {
    this.#taken = undefined
    this.#recent = []
  }

  #isOther ({ grams, spool, tag }: Reading): boolean {
    const taken = this.#taken
    if (taken === undefined) return true
    return Math.abs(grams - taken.grams) > OTHER_GRAMS || spool !== taken.spool || tag !== taken.tag
  }

  #isSteady ({ isSteady, at, grams, spool, tag }: Seen): boolean {
    if (isSteady) return true
    const alike: Seen[] = []
    for (const one of this.#recent.toReversed()) {
      if (Math.abs(one.grams - grams) > MOST_APART_GRAMS || one.spool !== spool || one.tag !== tag) break
      alike.push(one)
    }
    const first = alike.at(-1)
    return alike.length >= LEAST_READINGS && first !== undefined && at - first.at >= STEADY_MS
  }
}
