/** Working hours; an end before the beginning is on the next day. */
export interface Hours {
  /** `HH:MM`. */
  readonly from: string
  readonly to: string
  /** Days on which they begin, 1 Monday to 7 Sunday; left out: every day. */
  readonly days?: readonly number[]
}

/** A local time of the week. */
export interface LocalTime {
  /** 1 Monday to 7 Sunday. */
  readonly day: number
  /** Since midnight. */
  readonly minute: number
}

const DAY_MINUTES = 24 * 60

export function localTime (ms: number): LocalTime {
  const date = new Date(ms)
  return { day: date.getDay() || 7, minute: date.getHours() * 60 + date.getMinutes() }
}

const minuteOf = (text: string): number => {
  const [hours = 0, minutes = 0] = text.split(':').map(Number)
  return hours * 60 + minutes
}

const dayBefore = (day: number): number => day === 1 ? 7 : day - 1

/** Minutes until the working hours end; 0 outside them. */
export function minutesLeft ({ from, to, days }: Hours, { day, minute }: LocalTime): number {
  const isOn = (which: number): boolean => days === undefined || days.includes(which)
  const [start, end] = [minuteOf(from), minuteOf(to)]
  if (start < end) return isOn(day) && minute >= start && minute < end ? end - minute : 0
  if (isOn(day) && minute >= start) return DAY_MINUTES - minute + end
  return isOn(dayBefore(day)) && minute < end ? end - minute : 0
}

const WEEK_DAYS = 7

/**
 * The first time from `at` on at which the working hours last for so many more minutes.
 * @param at ms since the epoch @returns undefined when they never last that long
 */
export function opensAt (hours: Hours, at: number, minutes = 0): number | undefined {
  const isOpen = (ms: number): boolean => minutesLeft(hours, localTime(ms)) >= Math.max(1, minutes)
  if (isOpen(at)) return at
  const begin = new Date(at)
  begin.setHours(0, minuteOf(hours.from), 0, 0)
  for (let day = 0; day <= WEEK_DAYS; day++) {
    if (begin.getTime() > at && isOpen(begin.getTime())) return begin.getTime()
    begin.setDate(begin.getDate() + 1)
  }
  return undefined
}
