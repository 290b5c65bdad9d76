import { AFFECTS, BRINGS_ABOUT } from './affects.data.js'

/** What follows an act within this time on the same printer may be its effect. */
export const WINDOW_MS = 30_000
/** So often a rule may come back by way of its own acts, within the hours that these take to show. */
export const MOST_RETURNS = 3
/** Rules of a trail that are remembered. */
export const LONGEST_TRAIL = 40
/** Rules that may lead to each other. */
export const MOST_DEPTH = 3
/** Bounds the memory against many acts within the window. */
const MOST_ACTS = 2_000

interface Act {
  readonly chain: readonly string[]
  readonly printer: string | undefined
  readonly operation: string
  readonly until: number
}

const isUnder = (source: string, prefixes: readonly string[]): boolean =>
  prefixes.some(prefix => source === prefix || source.startsWith(`${prefix}.`))

/** Whether an operation can bring about an event, or the change of a value. */
export const mayCause = (operation: string, source: string): boolean => {
  const known = Object.hasOwn(AFFECTS, operation) ? AFFECTS[operation] : undefined
  return known === undefined ? !isUnder(source, NEVER_CAUSED) : isUnder(source, known)
}

/** Whether an operation brings an event, or the change of a value, about by itself. */
export const bringsAbout = (operation: string, source: string): boolean =>
  Object.hasOwn(BRINGS_ABOUT, operation) && isUnder(source, BRINGS_ABOUT[operation] ?? [])

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** How long the effect of an operation may take to show, by plugin: heaters cool slowly, and a print may wait. */
const SHOWS_MS: Readonly<Record<string, number>> = {
  climate: 4 * HOUR_MS, energy: 2 * HOUR_MS, queue: 48 * HOUR_MS, recording: 12 * HOUR_MS
}
/** The longest of them. */
export const LONGEST_MS = 48 * HOUR_MS

/** So long after an act, what it brings about may be its effect. */
export const showsMs = (operation: string): number => SHOWS_MS[operation.split('.')[0] ?? ''] ?? 30 * MINUTE_MS

/** What no operation brings about: people, time, and what comes from outside. */
const NEVER_CAUSED = ['door', 'time', 'sun', 'webhook', 'humidity']

/** Which rules led to what happens now: in memory, since the window is short. */
export class Chains {
  #acts: Act[] = []

  /** A rule acts. @param chain of its run, with the rule itself */
  acted (chain: readonly string[], operation: string, printer: string | undefined, now: number): void {
    const act = { chain, operation, printer, until: now + WINDOW_MS }
    this.#acts = [...this.#acts.filter(({ until }) => until > now), act].slice(-MOST_ACTS)
  }

  /** The longest chain of rules whose acts may have led to an occurrence. */
  leadingTo (source: string, printer: string | undefined, now: number): readonly string[] {
    let longest: readonly string[] = []
    for (const act of this.#acts) {
      const isNear = printer === undefined || act.printer === undefined || act.printer === printer
      if (!isNear || act.until <= now || act.chain.length <= longest.length) continue
      if (mayCause(act.operation, source)) longest = act.chain
    }
    return longest
  }
}
