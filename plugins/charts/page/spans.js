// Spans of time and the periods in them. Pure, by the clock of whoever calls it.

export const SPANS = ['7', '30', '90', 'all']

const midnight = (year, month, day) => new Date(year, month, day).getTime()

/** Local midnight some days ago; undefined for all time. @param {string} span @param {number} now ms since the epoch */
export function sinceOf (span, now) {
  if (span === 'all') return undefined
  const date = new Date(now)
  return midnight(date.getFullYear(), date.getMonth(), date.getDate() - Number(span) + 1)
}

/** The day a week begins with, 0 Sunday; Monday where the browser does not know. @param {string} language */
export function firstDayOf (language) {
  const locale = /** @type {any} */ (new Intl.Locale(language))
  const { firstDay = 1 } = locale.getWeekInfo?.() ?? locale.weekInfo ?? {}
  return firstDay % 7
}

const MOST_WEEKS = 27
const WEEK_MS = 7 * 86_400_000
const MOST_PERIODS = 100

/** @param {string} span @param {number} from ms since the epoch @param {number} now */
export const unitOf = (span, from, now) => span === '7' ? 'day' : now - from > MOST_WEEKS * WEEK_MS ? 'month' : 'week'

/** Local midnight of the beginning of a period, some periods later. */
function startOf ({ unit, at, firstDay, later }) {
  const date = new Date(at)
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()]
  if (unit === 'month') return midnight(year, month + later, 1)
  if (unit === 'day') return midnight(year, month, day + later)
  return midnight(year, month, day - (date.getDay() - firstDay + 7) % 7 + 7 * later)
}

/**
 * Starts of the periods from a time until now; the first one begins at that time or before it.
 * @param {{ unit: string, from: number, now: number, firstDay: number }} options
 * @returns {number[]} ms since the epoch, the newest hundred
 */
export function periodsOf ({ unit, from, now, firstDay }) {
  const starts = []
  const next = () => startOf({ unit, at: from, firstDay, later: starts.length })
  for (let at = next(); at <= now; at = next()) starts.push(at)
  return starts.slice(-MOST_PERIODS)
}
