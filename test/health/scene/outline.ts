import { OUTLINE_KINDS, type HeightMap, type Outline, type OutlineKind } from '../../../plugins/toolpath/index.js'
import { HALF_MM, type Pixel } from './camera.js'
import { LAYER_MM, type Part } from './part.js'
import { PRINTED_LAYER_MM, type Plan } from './plan.js'
import type { Disc } from './support.js'

const STEPS_PER_MM = 100
const SIDE = 2 * HALF_MM
/** mm, of the wall of a vase and of its floor. */
const WALL_MM = 1.6
const FLOOR_MM = 1

function mark ({ tops, bottoms }: HeightMap, cell: number, bottom: number, top: number): void {
  const [low, high] = [Math.round(bottom * STEPS_PER_MM), Math.max(1, Math.round(top * STEPS_PER_MM))]
  if (tops[cell] === 0 || low < (bottoms[cell] ?? 0)) bottoms[cell] = low
  if (high > (tops[cell] ?? 0)) tops[cell] = high
}

/** Marks the cells whose middle is inside a polygon, mm from the middle of the plate. */
function fill (map: HeightMap, corners: readonly Pixel[], bottom: number, top: number): void {
  const ys = corners.map(([, y]) => y + HALF_MM)
  const last = Math.min(SIDE - 1, Math.floor(Math.max(...ys)))
  for (let row = Math.max(0, Math.floor(Math.min(...ys))); row <= last; row++) {
    const y = row + 0.5 - HALF_MM
    const crossings = corners.flatMap(([x1, y1], at) => {
      const [x2, y2] = corners[(at + 1) % corners.length] as Pixel
      return (y1 > y) === (y2 > y) ? [] : [x1 + (y - y1) / (y2 - y1) * (x2 - x1) + HALF_MM]
    }).sort((a, b) => a - b)
    for (let at = 0; at + 1 < crossings.length; at += 2) {
      const [from, to] = [Math.max(0, Math.ceil((crossings[at] as number) - 0.5)), crossings[at + 1] as number]
      for (let column = from; column + 0.5 < to && column < SIDE; column++) mark(map, row * SIDE + column, bottom, top)
    }
  }
}

function addPart (map: HeightMap, part: Part, z: number): void {
  const { x, y, height, outline, bulge, twist, look } = part
  const high = Math.max(LAYER_MM, Math.min(height, z))
  const radius = Math.max(...outline.map(([dx, dy]) => Math.hypot(dx, dy)))
  const ring = (at: number, share = 1): Pixel[] => {
    const grow = share * (1 + bulge * Math.sin(at / height * Math.PI))
    const [cos, sin] = [Math.cos(twist * at), Math.sin(twist * at)]
    return outline.map(([dx, dy]) => [x + (dx * cos - dy * sin) * grow, y + (dx * sin + dy * cos) * grow])
  }
  for (let at = 0; at < high; at += LAYER_MM) {
    const top = Math.min(high, at + LAYER_MM)
    if (look !== 'vase' || at < FLOOR_MM) fill(map, ring(at), at, top)
    else fill(map, [...ring(at), ring(at)[0] as Pixel, ...ringInside(ring(at, 1 - WALL_MM / radius))], at, top)
  }
}

/** The inner rim of a wall, closed, so that only what lies between the two rims is filled. */
const ringInside = (inner: readonly Pixel[]): Pixel[] => [inner[0] as Pixel, ...[...inner].reverse()]

function addDisc (map: HeightMap, { x, y, radius, bottom, top }: Disc): void {
  const [left, right] = [Math.floor(x - radius + HALF_MM), Math.floor(x + radius + HALF_MM)]
  for (let row = Math.floor(y - radius + HALF_MM); row <= Math.floor(y + radius + HALF_MM); row++) {
    for (let column = left; column <= right; column++) {
      if (row >= 0 && column >= 0 && row < SIDE && column < SIDE) mark(map, row * SIDE + column, bottom, top)
    }
  }
}

/**
 * What should lie on the plate once the nozzle has climbed to a height, as the toolpath of the job would tell: drawn
 * from the shapes of the scene in mm, without its camera.
 */
export function outlineAt ({ parts, supports, look, finish }: Plan, z: number): Outline {
  const empty = (): HeightMap => ({ tops: new Uint16Array(SIDE * SIDE), bottoms: new Uint16Array(SIDE * SIDE) })
  const kinds = Object.fromEntries(OUTLINE_KINDS.map(kind => [kind, empty()])) as Record<OutlineKind, HeightMap>
  for (const part of parts) {
    addPart(kinds.part, part, z)
    const its = kinds[look === 'brim' ? 'other' : 'support']
    for (const support of supports.get(part) ?? []) {
      for (const disc of support.solid(Math.max(LAYER_MM, Math.min(part.height, z)))) addDisc(its, disc)
    }
  }
  const layer = Math.round(finish / PRINTED_LAYER_MM * Math.min(1, z / finish))
  const grid = { cellMm: 1, originX: 0, originY: 0, columns: SIDE, rows: SIDE }
  return { ...grid, layer, z: Math.min(finish, z), isWhole: true, kinds }
}
