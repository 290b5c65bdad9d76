// Hours of the day, such as `22:00-07:00`, in a time zone.

import { Type } from 'typebox'

export const Hours = (description: string) =>
  Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d-([01]\\d|2[0-3]):[0-5]\\d$', description })

export const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Day = (typeof DAYS)[number]

const MINUTES_A_DAY = 1_440
const MINUTE_MS = 60_000

interface TimeOfDay { readonly day: Day, readonly minute: number }

/** Local day and time of a timestamp, ms since the epoch. */
export type WallClock = (at: number) => TimeOfDay

/** @throws RangeError for a time zone that does not exist */
export function createWallClock (timeZone: string | undefined): WallClock {
  const format = new Intl.DateTimeFormat('en-GB', {
    ...(timeZone !== undefined && { timeZone }), weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23'
  })
  return at => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
    const minute = Number(parts.hour) * 60 + Number(parts.minute)
    return { day: String(parts.weekday).slice(0, 3).toLowerCase() as Day, minute }
  }
}

const minuteOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5))

/** The end is exclusive; if it equals the start, the span is the whole day. */
function span (hours: string): { from: number, length: number } {
  const [from = 0, to = 0] = hours.split('-').map(minuteOf)
  return { from, length: (to - from + MINUTES_A_DAY - 1) % MINUTES_A_DAY + 1 }
}

const since = (minute: number, from: number): number => (minute - from + MINUTES_A_DAY) % MINUTES_A_DAY

export function isWithin (hours: string, { minute }: TimeOfDay): boolean {
  const { from, length } = span(hours)
  return since(minute, from) < length
}

/** End of the current hours, or `now` outside of them. May be an hour off when daylight saving time changes. */
export function endOf (hours: string, clock: WallClock, now: number): number {
  const { from, length } = span(hours)
  const { minute } = clock(now)
  if (since(minute, from) >= length) return now
  const left = length - since(minute, from)
  return Math.floor(now / MINUTE_MS) * MINUTE_MS + left * MINUTE_MS
}
