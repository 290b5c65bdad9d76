import {
  centreOf, cross, dot, positionOf, unit, type Camera, type PicturePoint, type PictureSize, type Point3
} from './camera.js'

/** In the picture, px: front left, front right, rear right, rear left. */
export type BedCorners = readonly [PicturePoint, PicturePoint, PicturePoint, PicturePoint]

export interface BedPose {
  readonly camera: Camera
  /** px. */
  readonly focalPx: number
  /** mm. */
  readonly position: Point3
  /** How far the bed is from a rectangle of its size, as a share; 0 where all fits. */
  readonly misfit: number
}

type Columns = readonly [x: Point3, y: Point3, origin: Point3]

/** Columns of the projective map from the bed, mm, to the picture, px from its centre; undefined if there is none. */
function homographyOf ([a, b, c, d]: BedCorners, [width, depth]: readonly number[]): Columns | undefined {
  const [dx1, dx2, dx3] = [b[0] - c[0], d[0] - c[0], a[0] - b[0] + c[0] - d[0]]
  const [dy1, dy2, dy3] = [b[1] - c[1], d[1] - c[1], a[1] - b[1] + c[1] - d[1]]
  const spread = dx1 * dy2 - dx2 * dy1
  const g = (dx3 * dy2 - dx2 * dy3) / spread
  const h = (dx1 * dy3 - dx3 * dy1) / spread
  if (!(1 + g > 0 && 1 + h > 0 && 1 + g + h > 0)) return undefined // a corner would be behind the camera
  return [
    [(b[0] - a[0] + g * b[0]) / width!, (b[1] - a[1] + g * b[1]) / width!, g / width!],
    [(d[0] - a[0] + h * d[0]) / depth!, (d[1] - a[1] + h * d[1]) / depth!, h / depth!],
    [a[0], a[1], 1]
  ]
}

/** A view straight from above looks the same through every lens. */
const LEAST_PERSPECTIVE = 1e-6

/** px, by which the sides of the bed become perpendicular and as long as they are; undefined if none does. */
function focalOf ([x, y]: Columns): number | undefined {
  const conditions = [
    [x[0] * y[0] + x[1] * y[1], x[2] * y[2]],
    [x[0] ** 2 + x[1] ** 2 - y[0] ** 2 - y[1] ** 2, x[2] ** 2 - y[2] ** 2]
  ] as const // each is 0 for first / focal² + second
  const weight = conditions.reduce((sum, [first]) => sum + first * first, 0)
  const scale = x[0] ** 2 + x[1] ** 2 + y[0] ** 2 + y[1] ** 2
  if (!(weight > (LEAST_PERSPECTIVE * scale) ** 2)) return undefined
  const inverse = -conditions.reduce((sum, [first, second]) => sum + first * second, 0) / weight
  return inverse > 0 ? 1 / Math.sqrt(inverse) : undefined
}

/**
 * The camera that sees the corners of a bed where they are in a picture. The corners fit exactly; heights follow from
 * the focal length.
 *
 * @param bedMm width and depth
 * @param focalPx of the camera; left out, it is found from the corners, which must then be exact and seen obliquely
 * @returns undefined if no camera above the bed sees them so, for instance in another order
 */
export function poseFromBedCorners (
  corners: BedCorners, bedMm: readonly number[], size: PictureSize, focalPx?: number
): BedPose | undefined {
  const [centreX, centreY] = centreOf(size)
  const fromCentre = corners.map(([x, y]) => [x - centreX, y - centreY]) as unknown as BedCorners
  const columns = homographyOf(fromCentre, bedMm)
  const focal = columns && (focalPx ?? focalOf(columns))
  if (columns === undefined || focal === undefined) return undefined
  // The axes of the bed as the camera has them.
  const [x, y, origin] = columns.map(([u, v, w]) => [u / focal, v / focal, w] as const) as unknown as Columns
  const [alongX, alongY] = [Math.hypot(...x), Math.hypot(...y)]
  const scale = (alongX + alongY) / 2
  const upward = unit(cross(x, y))
  const axes = [x, y, upward.map(value => value * scale) as unknown as Point3, origin]
  const rows = [
    axes.map(([u, , w]) => (u * focal + w * centreX) / scale),
    axes.map(([, v, w]) => (v * focal + w * centreY) / scale),
    axes.map(([, , w]) => w / scale)
  ]
  const camera: Camera = { projection: rows.flat(), width: size.width, height: size.height }
  const position = positionOf(camera)
  if (position === undefined || !(position[2] > 0)) return undefined
  const misfit = Math.max(Math.abs(dot(unit(x), unit(y))), Math.abs(alongX - alongY) / scale)
  return { camera, focalPx: focal, position, misfit }
}
