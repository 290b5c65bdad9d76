/** Working hours; an end before the beginning is on the next day. */
export interface Hours {
  /** `HH:MM`. */
  readonly from: string
  readonly to: string
  /** Days on which they begin, 1 Monday to 7 Sunday; left out: every day. */
  readonly days?: readonly number[]
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const minuteOf = (text: string): number => {
  const [hours = 0, minutes = 0] = text.split(':').map(Number)
  return hours * 60 + minutes
}

const dayBefore = (day: number): number => day === 1 ? 7 : day - 1

/** Minutes from `at` until a time of the clock: a night in which the clock is changed is shorter or longer. */
function minutesUntil (minute: number, at: number, days: number): number {
  const end = new Date(at)
  end.setDate(end.getDate() + days)
  end.setHours(0, minute, 0, 0)
  const left = end.getTime() - Math.floor(at / MINUTE_MS) * MINUTE_MS
  return (left > 0 ? left : left + HOUR_MS) / MINUTE_MS // the clock shows an hour twice when it is put back
}

/** Minutes until the working hours end, by the local clock; 0 outside them. @param at ms since the epoch */
export function minutesLeft ({ from, to, days }: Hours, at: number): number {
  const date = new Date(at)
  const [day, minute] = [date.getDay() || 7, date.getHours() * 60 + date.getMinutes()]
  const isOn = (which: number): boolean => days === undefined || days.includes(which)
  const [start, end] = [minuteOf(from), minuteOf(to)]
  if (start < end) return isOn(day) && minute >= start && minute < end ? minutesUntil(end, at, 0) : 0
  if (isOn(day) && minute >= start) return minutesUntil(end, at, 1)
  return isOn(dayBefore(day)) && minute < end ? minutesUntil(end, at, 0) : 0
}

const WEEK_DAYS = 7

/**
 * The first time from `at` on at which the working hours last for so many more minutes.
 * @param at ms since the epoch @returns undefined when they never last that long
 */
export function opensAt (hours: Hours, at: number, minutes = 0): number | undefined {
  const isOpen = (ms: number): boolean => minutesLeft(hours, ms) >= Math.max(1, minutes)
  if (isOpen(at)) return at
  const begin = new Date(at)
  begin.setHours(0, minuteOf(hours.from), 0, 0)
  for (let day = 0; day <= WEEK_DAYS; day++) {
    if (begin.getTime() > at && isOpen(begin.getTime())) return begin.getTime()
    begin.setDate(begin.getDate() + 1)
  }
  return undefined
}
