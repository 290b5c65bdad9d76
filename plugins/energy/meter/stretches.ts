import type { Stretch } from './count.js'

/** The longest time for which a reported power is believed, ms: plugs report at least every five minutes. */
const BELIEVED_MS = 300_000
/** While nothing can be stored, only the newest owners are kept apart. */
const MOST_STRETCHES = 100

/** Follows who uses the energy of one plug, and how much by its power, until it is booked. */
export class Stretches {
  #list: Stretch[] = []
  #at: number
  #watts: number | undefined
  #wattsAt = 0

  /** @param at the time from which it follows, ms */
  constructor (at: number) { this.#at = at }

  get list (): readonly Stretch[] { return this.#list }

  /** Time passes until now, with what the plug drew and for whom. @param print id; empty while nothing is printed */
  advance (now: number, print: string): void {
    const from = this.#at
    if (now <= from) return
    const seconds = (now - from) / 1_000
    const until = this.#wattsAt + BELIEVED_MS
    const knownSeconds = this.#watts === undefined ? 0 : Math.max(0, Math.min(now, until) - from) / 1_000
    this.#add({ print, seconds, wattSeconds: (this.#watts ?? 0) * knownSeconds, knownSeconds })
    this.#at = now
  }

  /** The plug reports its power; time must have been advanced. */
  power (watts: number, now: number): void {
    this.#watts = watts
    this.#wattsAt = now
  }

  /** Takes what is to be booked; `putBack` returns it if that fails. */
  take (): readonly Stretch[] {
    const taken = this.#list
    this.#list = []
    return taken
  }

  putBack (taken: readonly Stretch[]): void {
    const later = this.#list
    this.#list = [...taken]
    for (const stretch of later) this.#add(stretch)
  }

  #add (stretch: Stretch): void { addTo(this.#list, stretch) }
}

/** Neighbours with one owner become one stretch. */
function addTo (list: Stretch[], stretch: Stretch): void {
  const last = list.at(-1)
  if (last?.print !== stretch.print) {
    if (list.length < MOST_STRETCHES) list.push(stretch)
    return
  }
  list[list.length - 1] = {
    print: last.print,
    seconds: last.seconds + stretch.seconds,
    wattSeconds: last.wattSeconds + stretch.wattSeconds,
    knownSeconds: last.knownSeconds + stretch.knownSeconds
  }
}

/** Both in order of time, as few as possible. */
export function joined (earlier: readonly Stretch[], later: readonly Stretch[]): readonly Stretch[] {
  const list = [...earlier]
  for (const stretch of later) addTo(list, stretch)
  return list
}
