const NUMBER = /^[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?$/i

/** A number as slicers write it: as text or plain, with a comma for a point where the system had one. */
export function numberOf (value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string' || !NUMBER.test(value.trim())) return undefined
  const number = Number(value.trim().replace(',', '.'))
  return Number.isFinite(number) ? number : undefined
}

export function wholeOf (value: unknown): number | undefined {
  const number = numberOf(value)
  return Number.isSafeInteger(number) ? number : undefined
}

/** Whole numbers in a row, `1 1 2` or a list of texts; what is no number leaves none of them. */
export function wholesOf (value: unknown): number[] {
  const items = Array.isArray(value) ? value : typeof value === 'string' ? value.split(/[\s,]+/).filter(Boolean) : []
  const numbers = items.map(wholeOf)
  return numbers.every(number => number !== undefined) ? numbers : []
}

/** Nozzles are smaller than this; `0,4` is a diameter with a comma and no list. */
const SMALLEST_MM = 0.05

/** Diameters in mm: `0.4,0.6`, and `0,4,0,6` from a system that writes commas. */
export function diametersOf (value: unknown): number[] {
  const text = Array.isArray(value) ? value.join(';') : typeof value === 'string' ? value : ''
  const numbers = text.replaceAll(/(?<![\d.])([01]),(\d+)(?![\d.])/g, '$1.$2').split(/[;,\s]+/).map(numberOf)
  return numbers.filter(number => number !== undefined && number > SMALLEST_MM) as number[]
}

/** `#RRGGBB`, transparency cut off; empty for what is no colour. */
export function colorOf (value: unknown): string {
  const digits = typeof value === 'string' ? /^#?([0-9a-f]{6})([0-9a-f]{2})?$/i.exec(value.trim())?.[1] : undefined
  return digits === undefined ? '' : `#${digits.toUpperCase()}`
}

export const textOf = (value: unknown): string => typeof value === 'string' ? value : ''
