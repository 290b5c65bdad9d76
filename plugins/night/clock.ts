// When something is due at a time of day in a time zone.

import { createWallClock } from '../notify/index.js'

const MINUTE_MS = 60_000
const MINUTES_A_DAY = 1_440

type Clock = ReturnType<typeof createWallClock>

/** Making one takes longer than reading it, and the queue asks for every printer. */
let known: { readonly timeZone: string | null, readonly clock: Clock } | undefined

/** @throws RangeError for a time zone that does not exist */
export function clockOf (timeZone: string | null): Clock {
  if (known?.timeZone === timeZone) return known.clock
  known = { timeZone, clock: createWallClock(timeZone ?? undefined) }
  return known.clock
}

/** The local date of a time: `2026-11-30`. @param at ms since the epoch */
export const dayOf = (at: number, timeZone: string | null): string =>
  new Intl.DateTimeFormat('sv-SE', { ...timeZone !== null && { timeZone }, dateStyle: 'short' }).format(at)

/**
 * When it was last this time of day, ms since the epoch. May be an hour off while daylight saving time changes.
 * @param time `HH:MM` @param now ms since the epoch
 */
export function lastAt (time: string, timeZone: string | null, now: number): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const passed = (clockOf(timeZone)(now).minute - hour * 60 - minute + MINUTES_A_DAY) % MINUTES_A_DAY
  return Math.floor(now / MINUTE_MS) * MINUTE_MS - passed * MINUTE_MS
}
