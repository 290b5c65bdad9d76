/** What a counter says, and when. */
export interface Count { readonly wh: number, readonly at: number }

/** What a plug delivers at most, W: beyond that a counter lies. */
const MOST_WATTS = 8_000
/** Counters are rounded and arrive late, so a little more is believed. */
const ROUNDING_WH = 100
/** Messages overtake each other: so much less is an old one, not a new beginning. */
const OVERTAKEN_WH = 50

const MS_PER_HOUR = 3_600_000

export type Counted =
  /** Energy since the count before; a counter that began anew counts from its beginning. */
  | { readonly kind: 'counted', readonly wh: number }
  /** An old message; the count before stays. */
  | { readonly kind: 'overtaken' }
  /** A value that cannot follow the one before: the count begins at it, and nothing is known of the time between. */
  | { readonly kind: 'begun' }

/** How much was used from one count to the next. Pure. */
export function energyBetween (before: Count, now: Count): Counted {
  const hours = Math.max(0, now.at - before.at) / MS_PER_HOUR
  const most = MOST_WATTS * hours + ROUNDING_WH
  if (now.wh >= before.wh) {
    const wh = now.wh - before.wh
    return wh <= most ? { kind: 'counted', wh } : { kind: 'begun' }
  }
  // Less than before: the plug was restarted or its counter was full, unless the message is an old one.
  const isClose = before.wh - now.wh <= OVERTAKEN_WH && now.wh > before.wh / 2
  if (isClose) return { kind: 'overtaken' }
  return now.wh <= most ? { kind: 'counted', wh: now.wh } : { kind: 'begun' }
}

/** A stretch of time with one owner: a print, or none. */
export interface Stretch {
  /** Id of the print; empty while nothing was printed. */
  readonly print: string
  readonly seconds: number
  /** Energy by the power that was reported meanwhile, Ws. */
  readonly wattSeconds: number
  /** For how many of the seconds a power was known. */
  readonly knownSeconds: number
}

export const wholeStretch = (stretches: readonly Stretch[]): Omit<Stretch, 'print'> => stretches.reduce((sum, one) => ({
  seconds: sum.seconds + one.seconds,
  wattSeconds: sum.wattSeconds + one.wattSeconds,
  knownSeconds: sum.knownSeconds + one.knownSeconds
}), { seconds: 0, wattSeconds: 0, knownSeconds: 0 })

export interface Share { readonly print: string, readonly wh: number }

/**
 * Divides counted energy among the stretches: by their power where it is known throughout, else by time. The shares add
 * up exactly. Pure.
 */
export function shareOut (wh: number, stretches: readonly Stretch[]): Share[] {
  const all = wholeStretch(stretches)
  const isByPower = all.wattSeconds > 0 && all.knownSeconds >= all.seconds * 0.95
  const weightOf = ({ wattSeconds, seconds }: Omit<Stretch, 'print'>) => isByPower ? wattSeconds : seconds
  const total = weightOf(all)
  let left = wh
  return stretches.map((stretch, at) => {
    const isLast = at === stretches.length - 1
    const own = isLast || total === 0 ? left : Math.min(left, wh * weightOf(stretch) / total)
    left -= own
    return { print: stretch.print, wh: own }
  })
}
