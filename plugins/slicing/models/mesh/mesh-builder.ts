import { randomInt } from 'node:crypto'
import { MOST_MM, MOST_TRIANGLES, MOST_VERTICES } from '../limits.js'
import { Refusal } from '../refusal.js'
import { FloatList, IndexList } from './lists.js'
import type { Mesh } from './mesh.js'

const MILLION = 1e6
const FIRST_SLOTS = 1_024
/** Of the table, before it grows. */
const MOST_LOAD = 0.6
/** Odd, so that no file can be made whose vertices all fall on one slot. */
const [SEED_X, SEED_Y, SEED_Z] = [0, 0, 0].map(() => randomInt(2 ** 31) * 2 + 1) as [number, number, number]

function refusePoint (x: number, y: number, z: number, name: string): never {
  if (Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(z)) {
    throw new Refusal('bad', name, `it has a point more than ${MOST_MM / 1_000} m away from its origin. ` +
      'Move the model to the origin, or scale it down, and export it again')
  }
  throw new Refusal('bad', name, 'it has coordinates that are no numbers. Export it again')
}

/** Refuses a mesh, in mm, that reaches too far. */
export function checkRange ({ positions }: Mesh, name: string): void {
  for (let at = 0; at < positions.length; at += 3) {
    const x = positions[at]!
    const y = positions[at + 1]!
    const z = positions[at + 2]!
    if (!(Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) <= MOST_MM)) refusePoint(x, y, z, name)
  }
}

/** Vertices of a file; equal ones become one. */
export class VertexTable {
  readonly #name: string
  readonly #most: number
  readonly #positions = new FloatList()
  readonly #floats = new Float32Array(3)
  readonly #bits = new Uint32Array(this.#floats.buffer)
  #slots = new Int32Array(FIRST_SLOTS)
  #added = 0

  /** @param most in the unit of the file */
  constructor (name: string, most = MOST_MM) {
    this.#name = name
    this.#most = most
  }

  get size (): number { return this.#positions.length / 3 }

  /** @returns its index */
  add (x: number, y: number, z: number): number {
    this.#check(x, y, z)
    if (++this.#added > MOST_VERTICES) {
      throw new Refusal('large', this.#name, `it has more than ${MOST_VERTICES / MILLION} million corners. Export it with fewer triangles`)
    }
    this.#floats[0] = x + 0 // -0 is 0
    this.#floats[1] = y + 0
    this.#floats[2] = z + 0
    if (this.size >= this.#slots.length * MOST_LOAD) this.#grow()
    let slot = this.#slotOf(this.#bits[0]!, this.#bits[1]!, this.#bits[2]!)
    const sx = this.#floats[0]!
    const sy = this.#floats[1]!
    const sz = this.#floats[2]!
    for (;;) {
      const found = this.#slots[slot]! - 1
      if (found < 0) break
      const { values } = this.#positions
      if (values[found * 3] === sx && values[found * 3 + 1] === sy && values[found * 3 + 2] === sz) return found
      slot = (slot + 1) & (this.#slots.length - 1)
    }
    const index = this.size
    this.#positions.push3(sx, sy, sz)
    this.#slots[slot] = index + 1
    return index
  }

  /** Longer than the table; replaced when it grows. */
  get values (): Float32Array { return this.#positions.values }

  toArray (): Float32Array { return this.#positions.toArray() }

  #check (x: number, y: number, z: number): void {
    const most = this.#most
    if (x >= -most && x <= most && y >= -most && y <= most && z >= -most && z <= most) return
    refusePoint(x, y, z, this.#name)
  }

  #slotOf (x: number, y: number, z: number): number {
    let hash = Math.imul(x, SEED_X)
    hash ^= Math.imul((y << 11) | (y >>> 21), SEED_Y) ^ Math.imul((z << 22) | (z >>> 10), SEED_Z)
    hash = Math.imul(hash ^ (hash >>> 15), SEED_Y)
    hash = Math.imul(hash ^ (hash >>> 13), SEED_Z)
    return (hash ^ (hash >>> 16)) & (this.#slots.length - 1)
  }

  #grow (): void {
    const bits = new Uint32Array(this.#positions.values.buffer)
    this.#slots = new Int32Array(this.#slots.length * 2)
    for (let index = 0; index < this.size; index++) {
      let slot = this.#slotOf(bits[index * 3]!, bits[index * 3 + 1]!, bits[index * 3 + 2]!)
      while (this.#slots[slot] !== 0) slot = (slot + 1) & (this.#slots.length - 1)
      this.#slots[slot] = index + 1
    }
  }
}

/** Counts the triangles of a file, whatever part they belong to. */
export class TriangleBudget {
  readonly #name: string
  #count = 0

  constructor (name: string) { this.#name = name }

  take (count = 1): void {
    this.#count += count
    if (this.#count > MOST_TRIANGLES) {
      throw new Refusal('large', this.#name,
        `it has more than ${MOST_TRIANGLES / MILLION} million triangles. Reduce them in the program that made it`)
    }
  }
}

/** Triangles of a part. */
export class MeshBuilder {
  readonly vertices: VertexTable
  readonly #budget: TriangleBudget
  readonly #triangles = new IndexList()

  constructor (vertices: VertexTable, budget: TriangleBudget) {
    this.vertices = vertices
    this.#budget = budget
  }

  get triangles (): number { return this.#triangles.length / 3 }

  add (a: number, b: number, c: number): void {
    this.#budget.take()
    this.#triangles.push3(a, b, c)
  }

  build (positions = this.vertices.toArray()): Mesh { return { positions, triangles: this.#triangles.toArray() } }
}

/** Without vertices that no triangle uses. */
export function compact ({ positions, triangles }: Mesh): Mesh {
  const places = new Uint32Array(positions.length / 3)
  const used = new FloatList()
  const renumbered = new Uint32Array(triangles.length)
  for (let i = 0; i < triangles.length; i++) {
    const vertex = triangles[i]!
    if (places[vertex] === 0) {
      used.push3(positions[vertex * 3]!, positions[vertex * 3 + 1]!, positions[vertex * 3 + 2]!)
      places[vertex] = used.length / 3
    }
    renumbered[i] = places[vertex]! - 1
  }
  return { positions: used.toArray(), triangles: renumbered }
}
