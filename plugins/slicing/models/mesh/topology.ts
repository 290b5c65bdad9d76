import type { Mesh } from './mesh.js'

/** A half-edge without a partner: the rim of a hole. */
export const OPEN = -1
/** A half-edge of an edge with more than two triangles. */
export const SHARED = -2
/** A half-edge of a triangle that uses a vertex twice. */
export const NONE = -3

/**
 * Which triangles meet at which edges. Half-edge 3·t + k runs from corner k of triangle t to the next one.
 * Triangles that use a vertex twice take no part.
 */
export interface Topology {
  /** The half-edge on the other side, or one of the marks. */
  readonly twins: Int32Array
  /** Edges with one triangle. */
  readonly open: number
  /** Edges whose two triangles disagree about what is outside. */
  readonly flipped: number
  /** Edges with more than two triangles. */
  readonly shared: number
  /** Of those, edges whose triangles are not pairs that run in opposite directions. */
  readonly uneven: number
}

/** Longer lists are sorted by the library. */
const SHORT_LIST = 48
/** Above any half-edge: both numbers fit into one. */
const RADIX = 2 ** 25

export const nextEdge = (edge: number): number => edge % 3 === 2 ? edge - 2 : edge + 1

export const isDegenerate = (a: number, b: number, c: number): boolean => a === b || b === c || c === a

/** Half-edges by the lower of their vertices: those of vertex v are at `starts[v]` to `starts[v + 1]`. */
function edgesByVertex (
  { positions, triangles }: Mesh, twins: Int32Array
): { readonly starts: Uint32Array, readonly edges: Uint32Array } {
  const starts = new Uint32Array(positions.length / 3 + 1)
  const lowerOf = (edge: number): number => Math.min(triangles[edge]!, triangles[nextEdge(edge)]!)
  let count = 0
  for (let edge = 0; edge < triangles.length; edge += 3) {
    if (isDegenerate(triangles[edge]!, triangles[edge + 1]!, triangles[edge + 2]!)) {
      twins.fill(NONE, edge, edge + 3)
      continue
    }
    for (let k = 0; k < 3; k++) starts[lowerOf(edge + k) + 1]!++
    count += 3
  }
  for (let vertex = 1; vertex < starts.length; vertex++) starts[vertex]! += starts[vertex - 1]!
  const edges = new Uint32Array(count)
  const filled = starts.slice()
  for (let edge = 0; edge < triangles.length; edge++) {
    if (twins[edge] !== NONE) edges[filled[lowerOf(edge)]!++] = edge
  }
  return { starts, edges }
}

/** Sorts the half-edges of one vertex by their higher vertex. */
function sortByHigher (edges: Uint32Array, start: number, end: number, higherOf: (edge: number) => number): void {
  if (end - start > SHORT_LIST) {
    const keys = Float64Array.from(edges.subarray(start, end), edge => higherOf(edge) * RADIX + edge).sort()
    keys.forEach((key, index) => { edges[start + index] = key % RADIX })
    return
  }
  for (let i = start + 1; i < end; i++) {
    const edge = edges[i]!
    const key = higherOf(edge)
    let at = i
    while (at > start && higherOf(edges[at - 1]!) > key) {
      edges[at] = edges[at - 1]!
      at--
    }
    edges[at] = edge
  }
}

export function topologyOf (mesh: Mesh): Topology {
  const { triangles } = mesh
  const twins = new Int32Array(triangles.length)
  const { starts, edges } = edgesByVertex(mesh, twins)
  const higherOf = (edge: number): number => Math.max(triangles[edge]!, triangles[nextEdge(edge)]!)
  let [open, flipped, shared, uneven] = [0, 0, 0, 0]
  const mark = (from: number, to: number): void => {
    const [first, second] = [edges[from]!, edges[from + 1]!]
    if (to - from === 1) {
      twins[first] = OPEN
      open++
    } else if (to - from === 2) {
      twins[first] = second
      twins[second] = first
      if (triangles[first] === triangles[second]) flipped++
    } else {
      let balance = 0
      for (let i = from; i < to; i++) {
        balance += triangles[edges[i]!] === triangles[first] ? 1 : -1
        twins[edges[i]!] = SHARED
      }
      shared++
      if (balance !== 0) uneven++
    }
  }
  for (let vertex = 0; vertex + 1 < starts.length; vertex++) {
    const [start, end] = [starts[vertex]!, starts[vertex + 1]!]
    if (end - start > 1) sortByHigher(edges, start, end, higherOf)
    for (let from = start; from < end;) {
      const higher = higherOf(edges[from]!)
      let to = from + 1
      while (to < end && higherOf(edges[to]!) === higher) to++
      mark(from, to)
      from = to
    }
  }
  return { twins, open, flipped, shared, uneven }
}
