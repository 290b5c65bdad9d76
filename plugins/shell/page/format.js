// Formats numbers and words for display. Pure.

const MINUTES_PER_HOUR = 60
const KIB = 1024
const UNITS = ['B', 'kB', 'MB', 'GB']

/** `1 h 05 min`; `–` when unknown. @param {number | undefined} minutes */
export function minutesText (minutes) {
  if (minutes === undefined || minutes < 0 || !Number.isFinite(minutes)) return '–'
  const whole = Math.round(minutes)
  if (whole < MINUTES_PER_HOUR) return `${whole} min`
  return `${Math.floor(whole / MINUTES_PER_HOUR)} h ${String(whole % MINUTES_PER_HOUR).padStart(2, '0')} min`
}

/** @param {number} bytes */
export function sizeText (bytes) {
  if (!Number.isFinite(bytes)) return ''
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(bytes, 1)) / Math.log(KIB)))
  const value = bytes / KIB ** step
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[step]}`
}

/** `SOME_WORDS` becomes `Some words`. @param {string} text */
export function words (text) {
  const plain = String(text ?? '').replaceAll(/[_\s]+/g, ' ').trim().toLowerCase()
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}

/** @param {number | undefined} value */
export const degrees = value => value === undefined ? '–' : `${Math.round(value)} °C`

const HEX = /^#?([0-9a-f]{6})(?:[0-9a-f]{2})?$/i
const NAME = /^[a-z]{3,24}$/i

/**
 * A colour that is safe in a style: `#rrggbb` or a name; undefined for anything else.
 * @param {string | undefined} text
 */
export function colorOf (text) {
  const hex = HEX.exec(text ?? '')
  if (hex) return `#${hex[1].toLowerCase()}`
  return NAME.test(text ?? '') ? String(text).toLowerCase() : undefined
}

/** Local time of the end. @param {number} minutes @param {Date} now */
export const finishText = (minutes, now) =>
  new Date(now.getTime() + minutes * 60_000).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })

/** @param {number} seconds since 1970 */
export const dateText = seconds => seconds > 0 ? new Date(seconds * 1000).toISOString().slice(0, 10) : ''

const LITE = 16
const FIRST_SINGLE = 128

const lettered = (kind, index) => `${kind} ${String.fromCharCode(0x41 + index)}`

/** What a unit is called, such as `AMS B`. @param {number} unit units of four slots from 0, of one slot from 128 */
export const unitName = unit => unit === LITE
  ? 'AMS lite'
  : unit >= FIRST_SINGLE ? lettered('AMS HT', unit - FIRST_SINGLE) : lettered('AMS', unit)
