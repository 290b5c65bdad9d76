const NUMBER = /^[+-]?(\d+([.,]\d*)?|[.,]\d+)(e[+-]?\d+)?$/i

/** A number written by a slicer: as text or number, with a decimal comma on some systems. */
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

/** Whole numbers from `1 1 2` or a list of texts; empty if any of them is not a number. */
export function wholesOf (value: unknown): number[] {
  const items = Array.isArray(value) ? value : typeof value === 'string' ? value.split(/[\s,]+/).filter(Boolean) : []
  const numbers = items.map(wholeOf)
  return numbers.every(number => number !== undefined) ? numbers : []
}

/** No nozzle is smaller, so `0,4` is one diameter with a decimal comma and not a list. */
const SMALLEST_MM = 0.05

/** Diameters in mm from `0.4,0.6`, or `0,4,0,6` from a system with a decimal comma. */
export function diametersOf (value: unknown): number[] {
  const text = Array.isArray(value) ? value.join(';') : typeof value === 'string' ? value : ''
  const numbers = text.replaceAll(/(?<![\d.])([01]),(\d+)(?![\d.])/g, '$1.$2').split(/[;,\s]+/).map(numberOf)
  return numbers.filter(number => number !== undefined && number > SMALLEST_MM) as number[]
}

/** `#RRGGBB` without transparency; empty when it is not a colour. */
export function colorOf (value: unknown): string {
  const digits = typeof value === 'string' ? /^#?([0-9a-f]{6})([0-9a-f]{2})?$/i.exec(value.trim())?.[1] : undefined
  return digits === undefined ? '' : `#${digits.toUpperCase()}`
}

export const textOf = (value: unknown): string => typeof value === 'string' ? value : ''
