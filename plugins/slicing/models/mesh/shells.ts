import { boxOf, countTriangles, sixfoldVolume, type Box, type Mesh, type Vector } from './mesh.js'
import type { Topology } from './topology.js'

/** A body of a mesh: triangles that are connected by edges. */
export interface Shell {
  readonly box: Box
  readonly triangles: number
  /** Signed; of a shell with holes an estimate. */
  readonly volume: number
}

export interface Shells {
  /** Shell of each triangle. */
  readonly shellOf: Uint32Array
  readonly shells: readonly Shell[]
}

interface Growing { min: [number, number, number], max: [number, number, number], triangles: number, sixfold: number }

/** Labels triangles by what is connected over edges with two triangles. */
function label ({ triangles }: Mesh, { twins }: Topology): { shellOf: Uint32Array, count: number } {
  const shellOf = new Uint32Array(triangles.length / 3) // 0 is unseen while it is filled
  const stack: number[] = []
  let count = 0
  for (let first = 0; first < shellOf.length; first++) {
    if (shellOf[first] !== 0) continue
    shellOf[first] = ++count
    stack.push(first)
    for (let triangle = stack.pop(); triangle !== undefined; triangle = stack.pop()) {
      for (let edge = triangle * 3; edge < triangle * 3 + 3; edge++) {
        const twin = twins[edge]!
        const other = Math.floor(twin / 3)
        if (twin < 0 || shellOf[other] !== 0) continue
        shellOf[other] = count
        stack.push(other)
      }
    }
  }
  for (let triangle = 0; triangle < shellOf.length; triangle++) shellOf[triangle]!--
  return { shellOf, count }
}

/** More are crumbs: what they say of each other is not worth the memory. */
const MOST_SHELLS = 100_000

/** @returns undefined when there are too many */
export function shellsOf (mesh: Mesh, topology: Topology): Shells | undefined {
  const { shellOf, count } = label(mesh, topology)
  if (count > MOST_SHELLS) return undefined
  const { positions, triangles } = mesh
  const { min, max } = boxOf(mesh)
  const middle: Vector = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2]
  const growing = Array.from({ length: count }, (): Growing => ({
    min: [Infinity, Infinity, Infinity], max: [-Infinity, -Infinity, -Infinity], triangles: 0, sixfold: 0
  }))
  for (let triangle = 0; triangle < countTriangles(mesh); triangle++) {
    const shell = growing[shellOf[triangle]!]!
    shell.triangles++
    shell.sixfold += sixfoldVolume(mesh, triangle, middle)
    for (let corner = triangle * 3; corner < triangle * 3 + 3; corner++) {
      const at = triangles[corner]! * 3
      for (let axis = 0; axis < 3; axis++) {
        const value = positions[at + axis]!
        if (value < shell.min[axis]!) shell.min[axis] = value
        if (value > shell.max[axis]!) shell.max[axis] = value
      }
    }
  }
  const shells = growing.map(({ min, max, triangles, sixfold }) =>
    ({ box: { min, max }, triangles, volume: sixfold / 6 }))
  return { shellOf, shells }
}

const contains = (outer: Box, inner: Box): boolean =>
  [0, 1, 2].every(axis => outer.min[axis]! <= inner.min[axis]! && outer.max[axis]! >= inner.max[axis]!)

/** Triangles that are looked at in all, to find out what is inside what. */
const MOST_TESTS = 30_000_000

/**
 * Shells that are inside out: their volume is negative, and they are no cavity of another shell. A cavity lies inside
 * an odd number of shells.
 */
export function insideOut (mesh: Mesh, { shellOf, shells }: Shells): Set<number> {
  const negative = shells.flatMap(({ volume }, index) => volume < 0 ? [index] : [])
  const found = new Set<number>()
  let tests = 0
  for (const index of negative) {
    tests += shells.length
    const inner = shells[index]!.box
    const around = shells.flatMap(({ box }, other) => other !== index && contains(box, inner) ? [other] : [])
    tests += around.length === 0 ? 0 : shellOf.length
    if (tests > MOST_TESTS) break // the rest is taken for cavities
    if (around.length === 0) {
      found.add(index)
      continue
    }
    if (countAround(mesh, shellOf, index, new Set(around)) % 2 === 0) found.add(index)
  }
  return found
}

/** In how many of these shells a shell lies. A ray from one of its corners says it. */
function countAround (mesh: Mesh, shellOf: Uint32Array, index: number, around: ReadonlySet<number>): number {
  const first = mesh.triangles[shellOf.indexOf(index) * 3]! * 3
  const origin: Vector = [mesh.positions[first]!, mesh.positions[first + 1]!, mesh.positions[first + 2]!]
  const crossings = new Map<number, number>()
  for (let triangle = 0; triangle < shellOf.length; triangle++) {
    const shell = shellOf[triangle]!
    if (around.has(shell) && crosses(mesh, triangle, origin)) crossings.set(shell, (crossings.get(shell) ?? 0) + 1)
  }
  return [...crossings.values()].filter(count => count % 2 === 1).length
}

/** Slightly askew, so that it does not run along edges of models made of right angles. */
const [RAY_X, RAY_Y] = [0.0123456789, 0.0234567891]

/** Whether a ray upwards from the origin passes through a triangle. */
function crosses ({ positions, triangles }: Mesh, triangle: number, [ox, oy, oz]: Vector): boolean {
  const point = (corner: number): [number, number, number] => {
    const at = triangles[triangle * 3 + corner]! * 3
    const z = positions[at + 2]! - oz
    return [positions[at]! - ox - z * RAY_X, positions[at + 1]! - oy - z * RAY_Y, z]
  }
  const [a, b, c] = [point(0), point(1), point(2)]
  const ab = a[0] * b[1] - b[0] * a[1]
  const bc = b[0] * c[1] - c[0] * b[1]
  const ca = c[0] * a[1] - a[0] * c[1]
  if (!((ab > 0 && bc > 0 && ca > 0) || (ab < 0 && bc < 0 && ca < 0))) return false
  return (a[2] * bc + b[2] * ca + c[2] * ab) / (ab + bc + ca) > 0
}
