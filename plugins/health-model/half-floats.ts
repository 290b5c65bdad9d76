/** Numbers of 16 bits (IEEE 754), for which Node 20 has no type. */

const SIGN = 0x8000
const INFINITE = 0x7C00
const SMALLEST_NORMAL = 2 ** -14
const LARGEST = 65_504

function toHalf (value: number): number {
  if (Number.isNaN(value)) return INFINITE + 1
  const sign = value < 0 || Object.is(value, -0) ? SIGN : 0
  const size = Math.abs(value)
  if (size > LARGEST + 15) return sign + INFINITE
  if (size < SMALLEST_NORMAL) return sign + Math.round(size * 2 ** 24)
  const exponent = Math.floor(Math.log2(size))
  // A fraction that is rounded up to 1 carries into the exponent, which is the right number too.
  return sign + Math.min(INFINITE, (exponent + 15) * 1_024 + Math.round((size / 2 ** exponent - 1) * 1_024))
}

function fromHalf (bits: number): number {
  const sign = bits & SIGN ? -1 : 1
  const exponent = (bits >> 10) & 31
  const fraction = bits & 1_023
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1 + fraction / 1_024) * 2 ** (exponent - 15)
}

export const toHalves = (values: Float32Array): Uint16Array => Uint16Array.from(values, toHalf)
export const fromHalves = (bits: Uint16Array): Float32Array => Float32Array.from(bits, fromHalf)
