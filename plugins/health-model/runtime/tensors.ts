import { fromHalves, toHalves } from '../half-floats.js'
import type { Output } from '../types.js'
import type { LoadedRuntime, Tensor } from './load-runtime.js'

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
