import type { Grey } from '../pixels.js'

/** Strength of lines in four directions, each 0 to 1 for every pixel: level, upright, and the two diagonals. */
export interface LineMaps {
  readonly width: number
  readonly height: number
  readonly level: Float32Array
  readonly upright: Float32Array
  readonly falling: Float32Array
  readonly rising: Float32Array
}

/** Kernels are laid over the picture in 8 bits: this stands for no response. */
const OFFSET = 128
/** Around the picture the kernels do not fit; the input shows through there. */
const RIM = 2

/** Answers of a filter byte by byte, as 0 to 1. */
const RESPONSE = Float32Array.from({ length: 256 }, (_, value) => 2 * Math.max(0, value / 255 - 0.5))

const byte = (value: number) => value < 0 ? 0 : value > 255 ? 255 : value

/** Five pixels along a line count twice, the lines beside it are taken off. */
type Kernel = readonly (readonly [dx: number, dy: number, weight: number])[]

const NEXT = [-1, 1]
/** Diagonals take off one more line on each side; so they fall below nothing on a plain bright surface. */
const NEXT_BUT_ONE = [-3, -1, 1, 3]

const along = (sides: readonly number[], place: (at: number, side: number) => readonly [number, number]): Kernel =>
  [-2, -1, 0, 1, 2].flatMap(at => [0, ...sides].flatMap(side => {
    const [dx, dy] = place(at, side)
    return Math.abs(dx) > RIM || Math.abs(dy) > RIM ? [] : [[dx, dy, side === 0 ? 2 : -1] as const]
  }))

const LEVEL = along(NEXT, (at, side) => [at, side])
const UPRIGHT = along(NEXT, (at, side) => [side, at])
const FALLING = along(NEXT_BUT_ONE, (at, side) => [at + side, at])
const RISING = along(NEXT_BUT_ONE, (at, side) => [at + side, -at])

function apply ({ width, height, data }: Grey, kernel: Kernel): Float32Array {
  const out = Float32Array.from(data, value => RESPONSE[value] ?? 0)
  const offsets = Int32Array.from(kernel, ([dx, dy]) => dy * width + dx)
  const weights = Int32Array.from(kernel, ([,, weight]) => weight)
  for (let y = RIM; y < height - RIM; y++) {
    for (let at = y * width + RIM, end = (y + 1) * width - RIM; at < end; at++) {
      let sum = OFFSET
      for (let tap = 0; tap < offsets.length; tap++) {
        sum += (data[at + (offsets[tap] as number)] as number) * (weights[tap] as number)
      }
      out[at] = RESPONSE[byte(sum)] as number
    }
  }
  return out
}

export const lineMaps = (grey: Grey): LineMaps => ({
  width: grey.width,
  height: grey.height,
  level: apply(grey, LEVEL),
  upright: apply(grey, UPRIGHT),
  falling: apply(grey, FALLING),
  rising: apply(grey, RISING)
})

/** The strongest of the four at each pixel. */
export const strongest = ({ level, upright, falling, rising }: LineMaps): Float32Array =>
  level.map((value, at) => Math.max(value, upright[at] ?? 0, falling[at] ?? 0, rising[at] ?? 0))

/** Means over the picture: of the strongest response, and of all four. */
export function lineMeans ({ level, upright, falling, rising }: LineMaps): { strands: number, edges: number } {
  let strands = 0
  let edges = 0
  for (let at = 0; at < level.length; at++) {
    const [a = 0, b = 0, c = 0, d = 0] = [level[at], upright[at], falling[at], rising[at]]
    strands += Math.max(a, b, c, d)
    edges += (a + b + c + d) / 4
  }
  return { strands: strands / level.length, edges: edges / level.length }
}
