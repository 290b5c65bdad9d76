import type { Grey } from '../picture.js'

/** Strength of lines in four directions, each 0 to 1 for every pixel: level, upright, and the two diagonals. */
export interface LineMaps {
  readonly width: number
  readonly height: number
  readonly level: Float32Array
  readonly upright: Float32Array
  readonly falling: Float32Array
  readonly rising: Float32Array
}

/** Kernel responses are stored in 8 bits; this value stands for no response. */
const OFFSET = 128
/** Kernels do not fit at the rim of the picture; it shows the input instead. */
const RIM = 2

/** Filter response for each byte value, 0 to 1. */
const RESPONSE = Float32Array.from({ length: 256 }, (_, value) => 2 * Math.max(0, value / 255 - 0.5))

const byte = (value: number) => value < 0 ? 0 : value > 255 ? 255 : value

/** @param levelsAt response of the kernel at a pixel, grey levels */
function responses ({ width, height, data }: Grey, levelsAt: (at: number) => number): Float32Array {
  const out = new Float32Array(data.length)
  for (let at = 0; at < data.length; at++) out[at] = RESPONSE[data[at] as number] as number
  for (let y = RIM; y < height - RIM; y++) {
    for (let at = y * width + RIM, end = (y + 1) * width - RIM; at < end; at++) {
      out[at] = RESPONSE[byte(OFFSET + levelsAt(at))] as number
    }
  }
  return out
}

/**
 * Five pixels along a line count twice; those of the two neighbouring lines are subtracted.
 * @param along from one pixel of the line to the next
 * @param beside from the line to the next one
 */
function straight (grey: Grey, along: number, beside: number): Float32Array {
  const { data } = grey
  const pixel = (at: number) => data[at] as number
  const fives = new Int32Array(data.length)
  for (let at = 2 * along, end = data.length - 2 * along; at < end; at++) {
    fives[at] = pixel(at - 2 * along) + pixel(at - along) + pixel(at) + pixel(at + along) + pixel(at + 2 * along)
  }
  const five = (at: number) => fives[at] as number
  return responses(grey, at => 2 * five(at) - five(at - beside) - five(at + beside))
}

/**
 * The same for a diagonal of the 5 × 5 window. The window cuts the neighbouring diagonals short, so a second one is
 * subtracted on each side, and the response to a uniform bright surface is negative.
 * @param column offset from a pixel to the next one in its column
 */
function diagonal (grey: Grey, column: number): Float32Array {
  const { data } = grey
  const step = column + 1
  const pairs = new Int32Array(data.length)
  for (let at = Math.max(0, -step), end = data.length - Math.max(0, step); at < end; at++) {
    pairs[at] = (data[at] as number) + (data[at + step] as number)
  }
  const two = (at: number) => pairs[at] as number
  const four = (at: number) => two(at) + two(at + 2 * step)
  return responses(grey, at => {
    const corner = at - 2 * step
    return 2 * (four(corner) + (data[at + 2 * step] as number)) - four(corner + 1) - four(corner + column) -
      two(corner + 3) - two(corner + 3 * column)
  })
}

export const lineMaps = (grey: Grey): LineMaps => ({
  width: grey.width,
  height: grey.height,
  level: straight(grey, 1, grey.width),
  upright: straight(grey, grey.width, 1),
  falling: diagonal(grey, grey.width),
  rising: diagonal(grey, -grey.width)
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
