import type { Mesh } from './mesh.js'
import { nextEdge, OPEN, type Topology } from './topology.js'

/** Open half-edges by the vertex where they end: the rim of a hole runs against them. */
function rimEdges ({ triangles }: Mesh, { twins }: Topology): Map<number, number[]> {
  const byStart = new Map<number, number[]>()
  for (let edge = 0; edge < triangles.length; edge++) {
    if (twins[edge] !== OPEN) continue
    const start = triangles[nextEdge(edge)]!
    const known = byStart.get(start)
    if (known === undefined) byStart.set(start, [triangles[edge]!])
    else known.push(triangles[edge]!)
  }
  return byStart
}

/** With more, a surface is in pieces that nobody can put together. */
export const MOST_OPEN_EDGES = 300_000

/** Holes of a surface: rims that are connected. @returns undefined for too many to count */
export function countHoles (mesh: Mesh, topology: Topology): number | undefined {
  if (topology.open > MOST_OPEN_EDGES) return undefined
  const parents = new Map<number, number>()
  const rootOf = (vertex: number): number => {
    let root = vertex
    for (let up = parents.get(root); up !== undefined && up !== root; up = parents.get(root)) root = up
    for (let at = vertex; at !== root;) {
      const up = parents.get(at)!
      parents.set(at, root)
      at = up
    }
    return root
  }
  for (const [from, tos] of rimEdges(mesh, topology)) {
    if (!parents.has(from)) parents.set(from, from)
    for (const to of tos) {
      if (!parents.has(to)) parents.set(to, to)
      parents.set(rootOf(to), rootOf(from))
    }
  }
  let holes = 0
  for (const [vertex, parent] of parents) if (vertex === parent) holes++
  return holes
}

/**
 * Rims of holes as closed loops of vertices, each vertex once in a loop, in the order in which triangles that close the
 * hole run. Rims that do not close are left out: then the surface changes its side somewhere.
 */
export function holeLoops (mesh: Mesh, topology: Topology): number[][] {
  const left = rimEdges(mesh, topology)
  const loops: number[][] = []
  for (const first of [...left.keys()]) {
    while ((left.get(first)?.length ?? 0) > 0) walk(first, left, loops)
  }
  return loops
}

/** Follows rims from a vertex until they end, and cuts a loop off whenever the path meets itself. */
function walk (first: number, left: Map<number, number[]>, loops: number[][]): void {
  const path = [first]
  const places = new Map([[first, 0]])
  for (;;) {
    const to = left.get(path.at(-1)!)?.pop()
    if (to === undefined) return
    const seen = places.get(to)
    if (seen === undefined) {
      places.set(to, path.length)
      path.push(to)
      continue
    }
    const loop = path.splice(seen + 1)
    for (const vertex of loop) places.delete(vertex)
    loops.push([to, ...loop])
  }
}
