import type { Random } from './random.js'

export type Machine = 'enclosed' | 'slinger'

/** mm on the plate from its middle, and above it. */
export type Place = readonly [x: number, y: number, z: number]
export type Pixel = readonly [x: number, y: number]

/** How a fixed camera sees places above the plate. */
export interface Camera {
  readonly width: number
  readonly height: number
  see (place: Place): Pixel
  /** Pixels for each mm there. */
  scale (place: Place): number
}

export const HALF_MM = 128

/** Corners of the plate in fractions of the frame: rear left, rear right, front right, front left. */
const CORNERS: Readonly<Record<Machine, readonly Pixel[]>> = {
  enclosed: [[0.02, 0.82], [0.4, 0.59], [0.93, 0.7], [0.62, 1.22]],
  slinger: [[0.24, 0.42], [0.76, 0.42], [0.93, 0.93], [0.07, 0.93]]
}
/** Pixels of a frame 720 high for each mm upwards, at the corner farthest away. */
const UP = 1.1

/** The projective map from the plate's square to four corners. */
function homography ([a, b, c, d]: readonly Pixel[]) {
  if (!a || !b || !c || !d) throw new Error('four corners are needed')
  const [dx1, dx2, dx3] = [b[0] - c[0], d[0] - c[0], a[0] - b[0] + c[0] - d[0]]
  const [dy1, dy2, dy3] = [b[1] - c[1], d[1] - c[1], a[1] - b[1] + c[1] - d[1]]
  const spread = dx1 * dy2 - dx2 * dy1
  const g = (dx3 * dy2 - dx2 * dy3) / spread
  const h = (dx1 * dy3 - dx3 * dy1) / spread
  return (u: number, v: number) => {
    const w = g * u + h * v + 1
    return {
      x: ((b[0] - a[0] + g * b[0]) * u + (d[0] - a[0] + h * d[0]) * v + a[0]) / w,
      y: ((b[1] - a[1] + g * b[1]) * u + (d[1] - a[1] + h * d[1]) * v + a[1]) / w,
      near: 1 / w
    }
  }
}

export function createCamera (machine: Machine, random: Random, width = 1280, height = 720): Camera {
  const corners = CORNERS[machine].map(([x, y]): Pixel =>
    [(x + random.between(-0.02, 0.02)) * width, (y + random.between(-0.02, 0.02)) * height])
  const onPlate = homography(corners)
  const at = ([x, y]: Place) => onPlate((x + HALF_MM) / (2 * HALF_MM), (HALF_MM - y) / (2 * HALF_MM))
  const far = Math.min(...[[-1, 1], [1, 1], [1, -1], [-1, -1]].map(([x = 0, y = 0]) => at([x * HALF_MM,
    y * HALF_MM, 0]).near))
  const scale = (place: Place) => UP * height / 720 * at(place).near / far
  return {
    width,
    height,
    scale,
    see (place) {
      const { x, y } = at(place)
      return [x, y - place[2] * scale(place)]
    }
  }
}
