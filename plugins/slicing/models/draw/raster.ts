import { lengthOf, multiply, normalOf, type Matrix, type Mesh } from '../mesh/mesh.js'

/** Red, green and blue of a triangle, by its normal of length 1 on the bed. */
export type Shade = (x: number, y: number, z: number) => readonly [number, number, number]

const OPAQUE = 255

/** A picture whose nearest surface counts. Rows of its view give a pixel's x and y, and how near a point is. */
export class Raster {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
  readonly #near: Float32Array

  constructor (width: number, height = width) {
    this.width = width
    this.height = height
    this.pixels = new Uint8Array(width * height * 4)
    this.#near = new Float32Array(width * height).fill(-Infinity)
  }

  /** Draws a mesh that `place` moves onto the bed. */
  draw (mesh: Mesh, place: Matrix, view: Matrix, shade: Shade): void {
    const points = projected(mesh.positions, multiply(view, place))
    for (let at = 0; at < mesh.triangles.length; at += 3) {
      const normal = normalOf(mesh, at / 3)
      const length = lengthOf(normal)
      if (length === 0) continue
      const nx = normal[0] / length
      const ny = normal[1] / length
      const nz = normal[2] / length
      const color = shade(
        place[0] * nx + place[1] * ny + place[2] * nz,
        place[4] * nx + place[5] * ny + place[6] * nz,
        place[8] * nx + place[9] * ny + place[10] * nz)
      this.#triangle(points, mesh.triangles[at]! * 3, mesh.triangles[at + 1]! * 3, mesh.triangles[at + 2]! * 3, color)
    }
  }

  set (pixel: number, [red, green, blue]: readonly [number, number, number], alpha = OPAQUE): void {
    const at = pixel * 4
    this.pixels[at] = red
    this.pixels[at + 1] = green
    this.pixels[at + 2] = blue
    this.pixels[at + 3] = alpha
  }

  /** Row by row, the pixels whose centre lies within. Long thin triangles cost no more than they cover. */
  #triangle (points: Float32Array, a: number, b: number, c: number, color: readonly [number, number, number]): void {
    const ax = points[a]!
    const ay = points[a + 1]!
    const az = points[a + 2]!
    const bx = points[b]!
    const by = points[b + 1]!
    const bz = points[b + 2]!
    const cx = points[c]!
    const cy = points[c + 1]!
    const cz = points[c + 2]!
    const area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
    if (area === 0) return
    const slopeX = ((bz - az) * (cy - ay) - (cz - az) * (by - ay)) / area
    const slopeY = ((cz - az) * (bx - ax) - (bz - az) * (cx - ax)) / area
    const firstRow = Math.max(0, Math.ceil(Math.min(ay, by, cy) - 0.5))
    const lastRow = Math.min(this.height - 1, Math.floor(Math.max(ay, by, cy) - 0.5))
    for (let row = firstRow; row <= lastRow; row++) {
      const y = row + 0.5
      let left = Infinity
      let right = -Infinity
      const cut = (x0: number, y0: number, x1: number, y1: number): void => {
        if ((y0 < y && y1 < y) || (y0 > y && y1 > y) || y0 === y1) return
        const x = x0 + (x1 - x0) * (y - y0) / (y1 - y0)
        if (x < left) left = x
        if (x > right) right = x
      }
      cut(ax, ay, bx, by)
      cut(bx, by, cx, cy)
      cut(cx, cy, ax, ay)
      const first = Math.max(0, Math.ceil(left - 0.5))
      const last = Math.min(this.width - 1, Math.floor(right - 0.5))
      let near = az + slopeX * (first + 0.5 - ax) + slopeY * (y - ay)
      for (let pixel = row * this.width + first; pixel <= row * this.width + last; pixel++, near += slopeX) {
        if (near <= this.#near[pixel]!) continue
        this.#near[pixel] = near
        this.set(pixel, color)
      }
    }
  }
}

function projected (positions: Float32Array, m: Matrix): Float32Array {
  const points = new Float32Array(positions.length)
  for (let at = 0; at < positions.length; at += 3) {
    const x = positions[at]!
    const y = positions[at + 1]!
    const z = positions[at + 2]!
    points[at] = m[0] * x + m[1] * y + m[2] * z + m[3]
    points[at + 1] = m[4] * x + m[5] * y + m[6] * z + m[7]
    points[at + 2] = m[8] * x + m[9] * y + m[10] * z + m[11]
  }
  return points
}
