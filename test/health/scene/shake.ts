import type { Random } from './random.js'

/** Largest turn, in radians, and largest share of zoom. */
const TURN = 0.001
const ZOOM = 0.001

/** Weights of four neighbours for a place between the middle two (Catmull-Rom). */
const weights = (t: number): readonly [number, number, number, number] => [
  ((-0.5 * t + 1) * t - 0.5) * t,
  (1.5 * t - 2.5) * t * t + 1,
  ((-1.5 * t + 2) * t + 0.5) * t,
  (0.5 * t - 0.5) * t * t
]

const within = (value: number, most: number): number => value < 0 ? 0 : value > most ? most : value

/** Where a camera that moved sees a pixel. */
export type Movement = (x: number, y: number) => readonly [x: number, y: number]

/** A movement by up to so many pixels in each direction, with a small turn and zoom. */
export function movementOf (width: number, height: number, most: number, random: Random): Movement {
  const [right, down] = [random.between(-most, most), random.between(-most, most)]
  const [turn, zoom] = most === 0 ? [0, 1] : [random.between(-TURN, TURN), 1 + random.between(-ZOOM, ZOOM)]
  const [midX, midY] = [width / 2, height / 2]
  return (x, y) => [
    midX + zoom * (x - midX) - turn * (y - midY) + right,
    midY + zoom * (y - midY) + turn * (x - midX) + down
  ]
}

/** A picture of three channels, resampled by cubic interpolation. */
export function moved (data: Uint8Array, width: number, height: number, to: Movement): Buffer {
  const out = Buffer.alloc(data.length)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [fromX, fromY] = to(x, y)
      const [left, top] = [Math.floor(fromX), Math.floor(fromY)]
      const [across, along] = [weights(fromX - left), weights(fromY - top)]
      let [red, green, blue] = [0.5, 0.5, 0.5]
      for (let row = 0; row < 4; row++) {
        const line = within(top + row - 1, height - 1) * width
        for (let column = 0; column < 4; column++) {
          const at = (line + within(left + column - 1, width - 1)) * 3
          const weight = (along[row] as number) * (across[column] as number)
          red += weight * (data[at] as number)
          green += weight * (data[at + 1] as number)
          blue += weight * (data[at + 2] as number)
        }
      }
      const at = (y * width + x) * 3
      out[at] = within(red, 255)
      out[at + 1] = within(green, 255)
      out[at + 2] = within(blue, 255)
    }
  }
  return out
}

/** A picture as a camera sees it that moved by up to so many pixels. */
export const shaken = (data: Uint8Array, width: number, height: number, most: number, random: Random): Buffer =>
  moved(data, width, height, movementOf(width, height, most, random))
