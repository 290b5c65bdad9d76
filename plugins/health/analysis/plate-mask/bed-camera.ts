import {
  placeInPicture, poseFromBedCorners, withMovedBed, type BedCorners, type Camera
} from '../../../toolpath/index.js'
import type { Series } from '../../types.js'
import { geometryOf } from '../improved/geometry.js'

type Point = readonly [x: number, y: number]

export interface Size { readonly width: number, readonly height: number }

/**
 * How heights show in the picture: as a pinhole shows them that sees the bed there, or straight upwards, as long as the
 * series' camera shows them; and so many times as long.
 */
export interface Rise { readonly kind: 'pinhole' | 'upright', readonly factor: number }

/** A pinhole whose bed is off by more than this from a rectangle does not explain the corners. */
const MOST_MISFIT = 0.06

/** px in the picture for each mm upwards at the rear of the bed, over those along its rear edge. */
function upRatioOf (series: Series, bedWidth: number, { width, height }: Size): number {
  const { corners, upPerMm } = geometryOf(series)
  if (corners === undefined) return 0
  const [[x1, y1], [x2, y2]] = corners
  return upPerMm * height * bedWidth / Math.hypot((x2 - x1) * width, (y2 - y1) * height)
}

/** The map from the bed to the picture, to which heights are added straight upwards. */
function uprightCamera (
  corners: BedCorners, [wide, deep]: readonly number[], size: Size, ratio: number
): Camera | undefined {
  const [a, b, c, d] = corners
  const [dx1, dx2, dx3] = [b[0] - c[0], d[0] - c[0], a[0] - b[0] + c[0] - d[0]]
  const [dy1, dy2, dy3] = [b[1] - c[1], d[1] - c[1], a[1] - b[1] + c[1] - d[1]]
  const spread = dx1 * dy2 - dx2 * dy1
  const g = (dx3 * dy2 - dx2 * dy3) / spread
  const h = (dx1 * dy3 - dx3 * dy1) / spread
  const depths = [1, 1 + g, 1 + g + h, 1 + h]
  if (!depths.every(depth => depth > 0)) return undefined
  const up = ratio * Math.hypot(c[0] - d[0], c[1] - d[1]) / wide! * Math.max(...depths)
  return {
    ...size,
    projection: [
      (b[0] - a[0] + g * b[0]) / wide!, (d[0] - a[0] + h * d[0]) / deep!, 0, a[0],
      (b[1] - a[1] + g * b[1]) / wide!, (d[1] - a[1] + h * d[1]) / deep!, -up, a[1],
      g / wide!, h / deep!, 0, 1
    ]
  }
}

const risen = (camera: Camera, factor: number): Camera =>
  ({ ...camera, projection: camera.projection.map((value, at) => at % 4 === 2 ? value * factor : value) })

/**
 * The camera that sees the corners of a bed there.
 * @param corners px: front left, front right, rear right, rear left
 * @param rise left out, a pinhole if one fits
 */
export function cameraFromCorners (
  corners: BedCorners, bedMm: readonly number[], size: Size, series: Series, rise?: Rise
): Camera | undefined {
  const pose = rise?.kind === 'upright' ? undefined : poseFromBedCorners(corners, bedMm, size)
  const isPinhole = pose !== undefined && (rise?.kind === 'pinhole' || pose.misfit <= MOST_MISFIT)
  if (rise?.kind === 'pinhole' && !isPinhole) return undefined
  const camera = isPinhole ? pose.camera : uprightCamera(corners, bedMm, size, upRatioOf(series, bedMm[0]!, size))
  return camera && risen(camera, rise?.factor ?? 1)
}

/** The series' camera as it was estimated, with the bed at its upper end. */
export function startCamera (series: Series, bedMm: readonly number[], size: Size): Camera | undefined {
  const { corners } = geometryOf(series)
  if (corners === undefined) return undefined
  const inPicture = corners.map(([x, y]): Point => [x * size.width, y * size.height])
  const [rearLeft, rearRight, frontRight, frontLeft] = inPicture as [Point, Point, Point, Point]
  return cameraFromCorners([frontLeft, frontRight, rearRight, rearLeft], bedMm, size, series)
}

/** The camera once the bed has sunk, mm. */
export const cameraSunk = (camera: Camera, sunk: number): Camera => withMovedBed(camera, [0, 0, -sunk])

/** Corners of the bed in the picture; undefined if one is behind the camera. */
export function cornersOf (camera: Camera, [wide, deep]: readonly number[]): BedCorners | undefined {
  const places = [[0, 0, 0], [wide!, 0, 0], [wide!, deep!, 0], [0, deep!, 0]] as const
  const corners = places.map(place => placeInPicture(camera, place))
  return corners.includes(undefined) ? undefined : corners as unknown as BedCorners
}

/** The camera whose picture is shifted by so many px. */
export function shiftedCamera ({ projection: p, ...size }: Camera, [dx, dy]: Point): Camera {
  const shifts = [dx, dy, 0]
  return { ...size, projection: p.map((value, at) => value + shifts[at >> 2]! * p[8 + at % 4]!) }
}
