/** How numbers are written in a list. */
export type NumberStyle = 'dot' | 'comma' | 'unknown'

/** A longer text is no number. The pattern below takes time that grows with the third power of the length. */
const LONGEST_NUMBER = 40
const THREE_AFTER = /^\d{1,3}\.\d{3}$/

/**
 * Decides from all cells of a list how numbers are written. With commas between cells, they are written with a dot;
 * otherwise one clear number shows it.
 */
export function numberStyleOf (values: Iterable<string>, delimiter: string): NumberStyle {
  if (delimiter === ',' || delimiter === '') return 'dot'
  let hasDot = false
  for (const value of values) {
    const plain = value.trim()
    if (/^-?\d+,\d+$/.test(plain) || /^-?\d{1,3}(\.\d{3})+,\d+$/.test(plain)) return 'comma'
    if (/^-?\d+\.\d+$/.test(plain) && !THREE_AFTER.test(plain)) hasDot = true
  }
  return hasDot ? 'dot' : 'unknown'
}

/** The value of a cell, or why it has none. */
export type Read<T> = { readonly value: T } | { readonly reason: string }

const UNITS: Readonly<Record<string, number>> = { '': 1, g: 1, gr: 1, kg: 1000, mm: 1, '°c': 1, c: 1, h: 1, '€': 1, $: 1, '£': 1 }

/** @param style how numbers of this list are written @param limits of the value */
export function readNumber (text: string, style: NumberStyle, { minimum, maximum, scales }:
{ readonly minimum: number, readonly maximum: number, readonly scales: boolean }): Read<number> {
  if (text.length > LONGEST_NUMBER) return { reason: 'this is no number' }
  const [, sign = '', digits = '', unit = ''] = /^([-+]?)[\s€$£]*([\d.,'’\s\u00A0\u202F]+?)\s*([a-z°€$£]*)$/i.exec(text.trim()) ?? []
  const factor = UNITS[unit.toLowerCase()]
  if (digits === '' || factor === undefined || (factor !== 1 && !scales)) return { reason: 'this is no number' }
  const plain = digits.replaceAll(/['’\s\u00A0\u202F]/g, '')
  if (style === 'unknown' && THREE_AFTER.test(plain)) {
    return { reason: `this may mean ${plain.replace('.', '')} or ${Number(plain)}: write it without a point` }
  }
  const point = plain.includes(',') && plain.includes('.')
    ? (plain.lastIndexOf(',') > plain.lastIndexOf('.') ? ',' : '.')
    : plain.includes(',') ? (style === 'dot' && /^\d{1,3}(,\d{3})+$/.test(plain) ? '.' : ',') : (style === 'comma' && /^\d{1,3}(\.\d{3})+$/.test(plain) ? ',' : '.')
  const normal = plain.replaceAll(point === ',' ? '.' : ',', '').replace(point, '.')
  const value = Number(`${sign}${normal}`) * factor
  if (!/^\d+(\.\d*)?$|^\.\d+$/.test(normal) || !Number.isFinite(value)) return { reason: 'this is no number' }
  if (value < minimum || value > maximum) return { reason: `it must be from ${minimum} to ${maximum}` }
  return { value }
}

const isDay = (year: number, month: number, day: number): boolean => {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1970 && year < 2200
}

/** Noon is the same day in almost every time zone; midnight of UTC would be the day before in America. */
const noonOf = (year: number, month: number, day: number): number => Date.UTC(year, month - 1, day, 12)

/** A day or a time, ms since the epoch. Times without a zone are those of UTC. */
export function readTime (text: string): Read<number> {
  const plain = text.trim()
  if (/^\d{12,14}$/.test(plain)) return { value: Number(plain) }
  const iso = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)\s*(Z|[+-]\d\d:?\d\d)?)?$/i.exec(plain)
  const local = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(plain)
  const slashes = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(plain)
  if (slashes) {
    const [first, second, year] = [Number(slashes[1]), Number(slashes[2]), Number(slashes[3])]
    if (first <= 12 && second <= 12 && first !== second) return { reason: 'this may be one of two days: write it as 2026-11-30' }
    const [month, day] = first > 12 ? [second, first] : [first, second]
    if (isDay(year, month, day)) return { value: noonOf(year, month, day) }
  }
  const parts = iso ? [iso[1], iso[2], iso[3]] : [local?.[3], local?.[2], local?.[1]]
  const [year = 0, month = 0, day = 0] = parts.map(part => Number(part ?? 0))
  if (!isDay(year, month, day)) return { reason: 'this is no day: write it as 2026-11-30' }
  const time = iso?.[4]
  if (time === undefined) return { value: noonOf(year, month, day) }
  const value = Date.parse(`${plain.slice(0, 10)}T${time}${iso?.[5] ?? 'Z'}`)
  return Number.isNaN(value) ? { reason: 'this is no time: write it as 2026-11-30T14:05' } : { value }
}

/** `#RRGGBB`, several separated by commas; an alpha value is left out. Empty for a colour that is only named. */
export function readColors (text: string): string[] {
  const found = text.split(/[,;\s/]+/).map(part => /^#?([0-9a-f]{6})(?:[0-9a-f]{2})?$/i.exec(part)?.[1])
  return found.flatMap(hex => hex === undefined ? [] : [`#${hex.toUpperCase()}`])
}

const YES = new Set(['true', '1', 'yes', 'ja', 'y', 'x'])
const NO = new Set(['false', '0', 'no', 'nein', 'n', 'none', ''])

export function readBoolean (text: string): Read<boolean> {
  const plain = text.trim().toLowerCase()
  if (YES.has(plain)) return { value: true }
  return NO.has(plain) ? { value: false } : { reason: 'it must be true or false' }
}
