import type { BedCorners, Camera } from '../../../toolpath/index.js'
import type { Series } from '../../types.js'
import type { Picture } from '../picture.js'
import { cameraFromCorners, cameraSunk, cornersOf, startCamera, type Rise } from './bed-camera.js'
import type { Point } from './edge-line.js'
import { fitBed, type BedFit } from './fit-bed.js'

/** What is known of a printer's camera. It does not move between jobs, so this may be stored. */
export interface BedPose {
  /** Corners that pictures showed, as if the bed were at its upper end: shares of the frame. */
  readonly found: readonly BedCorners[]
  /** How heights showed in pictures. */
  readonly rises: readonly Rise[]
}

export const NO_POSE: BedPose = { found: [], rises: [] }

export interface BedView {
  readonly pose: BedPose
  /** The camera of this picture for a way in which heights may show; undefined if the bed could not be found. */
  readonly cameraOf?: (rise: Rise | undefined) => Camera | undefined
}

export interface BedInput {
  readonly picture: Picture
  readonly series: Series
  readonly bedMm: readonly number[]
  /** mm. */
  readonly sunk: number
  readonly pose: BedPose
}

const MOST_FOUND = 9
/** From this picture on edges are searched for only near where they were found: a rail in front may look like one. */
const SETTLED = 3
/** px by which an edge may be off from where the pose expects it, and how many edges must be there. */
const NEAR_PX = 3.5
const FEWEST_NEAR = 2

const scaled = (corners: BedCorners, x: number, y: number): BedCorners =>
  corners.map(([u, v]) => [u * x, v * y] as const) as unknown as BedCorners

function median (values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return (sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!) / 2
}

/** The corners on which the pictures agree most. */
const agreed = (found: readonly BedCorners[]): BedCorners => [0, 1, 2, 3].map(at =>
  [0, 1].map(axis => median(found.map(corners => corners[at]![axis]!)))) as unknown as BedCorners

/** From a place to a line, px. */
function distance ([x, y]: Point, [fromX, fromY]: Point, [toX, toY]: Point): number {
  const [dx, dy] = [toX - fromX, toY - fromY]
  return Math.abs(dx * (y - fromY) - dy * (x - fromX)) / Math.hypot(dx, dy)
}

/** Edges that are where they are expected. */
const nearEdges = ({ edges }: BedFit, expected: BedCorners): number => edges.filter((edge, at) => edge !== undefined &&
  [edge.from, edge.to].every(place => distance(place, expected[at]!, expected[(at + 1) % 4]!) <= NEAR_PX)).length

/** How heights show, by most pictures; undefined if none has told yet. */
export function riseOf ({ rises }: BedPose): Rise | undefined {
  if (rises.length === 0) return undefined
  const uprights = rises.filter(({ kind }) => kind === 'upright')
  const kind = uprights.length * 2 > rises.length ? 'upright' : 'pinhole'
  return { kind, factor: median(rises.filter(rise => rise.kind === kind).map(({ factor }) => factor)) }
}

/** Finds the bed in a picture, and learns from it where the camera is. */
export function viewBed ({ picture, series, bedMm, sunk, pose }: BedInput): BedView {
  const { width, height } = picture
  const size = { width, height }
  const rise = riseOf(pose)
  const cameraBy = (found: readonly BedCorners[], its = rise) =>
    cameraFromCorners(scaled(agreed(found), width, height), bedMm, size, series, its)
  const known = pose.found.length >= SETTLED ? cameraBy(pose.found) : undefined
  const start = known ?? startCamera(series, bedMm, size)
  const fit = start && fitBed(picture, start, { bedMm, sunk, isKnown: known !== undefined })
  if (fit === undefined) return { pose }
  const isWhole = fit.edges.every(edge => edge !== undefined)
  const its = isWhole ? cameraFromCorners(fit.corners, bedMm, size, series, rise) : undefined
  const base = its && cornersOf(cameraSunk(its, -sunk), bedMm)
  const found = base ? [...pose.found, scaled(base, 1 / width, 1 / height)].slice(-MOST_FOUND) : pose.found
  const next = { ...pose, found }
  const camera = found.length > 0 ? cameraBy(found) : undefined
  const expected = camera && cornersOf(cameraSunk(camera, sunk), bedMm)
  if (expected === undefined || nearEdges(fit, expected) < FEWEST_NEAR) return { pose: next }
  return {
    pose: next,
    cameraOf: wanted => {
      const seen = cameraBy(found, wanted)
      return seen && cameraSunk(seen, sunk)
    }
  }
}
