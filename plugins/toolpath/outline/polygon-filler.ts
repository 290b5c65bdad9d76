import type { Camera } from './camera.js'

/** Corners of a polygon, at most: four, and one more where it is cut off in front of the camera. */
const MOST_CORNERS = 5
/** mm in front of the camera, from which on anything is seen. */
const NEAREST_MM = 1
/** Share of a triangle by which its edges may be off, lest a pixel in the middle of a common edge is in neither. */
const ROUNDING = 1e-9

/** Fills convex polygons in a picture, the nearer ones above the others. */
export class PolygonFiller {
  /** Values by pixel, row by row. */
  readonly mask: Uint8Array
  readonly #camera: Camera
  /** 1 / depth by pixel. */
  readonly #nearness: Float32Array
  readonly #nearest: number
  /** u · w, v · w and w of each corner. */
  readonly #corners = new Float64Array(MOST_CORNERS * 3)
  readonly #cut = new Float64Array(MOST_CORNERS * 3)
  #count = 0
  /** Corners in the picture, with their nearness. */
  readonly #x = new Float64Array(MOST_CORNERS)
  readonly #y = new Float64Array(MOST_CORNERS)
  readonly #near = new Float64Array(MOST_CORNERS)

  constructor (camera: Camera) {
    this.#camera = camera
    this.mask = new Uint8Array(camera.width * camera.height)
    this.#nearness = new Float32Array(this.mask.length)
    const { projection: p } = camera
    this.#nearest = NEAREST_MM * Math.hypot(p[8]!, p[9]!, p[10]!)
  }

  /** Adds a corner to the polygon, mm. */
  corner (x: number, y: number, z: number): void {
    const { projection: p } = this.#camera
    const at = this.#count++ * 3
    this.#corners[at] = p[0]! * x + p[1]! * y + p[2]! * z + p[3]!
    this.#corners[at + 1] = p[4]! * x + p[5]! * y + p[6]! * z + p[7]!
    this.#corners[at + 2] = p[8]! * x + p[9]! * y + p[10]! * z + p[11]!
  }

  /** Fills the polygon of the corners that were added, and begins another one. */
  fill (value: number): void {
    const count = this.#place()
    this.#count = 0
    for (let at = 2; at < count; at++) this.#triangle(0, at - 1, at, value)
  }

  /** Cuts off what is behind the camera. @returns how many corners are left */
  #place (): number {
    const corners = this.#corners
    const cut = this.#cut
    const nearest = this.#nearest
    let count = 0
    for (let at = 0; at < this.#count; at++) {
      const next = (at + 1) % this.#count
      const [depth, nextDepth] = [corners[at * 3 + 2]!, corners[next * 3 + 2]!]
      if (depth >= nearest) cut.set(corners.subarray(at * 3, at * 3 + 3), count++ * 3)
      if ((depth >= nearest) === (nextDepth >= nearest)) continue
      const share = (nearest - depth) / (nextDepth - depth)
      for (let axis = 0; axis < 3; axis++) {
        const from = corners[at * 3 + axis]!
        cut[count * 3 + axis] = from + (corners[next * 3 + axis]! - from) * share
      }
      count++
    }
    for (let at = 0; at < count; at++) {
      const near = 1 / cut[at * 3 + 2]!
      this.#x[at] = cut[at * 3]! * near
      this.#y[at] = cut[at * 3 + 1]! * near
      this.#near[at] = near
    }
    return count
  }

  /** Fills the pixels whose middle is inside; nearness changes evenly over the picture of a flat polygon. */
  #triangle (a: number, b: number, c: number, value: number): void {
    const [ax, ay, bx, by] = [this.#x[a]!, this.#y[a]!, this.#x[b]!, this.#y[b]!]
    const [cx, cy] = [this.#x[c]!, this.#y[c]!]
    const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    if (area === 0 || !Number.isFinite(area)) return
    const { width, height } = this.#camera
    const left = Math.max(0, Math.ceil(Math.min(ax, bx, cx) - 0.5))
    const right = Math.min(width - 1, Math.floor(Math.max(ax, bx, cx) - 0.5))
    const upper = Math.max(0, Math.ceil(Math.min(ay, by, cy) - 0.5))
    const lower = Math.min(height - 1, Math.floor(Math.max(ay, by, cy) - 0.5))
    const [nearA, nearB, nearC] = [this.#near[a]! / area, this.#near[b]! / area, this.#near[c]! / area]
    const sign = Math.sign(area)
    const slack = -ROUNDING * Math.abs(area)
    for (let row = upper; row <= lower; row++) {
      const y = row + 0.5
      for (let column = left; column <= right; column++) {
        const x = column + 0.5
        const ofA = (bx - x) * (cy - y) - (by - y) * (cx - x)
        const ofB = (cx - x) * (ay - y) - (cy - y) * (ax - x)
        const ofC = area - ofA - ofB
        if (ofA * sign < slack || ofB * sign < slack || ofC * sign < slack) continue
        const near = ofA * nearA + ofB * nearB + ofC * nearC
        const at = row * width + column
        if (near > this.#nearness[at]!) {
          this.#nearness[at] = near
          this.mask[at] = value
        }
      }
    }
  }
}
