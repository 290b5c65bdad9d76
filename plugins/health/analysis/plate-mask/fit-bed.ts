import type { BedCorners, Camera } from '../../../toolpath/index.js'
import type { Picture } from '../picture.js'
import { cameraSunk, cornersOf } from './bed-camera.js'
import { crossing, fitEdge, type EdgeLine, type Point } from './edge-line.js'
import { contains, sheetLightOf, type SheetLight } from './sheet-light.js'

export interface BedFit {
  /** px: front left, front right, rear right, rear left. */
  readonly corners: BedCorners
  /** Edges of the bed that the picture shows, or undefined: front, right, rear, left. */
  readonly edges: readonly (EdgeLine | undefined)[]
}

export interface BedSearch {
  readonly bedMm: readonly number[]
  /** mm. */
  readonly sunk: number
  /** The camera was fitted to earlier pictures. */
  readonly isKnown: boolean
}

/** Share of an edge that must be seen. */
const LEAST_SUPPORT = 0.6
/** How far to either side edges are searched for, as shares of the width: at first, and around what was found. */
const FAR = 0.04
const NEAR = 0.012
/** Share of the bed, around its middle, from which the colour of the sheet is taken before its edges are known. */
const INNER = 0.7

const isSeen = (edge: EdgeLine | undefined): boolean => edge !== undefined && edge.support >= LEAST_SUPPORT

/** Edges around expected corners, and the corners at which they cross; an edge that is not seen stays as expected. */
function fitAround (picture: Picture, light: SheetLight, expected: BedCorners, reach: number): BedFit {
  const edges = expected.map((corner, at) => {
    const edge = fitEdge(picture, light, corner, expected[(at + 1) % 4]!, reach)
    return isSeen(edge) ? edge : undefined
  })
  const lines = edges.map((edge, at) => edge ?? { from: expected[at]!, to: expected[(at + 1) % 4]! })
  const corners = expected.map((corner, at) => crossing(lines[(at + 3) % 4]!, lines[at]!) ?? corner)
  return { corners: corners as unknown as BedCorners, edges }
}

function inner (corners: BedCorners): (x: number, y: number) => boolean {
  const middle = [0, 1].map(axis => corners.reduce((sum, corner) => sum + corner[axis]!, 0) / corners.length)
  const [midX, midY] = middle as [number, number]
  const nearer = corners.map(([x, y]): Point => [midX + (x - midX) * INNER, midY + (y - midY) * INNER])
  return (x, y) => contains(nearer, x, y)
}

/**
 * Finds the edges of the bed near where a camera should see them.
 * @param camera with the bed at its upper end
 */
export function fitBed (picture: Picture, camera: Camera, { bedMm, sunk, isKnown }: BedSearch): BedFit | undefined {
  let corners = cornersOf(cameraSunk(camera, sunk), bedMm)
  const light = corners && sheetLightOf(picture, inner(corners))
  if (light === undefined) return undefined
  let edges: BedFit['edges'] = []
  for (const share of isKnown ? [NEAR] : [FAR, NEAR, NEAR]) {
    if (corners === undefined) return undefined
    const found = fitAround(picture, light, corners, Math.round(share * picture.width))
    corners = found.corners
    edges = found.edges
  }
  return corners && { corners, edges }
}
