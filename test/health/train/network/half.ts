const SIGN = 0x8000
const LARGEST = 0x7bff
/** What lies between the exponents of the two formats: 127 - 15. */
const BIAS = 112

const float = new Float32Array(1)
const bits = new Uint32Array(float.buffer)

/** The 16 bits of a number at half precision, rounded towards 0; what is below its normal numbers becomes 0. */
export function half (value: number): number {
  float[0] = value
  const [whole = 0] = bits
  const sign = (whole >>> 16) & SIGN
  const exponent = ((whole >>> 23) & 255) - BIAS
  if (exponent <= 0) return sign
  if (exponent > 30) return sign | LARGEST
  return sign | (exponent << 10) | ((whole & 0x7fffff) >>> 13)
}
