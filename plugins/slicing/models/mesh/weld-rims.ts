import { boxOf, sizeOf, type Mesh } from './mesh.js'
import { nextEdge, OPEN, type Topology } from './topology.js'

/** Of the diagonal: how far two rims may lie apart that were one edge before numbers were rounded. */
const SHARE = 5e-5
const [LEAST_MM, MOST_MM] = [0.001, 0.05]
const [PRIME_X, PRIME_Y, PRIME_Z] = [73_856_093, 19_349_663, 83_492_791]

/** Vertices of rims by the cell of a grid that they lie in. */
class RimGrid {
  readonly #positions: Float32Array
  readonly #cell: number
  readonly #cells = new Map<number, number[]>()

  constructor (positions: Float32Array, cell: number) {
    this.#positions = positions
    this.#cell = cell
  }

  /** @returns a vertex that was added before and lies within a cell's length, or the vertex itself */
  add (vertex: number): number {
    const [x, y, z] = [0, 1, 2].map(axis => Math.floor(this.#positions[vertex * 3 + axis]! / this.#cell)) as
      [number, number, number]
    for (let i = 0; i < 27; i++) {
      const key = this.#key(x + i % 3 - 1, y + Math.floor(i / 3) % 3 - 1, z + Math.floor(i / 9) - 1)
      const found = this.#cells.get(key)?.find(other => this.#isNear(vertex, other))
      if (found !== undefined) return found
    }
    const key = this.#key(x, y, z)
    const known = this.#cells.get(key)
    if (known === undefined) this.#cells.set(key, [vertex])
    else known.push(vertex)
    return vertex
  }

  #key (x: number, y: number, z: number): number {
    return (Math.imul(x, PRIME_X) ^ Math.imul(y, PRIME_Y) ^ Math.imul(z, PRIME_Z)) >>> 0
  }

  #isNear (a: number, b: number): boolean {
    const [x, y, z] = [0, 1, 2].map(axis => this.#positions[a * 3 + axis]! - this.#positions[b * 3 + axis]!) as
      [number, number, number]
    return x * x + y * y + z * z <= this.#cell * this.#cell
  }
}

/** Joins vertices at the rims of holes that lie so close together that they were meant to be one. */
export function weldRims (mesh: Mesh, { twins }: Topology): Mesh {
  const { positions, triangles } = mesh
  const tolerance = Math.min(MOST_MM, Math.max(LEAST_MM, Math.hypot(...sizeOf(boxOf(mesh))) * SHARE))
  const grid = new RimGrid(positions, tolerance)
  const places = Uint32Array.from({ length: positions.length / 3 }, (_, vertex) => vertex)
  const isSeen = new Uint8Array(places.length)
  for (let edge = 0; edge < triangles.length; edge++) {
    if (twins[edge] !== OPEN) continue
    for (const vertex of [triangles[edge]!, triangles[nextEdge(edge)]!]) {
      if (isSeen[vertex] !== 0) continue
      isSeen[vertex] = 1
      places[vertex] = grid.add(vertex)
    }
  }
  return { positions, triangles: triangles.map(vertex => places[vertex]!) }
}
