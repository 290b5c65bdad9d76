const S_PER_MINUTE = 60
const MINUTES_PER_HOUR = 60

/** Whole degrees. */
export const degrees = (celsius: number): string => `${Math.round(celsius)}°`
export const celsius = (value: number): string => `${Math.round(value)} °C`
/** Whole percent; the value is in percent already. */
export const percent = (value: number): string => `${Math.round(value)} %`
/** One decimal below ten. */
export const finePercent = (value: number): string =>
  `${Math.abs(value) < 10 ? Math.round(value * 10) / 10 : Math.round(value)} %`

/** `1 h 05 min`, `32 min`, `45 s`. */
export function duration (seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  if (whole < S_PER_MINUTE) return `${whole} s`
  const minutes = Math.round(whole / S_PER_MINUTE)
  if (minutes < MINUTES_PER_HOUR) return `${minutes} min`
  return `${Math.floor(minutes / MINUTES_PER_HOUR)} h ${String(minutes % MINUTES_PER_HOUR).padStart(2, '0')} min`
}

/** As {@link duration}, for narrow places: `1 h 05`. */
export const shortDuration = (seconds: number): string => duration(seconds).replace(/(h \d\d) min$/, '$1')

/** `part_fan` becomes `Part fan`. */
export const formatName = (name: string): string => {
  const text = name.replaceAll(/[_-]+/g, ' ').trim()
  return text.charAt(0).toUpperCase() + text.slice(1)
}
