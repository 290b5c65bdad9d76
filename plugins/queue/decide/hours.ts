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
