import type { Reading } from '../decode/reading.js'
import type { Booking } from './book.js'
import { wholeStretch, type Count, type Stretch } from './count.js'
import { joined, Stretches } from './stretches.js'

export interface PlugMeterDeps {
  readonly plug: string
  /** Id of the print that is printed now with the energy of this plug; empty without one. */
  readonly owner: () => string
  /** When that print began, ms. */
  readonly ownerSince: () => number | undefined
  readonly now: () => number
}

/** The part of a booking that the meter knows. */
export type Metered = Pick<Booking, 'plug' | 'count' | 'stretches' | 'unseen' | 'now'>

/** Counters come with their own messages, so power alone is not booked before this time. */
const COUNTER_WAIT_MS = 120_000

/** Measures one plug: what its counter says, whose time it was, and what was not booked yet. */
export class PlugMeter {
  readonly #deps: PlugMeterDeps
  readonly #stretches: Stretches
  #begunAt: number
  #owner: string
  #count: Count | undefined
  /** The stretches that end with the newest count. */
  #counted: readonly Stretch[] = []
  /** The first booking also concerns the time before this meter began. */
  #hasBooked = false

  constructor (deps: PlugMeterDeps) {
    this.#deps = deps
    this.#begunAt = deps.now()
    this.#stretches = new Stretches(this.#begunAt)
    this.#owner = deps.owner()
  }

  /** The print that uses the energy now. */
  get owner (): string { return this.#owner }

  /** Its counter, or the power that it reports; null while neither was heard. */
  get countedBy (): 'counter' | 'power' | null {
    if (this.#count) return 'counter'
    return wholeStretch(this.#stretches.list).knownSeconds > 0 || this.#hasBooked ? 'power' : null
  }

  /** Lets time pass. @returns whether another print, or none, uses the energy from now on */
  advance (): boolean {
    this.#stretches.advance(this.#deps.now(), this.#owner)
    const owner = this.#deps.owner()
    const isOther = owner !== this.#owner
    this.#owner = owner
    return isOther
  }

  note ({ watts, wh, isOn }: Reading): void {
    this.advance()
    const now = this.#deps.now()
    const drawn = watts ?? (isOn === false ? 0 : undefined)
    if (drawn !== undefined) this.#stretches.power(drawn, now)
    if (wh === undefined) return
    this.#count = { wh, at: now }
    this.#counted = joined(this.#counted, this.#stretches.take())
  }

  /** What can be booked now; undefined for nothing. Give it back with `failed` if it could not be booked. */
  take (): Metered | undefined {
    this.advance()
    const { plug, now } = this.#deps
    const common = { plug, now: now(), unseen: (from: number) => this.#unseen(from) }
    if (this.#count) {
      if (this.#counted.length === 0) return undefined
      const taken = this.#counted
      this.#counted = []
      return { ...common, count: this.#count, stretches: taken }
    }
    const isEarly = now() - this.#begunAt < COUNTER_WAIT_MS
    if (isEarly || wholeStretch(this.#stretches.list).knownSeconds === 0) return undefined
    return { ...common, count: undefined, stretches: this.#stretches.take() }
  }

  /** Another service books it: what was measured until now is not booked here, and whose it was is seen anew. */
  skip (): void {
    this.advance()
    this.#stretches.take()
    this.#counted = []
    this.#begunAt = this.#deps.now()
    this.#hasBooked = false
  }

  booked (): void { this.#hasBooked = true }

  failed ({ count, stretches }: Metered): void {
    if (count) this.#counted = joined(stretches, this.#counted)
    else this.#stretches.putBack(stretches)
  }

  /** Whose the time was between the last booking and the begin of this meter. */
  #unseen (from: number): readonly Stretch[] {
    if (this.#hasBooked || from >= this.#begunAt) return []
    const since = this.#owner === '' ? undefined : this.#deps.ownerSince()
    const begun = since === undefined ? this.#begunAt : Math.min(Math.max(since, from), this.#begunAt)
    const stretch = (print: string, ms: number): Stretch[] =>
      ms > 0 ? [{ print, seconds: ms / 1_000, wattSeconds: 0, knownSeconds: 0 }] : []
    return [...stretch('', begun - from), ...stretch(this.#owner, this.#begunAt - begun)]
  }
}
