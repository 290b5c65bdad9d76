export type Point3 = readonly [x: number, y: number, z: number]
export type PicturePoint = readonly [x: number, y: number]

/**
 * A pinhole camera and its picture. Places on the bed are in the printer's coordinates, mm; places in the picture are
 * in pixels from its upper left corner, so that the middle of the first pixel is at 0.5. Bending by the lens is not
 * corrected.
 */
export interface Camera {
  /**
   * 3 × 4, row by row. Times (x, y, z, 1) it gives (u · w, v · w, w), where (u, v) is the place in the picture and w
   * the depth, above 0 in front of the camera.
   */
  readonly projection: readonly number[]
  /** px. */
  readonly width: number
  readonly height: number
}

export interface PictureSize {
  /** px. */
  readonly width: number
  readonly height: number
  /** Where the camera looks straight ahead, px. @default the middle */
  readonly centre?: PicturePoint
}

export interface Pose {
  /** mm. */
  readonly position: Point3
  /** A place in the middle of the picture, mm. */
  readonly target: Point3
  /** What is up in the picture. @default the z axis, or the y axis for a camera that looks straight down */
  readonly up?: Point3
  /** px. */
  readonly focalPx: number
}

export const dot = (a: Point3, b: Point3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
export const cross = (a: Point3, b: Point3): Point3 =>
  [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
export const unit = (a: Point3): Point3 => {
  const length = Math.hypot(...a)
  return [a[0] / length, a[1] / length, a[2] / length]
}
export const centreOf = ({ width, height, centre = [width / 2, height / 2] }: PictureSize): PicturePoint => centre

const STRAIGHT_DOWN = 0.999

/** A camera at a place, looking at another one. */
export function pinholeCamera ({ position, target, up, focalPx }: Pose, size: PictureSize): Camera {
  const ahead = unit([target[0] - position[0], target[1] - position[1], target[2] - position[2]])
  const right = unit(cross(ahead, up ?? (Math.abs(ahead[2]) > STRAIGHT_DOWN ? [0, 1, 0] : [0, 0, 1])))
  const down = cross(ahead, right)
  const [centreX, centreY] = centreOf(size)
  const rowOf = (axis: Point3, centre: number): number[] => {
    const row: Point3 = [
      focalPx * axis[0] + centre * ahead[0],
      focalPx * axis[1] + centre * ahead[1],
      focalPx * axis[2] + centre * ahead[2]
    ]
    return [...row, -dot(row, position)]
  }
  return {
    projection: [...rowOf(right, centreX), ...rowOf(down, centreY), ...ahead, -dot(ahead, position)],
    width: size.width,
    height: size.height
  }
}

/** The camera as it sees a bed that has moved, mm: `[0, 0, -12]` after it has sunk by 12 mm. */
export function withMovedBed ({ projection, ...size }: Camera, [x, y, z]: Point3): Camera {
  const moved = [0, 4, 8].flatMap(row => {
    const [a, b, c, d] = projection.slice(row, row + 4) as [number, number, number, number]
    return [a, b, c, a * x + b * y + c * z + d]
  })
  return { projection: moved, ...size }
}

/** The same camera, when its picture was made larger or smaller. */
export function resizedCamera ({ projection, width, height }: Camera, size: { width: number, height: number }): Camera {
  const [scaleX, scaleY] = [size.width / width, size.height / height]
  const scaled = projection.map((value, at) => at < 4 ? value * scaleX : at < 8 ? value * scaleY : value)
  return { projection: scaled, width: size.width, height: size.height }
}

/** Where a place is seen; undefined if it is behind the camera. */
export function placeInPicture ({ projection: p }: Camera, [x, y, z]: Point3): PicturePoint | undefined {
  const w = p[8]! * x + p[9]! * y + p[10]! * z + p[11]!
  if (!(w > 0)) return undefined
  return [(p[0]! * x + p[1]! * y + p[2]! * z + p[3]!) / w, (p[4]! * x + p[5]! * y + p[6]! * z + p[7]!) / w]
}

/** Where a camera is, mm; undefined for a projection that is none of a pinhole. */
export function positionOf ({ projection: p }: Pick<Camera, 'projection'>): Point3 | undefined {
  const [a, b, c] = [0, 4, 8].map(row => [p[row], p[row + 1], p[row + 2]] as unknown as Point3) as
    [Point3, Point3, Point3]
  const determinant = dot(a, cross(b, c))
  const [bc, ca, ab] = [cross(b, c), cross(c, a), cross(a, b)]
  const at = (axis: 0 | 1 | 2) => -(bc[axis] * p[3]! + ca[axis] * p[7]! + ab[axis] * p[11]!) / determinant
  const position: Point3 = [at(0), at(1), at(2)]
  return position.every(Number.isFinite) ? position : undefined
}
