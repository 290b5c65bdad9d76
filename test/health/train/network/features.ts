import { open, readFile, rename } from 'node:fs/promises'
import { loadRuntime, SESSION_OPTIONS } from '../../../../plugins/health-model/runtime/load-runtime.js'
import { half } from './half.js'

/** Before the header of a file of numpy, version 1: its name, its version and the length of the header. */
const PREFIX_BYTES = 10
const LENGTH_AT = 8

interface Canvases { readonly count: number, readonly height: number, readonly width: number, readonly pixels: Buffer }

/** @throws when a file of numpy has no pictures: uint8, BGR */
export function parseCanvases (file: Buffer): Canvases {
  const begin = PREFIX_BYTES + file.readUInt16LE(LENGTH_AT)
  const header = file.subarray(PREFIX_BYTES, begin).toString()
  const [, count = 0, height = 0, width = 0] =
    (/'\|u1'.*'fortran_order': False.*\((\d+), (\d+), (\d+), 3\)/.exec(header) ?? []).map(Number)
  if (count === 0) throw new Error(`There are no pictures in a file with the header ${header}`)
  return { count, height, width, pixels: file.subarray(begin) }
}

/** One picture as the base network takes it: RGB from 0 to 1, one colour after the other. */
function planes ({ height, width, pixels }: Canvases, at: number): Float32Array {
  const area = height * width
  const data = new Float32Array(3 * area)
  const begin = at * area * 3
  for (let pixel = 0; pixel < area; pixel++) {
    for (let color = 0; color < 3; color++) {
      data[color * area + pixel] = (pixels[begin + pixel * 3 + 2 - color] ?? 0) / 255
    }
  }
  return data
}

/**
 * Makes what turns NAME-canvases.npy into NAME-features.f16: the base network's numbers for each cell, at half
 * precision.
 * @param runtime its folder
 */
export async function createFeatureExtractor (runtime: string, network: string) {
  const { ort } = await loadRuntime(runtime, 'onnxruntime-node')
  const session = await ort.InferenceSession.create(network, SESSION_OPTIONS)
  return async (name: string): Promise<void> => {
    const canvases = parseCanvases(await readFile(`${name}-canvases.npy`))
    const { count, height, width } = canvases
    const file = await open(`${name}-features.part`, 'w')
    try {
      for (let at = 0; at < count; at++) {
        const picture = new ort.Tensor('float32', planes(canvases, at), [1, 3, height, width])
        const { features } = await session.run({ picture })
        await file.writeFile(new Uint8Array(Uint16Array.from(features?.data as Float32Array, half).buffer))
      }
    } finally {
      await file.close()
    }
    await rename(`${name}-features.part`, `${name}-features.f16`)
  }
}
