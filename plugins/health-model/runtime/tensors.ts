import type { Output } from '../types.js'
import type { LoadedRuntime, Tensor } from './load-runtime.js'

// Numbers of 16 bits (IEEE 754) have no type in Node 20.
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

type Ort = LoadedRuntime['ort']

/** @throws for a type of numbers that no network for pictures has */
export function tensorOf (ort: Ort, values: Float32Array, dims: readonly number[], type = 'float32'): Tensor {
  switch (type) {
    case 'float32': return new ort.Tensor(type, values, dims)
    case 'float16': return new ort.Tensor(type, toHalves(values), dims)
    case 'uint8': return new ort.Tensor(type, Uint8Array.from(values, Math.round), dims)
    default: throw new Error(`The network takes numbers of type ${type}, and only float32, float16 and uint8 are known`)
  }
}

/** Later versions of Node have a type for numbers of 16 bits, which the runtime uses then. */
function numbersOf (data: unknown): Float32Array | undefined {
  if (data instanceof Float32Array) return data
  if (data instanceof Uint16Array) return fromHalves(data)
  const isHalf = ArrayBuffer.isView(data) && data.constructor.name === 'Float16Array'
  return isHalf ? Float32Array.from(data as unknown as ArrayLike<number>) : undefined
}

/** The outputs that are fractions; others, such as counts, are left out. @throws when there are none */
export function outputsOf (names: readonly string[], results: Readonly<Record<string, Tensor>>): Output[] {
  const outputs = names.flatMap(name => {
    const tensor = results[name]
    const data = numbersOf(tensor?.data)
    return tensor && data ? [{ name, dims: tensor.dims, data }] : []
  })
  if (outputs.length === 0) throw new Error(`Output '${names[0] ?? ''}' of the network is not of 32-bit or 16-bit numbers`)
  return outputs
}
