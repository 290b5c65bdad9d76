import type { Comparing, Condition, HoursOf, Plain } from '../types.js'

/** Whether a comparison holds; undefined while the value is not known, or does not fit. */
export function compare (value: unknown, { is, than }: Comparing): boolean | undefined {
  if (value === undefined || value === null) return undefined
  switch (is) {
    case 'equal': return value === than
    case 'unequal': return value !== than
    case 'one_of': return Array.isArray(than) && than.includes(value)
    case 'below': return typeof value === 'number' && typeof than === 'number' ? value < than : undefined
    case 'above': return typeof value === 'number' && typeof than === 'number' ? value > than : undefined
  }
}

export interface LocalTime { readonly minutes: number, readonly day: number }
/** Local minutes of the day and day of the week, 1 Monday to 7 Sunday. @throws RangeError for an unknown zone */
export type Clock = (at: number, zone: string | undefined) => LocalTime

const DAYS: Readonly<Record<string, number>> = { Mon: 1, Tue: 2, Wed: 3, Thu: 4, Fri: 5, Sat: 6, Sun: 7 }
/** Bounds the memory for zones of rules. */
const MOST_ZONES = 100

/** @param usual zone of rules that name none */
export function createClock (usual?: string): Clock {
  const formats = new Map<string, Intl.DateTimeFormat>()
  return (at, zone = usual) => {
    const key = zone ?? ''
    let format = formats.get(key)
    if (format === undefined) {
      if (formats.size >= MOST_ZONES) formats.clear()
      format = new Intl.DateTimeFormat('en-US', {
        hourCycle: 'h23', hour: '2-digit', minute: '2-digit', weekday: 'short', ...(zone !== undefined && { timeZone: zone })
      })
      formats.set(key, format)
    }
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]))
    return {
      minutes: Number(parts.get('hour')) * 60 + Number(parts.get('minute')),
      day: DAYS[parts.get('weekday') ?? ''] ?? 1
    }
  }
}

/** Minutes of the day of `22:00`; undefined for anything else. */
export function minutesIn (text: string): number | undefined {
  const match = /^(\d\d):(\d\d)$/.exec(text)
  const [hour, minute] = [Number(match?.[1]), Number(match?.[2])]
  return match && hour < 24 && minute < 60 ? hour * 60 + minute : undefined
}

/** After midnight, the day on which the hours began counts. */
export function isWithin ({ from, to, days, zone }: HoursOf, at: number, clock: Clock): boolean {
  const [begin, end] = [minutesIn(from) ?? 0, minutesIn(to) ?? 0]
  const { minutes, day } = clock(at, zone)
  const isOn = (wanted: number) => days === undefined || days.length === 0 || days.includes(wanted)
  if (begin < end) return minutes >= begin && minutes < end && isOn(day)
  if (minutes >= begin) return isOn(day)
  return minutes < end && isOn(day === 1 ? 7 : day - 1)
}

/** What a condition is evaluated with. */
export interface Facts {
  readonly at: number
  readonly clock: Clock
  /** Undefined while the value is not known. @param printer undefined: that of the event */
  readonly value: (name: string, printer: string | undefined) => Plain | undefined
}

/** True, false, or undefined while it is not known: only true lets a rule act. */
export function holds (condition: Condition, facts: Facts): boolean | undefined {
  const { value, printer, is, than, hours, any, not } = condition
  if (hours !== undefined) return isWithin(hours, facts.at, facts.clock)
  if (any !== undefined) {
    const results = any.map(one => holds(one, facts))
    return results.includes(true) ? true : results.includes(undefined) ? undefined : false
  }
  if (not !== undefined) {
    const result = holds(not, facts)
    return result === undefined ? undefined : !result
  }
  if (value === undefined || is === undefined) return undefined
  return compare(facts.value(value, printer === 'event' ? undefined : printer), { is, than })
}

/** The first condition that does not hold, and whether that is because something is not known. */
export function firstUnmet (conditions: readonly Condition[], facts: Facts):
{ readonly index: number, readonly isUnknown: boolean } | undefined {
  for (const [index, condition] of conditions.entries()) {
    const result = holds(condition, facts)
    if (result !== true) return { index, isUnknown: result === undefined }
  }
  return undefined
}
