import type { Domain } from './scale.js'

const S_PER_MINUTE = 60
/** Minimum range of a chart, so that the first few points do not fill it. */
const SHORTEST_S = 300
const LONGEST_S = 3_600

const two = (value: number) => String(value).padStart(2, '0')

/** Local time of day, `14:05`. @param seconds since the epoch */
export const clock = (seconds: number): string => {
  const date = new Date(seconds * 1000)
  return `${two(date.getHours())}:${two(date.getMinutes())}`
}

/** Local date and time, `2026-01-01 14:05:00`. @param ms since the epoch */
export const localStamp = (ms: number): string => {
  const date = new Date(ms)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ` +
    `${clock(ms / 1000)}:${two(date.getSeconds())}`
}

/**
 * The time range of a chart: from its oldest point, within limits, until now.
 * @unit s since the epoch
 */
export function timeWindow (oldest: number | undefined, now: number): Domain {
  const span = Math.min(LONGEST_S, Math.max(SHORTEST_S, now - (oldest ?? now)))
  return [now - span, now]
}

const STEPS_MIN = [1, 2, 5, 10, 15, 30]
const MOST_TICKS = 6

/** Round local times within a range, s since the epoch. */
export function timeTicks ([from, to]: Domain): number[] {
  const minutes = STEPS_MIN.find(step => (to - from) / (step * S_PER_MINUTE) <= MOST_TICKS) ?? 30
  const step = minutes * S_PER_MINUTE
  const offset = new Date(to * 1000).getTimezoneOffset() * S_PER_MINUTE
  const first = Math.ceil((from - offset) / step) * step + offset
  const count = Math.max(0, Math.floor((to - first) / step) + 1)
  return Array.from({ length: count }, (_, at) => first + at * step)
}
