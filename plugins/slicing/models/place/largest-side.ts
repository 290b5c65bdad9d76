import { boxOf, countTriangles, lengthOf, normalOf, sizeOf, type Mesh, type Vector } from '../mesh/mesh.js'

/** Steps into which a direction is rounded, and a distance, mm: triangles of one side share both. */
const STEPS = 1_000
const DISTANCE_MM = 0.05
const [WIDE, FAR] = [2 * STEPS + 1, 2 ** 20]
const MOST_SIDES = 300_000
/** Sides that are tried, the largest first. */
const MOST_TRIED = 64
/** How far corners may lie below a side that the model stands on, of its size. */
const SLACK_SHARE = 1e-3
/** Of the largest side of the box: on less, a model does not stand. */
const LEAST_SHARE = 0.01

interface Side { normal: Vector, distance: number, area: number }

/** Flat sides of a model: triangles in one plane, wherever they are. */
function sidesOf (mesh: Mesh): Side[] {
  const sides = new Map<number, Side>()
  for (let triangle = 0; triangle < countTriangles(mesh); triangle++) {
    const its = normalOf(mesh, triangle)
    const length = lengthOf(its)
    if (length === 0) continue
    const normal: Vector = [its[0] / length, its[1] / length, its[2] / length]
    const at = mesh.triangles[triangle * 3]! * 3
    const { positions } = mesh
    const distance = normal[0] * positions[at]! + normal[1] * positions[at + 1]! + normal[2] * positions[at + 2]!
    const [i, j, k] = normal.map(value => Math.round(value * STEPS) + STEPS) as [number, number, number]
    const key = ((i * WIDE + j) * WIDE + k) * FAR + Math.round(distance / DISTANCE_MM) + FAR / 2
    const known = sides.get(key)
    if (known !== undefined) known.area += length / 2
    else if (sides.size < MOST_SIDES) sides.set(key, { normal, distance, area: length / 2 })
  }
  return [...sides.values()]
}

/** Whether the whole model lies on the inner side of a plane: it can stand on it. */
function carries ({ positions, triangles }: Mesh, { normal, distance }: Side, slack: number): boolean {
  for (const vertex of triangles) {
    const at = vertex * 3
    const here = normal[0] * positions[at]! + normal[1] * positions[at + 1]! + normal[2] * positions[at + 2]!
    if (here > distance + slack) return false
  }
  return true
}

/**
 * The direction, as seen from inside, of the largest flat side that a model can stand on.
 * @returns undefined when it has none
 */
export function largestSide (mesh: Mesh): Vector | undefined {
  const [x, y, z] = sizeOf(boxOf(mesh))
  const slack = Math.max(DISTANCE_MM, Math.max(x, y, z) * SLACK_SHARE)
  const least = Math.max(x * y, y * z, z * x) * LEAST_SHARE
  const tried = sidesOf(mesh).filter(({ area }) => area >= least).sort((a, b) => b.area - a.area).slice(0, MOST_TRIED)
  return tried.find(side => carries(mesh, side, slack))?.normal
}
