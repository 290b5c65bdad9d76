import type { Box, Matrix, Vector } from '../mesh/mesh.js'

/** Pixels of a square picture, and the bed, mm. */
export interface Frame { readonly pixels: number, readonly bedMm: Vector }

/** Straight down on the whole bed, centred, as slicers draw `top_N.png` and `pick_N.png`. */
export function topView ({ pixels, bedMm: [width, depth] }: Frame): Matrix {
  const scale = Math.min(pixels / width, pixels / depth)
  const left = (pixels - width * scale) / 2
  const bottom = pixels - (pixels - depth * scale) / 2
  return [scale, 0, 0, left, 0, -scale, 0, bottom, 0, 0, 1, 0]
}

/** From the front, somewhat from the right and from above. */
const [AROUND, ABOVE] = [28 * Math.PI / 180, 32 * Math.PI / 180]
export const TO_CAMERA: Vector =
  [Math.sin(AROUND) * Math.cos(ABOVE), -Math.cos(AROUND) * Math.cos(ABOVE), Math.sin(ABOVE)]
const RIGHT: Vector = [Math.cos(AROUND), Math.sin(AROUND), 0]
const UP: Vector = [-Math.sin(AROUND) * Math.sin(ABOVE), Math.cos(AROUND) * Math.sin(ABOVE), Math.cos(ABOVE)]
/** Of the picture, around the parts. */
const BORDER = 0.08
/** A tiny part is not shown larger than a part of this size, mm. */
const LEAST_MM = 40

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

const cornersOf = ({ min, max }: Box): Vector[] =>
  [min[0], max[0]].flatMap(x => [min[1], max[1]].flatMap(y => [min[2], max[2]].map((z): Vector => [x, y, z])))

/** A view without perspective that shows these boxes as large as the picture allows. */
export function sideView (pixels: number, boxes: readonly Box[]): Matrix {
  const corners = boxes.flatMap(cornersOf)
  const range = (axis: Vector): [number, number] => {
    const values = corners.map(corner => dot(corner, axis))
    return [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))]
  }
  const [[left, right], [bottom, top]] = [range(RIGHT), range(UP)]
  const scale = pixels * (1 - 2 * BORDER) / Math.max(right - left, top - bottom, LEAST_MM)
  const shiftX = pixels / 2 - (left + right) / 2 * scale
  const shiftY = pixels / 2 + (bottom + top) / 2 * scale
  return [
    RIGHT[0] * scale, RIGHT[1] * scale, RIGHT[2] * scale, shiftX,
    -UP[0] * scale, -UP[1] * scale, -UP[2] * scale, shiftY,
    TO_CAMERA[0], TO_CAMERA[1], TO_CAMERA[2], 0
  ]
}

/** The point of the bed that a pixel of a side view shows. */
export function bedPoint (view: Matrix): (x: number, y: number) => readonly [number, number] {
  const [a, b, , c, d, e, , f] = view
  const determinant = a * e - b * d
  return (x, y) => [((x - c) * e - (y - f) * b) / determinant, ((y - f) * a - (x - c) * d) / determinant]
}
