import type { Mesh } from './mesh.js'
import { isDegenerate, OPEN, type Topology } from './topology.js'

export interface Duplicates {
  /** Triangles that repeat an earlier one. */
  readonly repeated: readonly number[]
  /** Pairs of triangles back to back, which enclose nothing. */
  readonly opposed: readonly number[]
}

/** Whether a triangle runs from its lowest corner to the middle one first. */
const isForward = (a: number, b: number, c: number): boolean => (a < b && b < c) || (b < c && c < a) || (c < a && a < b)

/** Triangles that may have a duplicate, which then lies at each of their edges. */
function candidates ({ triangles }: Mesh, { twins }: Topology): Uint32Array {
  const found: number[] = []
  for (let edge = 0; edge < triangles.length; edge += 3) {
    if (isDegenerate(triangles[edge]!, triangles[edge + 1]!, triangles[edge + 2]!)) continue
    let other = -1
    let isCandidate = true
    for (let at = edge; at < edge + 3 && isCandidate; at++) {
      const twin = twins[at]!
      if (twin === OPEN) isCandidate = false
      if (twin < 0) continue // shared by more than two
      const its = Math.floor(twin / 3)
      isCandidate = other === -1 || other === its
      other = its
    }
    if (isCandidate) found.push(edge / 3)
  }
  return Uint32Array.from(found)
}

export function duplicatesOf (mesh: Mesh, topology: Topology): Duplicates {
  const { triangles } = mesh
  const corners = (triangle: number): [number, number, number] => {
    const at = triangle * 3
    const [a, b, c] = [triangles[at]!, triangles[at + 1]!, triangles[at + 2]!]
    const low = Math.min(a, b, c)
    const high = Math.max(a, b, c)
    return [low, a + b + c - low - high, high]
  }
  const sorted = candidates(mesh, topology).sort((one, other) => {
    const [a, b] = [corners(one), corners(other)]
    return a[0] - b[0] || a[1] - b[1] || a[2] - b[2] || one - other
  })
  const repeated: number[] = []
  const opposed: number[] = []
  let key: readonly number[] = []
  /** The first triangle of each direction with these corners. */
  let first: { ahead?: number, back?: number } = {}
  for (const triangle of sorted) {
    const its = corners(triangle)
    if (its.some((corner, i) => corner !== key[i])) {
      key = its
      first = {}
    }
    const at = triangle * 3
    const side = isForward(triangles[at]!, triangles[at + 1]!, triangles[at + 2]!) ? 'ahead' : 'back'
    if (first[side] !== undefined) {
      repeated.push(triangle)
      continue
    }
    first[side] = triangle
    if (first.ahead !== undefined && first.back !== undefined) opposed.push(first.ahead, first.back)
  }
  return { repeated, opposed }
}
