/** A surface of triangles whose corners are shared. Treated as immutable once built. */
export interface Mesh {
  /** x, y and z of each vertex. */
  readonly positions: Float32Array
  /** Three vertices for each triangle, counter-clockwise seen from outside. */
  readonly triangles: Uint32Array
}

export type Vector = readonly [x: number, y: number, z: number]

export interface Box { readonly min: Vector, readonly max: Vector }

/** Rows of a 3 × 4 matrix: a point p becomes M·(p, 1). */
export type Matrix = readonly [
  number, number, number, number, number, number, number, number, number, number, number, number
]

export const IDENTITY: Matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]

export const countTriangles = (mesh: Mesh): number => mesh.triangles.length / 3

export const sizeOf = ({ min, max }: Box): Vector => [max[0] - min[0], max[1] - min[1], max[2] - min[2]]

/** Of vertices that are used; all zero without any triangle. */
export function boxOf ({ positions, triangles }: Mesh): Box {
  if (triangles.length === 0) return { min: [0, 0, 0], max: [0, 0, 0] }
  let [minX, minY, minZ, maxX, maxY, maxZ] = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]
  for (let i = 0; i < triangles.length; i++) {
    const at = triangles[i]! * 3
    const x = positions[at]!
    const y = positions[at + 1]!
    const z = positions[at + 2]!
    if (x < minX) minX = x
    if (x > maxX) maxX = x
    if (y < minY) minY = y
    if (y > maxY) maxY = y
    if (z < minZ) minZ = z
    if (z > maxZ) maxZ = z
  }
  return { min: [minX, minY, minZ], max: [maxX, maxY, maxZ] }
}

/** Signed volume between a triangle and a point, times six. */
export function sixfoldVolume ({ positions, triangles }: Mesh, triangle: number, [ox, oy, oz]: Vector): number {
  const a = triangles[triangle * 3]! * 3
  const b = triangles[triangle * 3 + 1]! * 3
  const c = triangles[triangle * 3 + 2]! * 3
  const ax = positions[a]! - ox
  const ay = positions[a + 1]! - oy
  const az = positions[a + 2]! - oz
  const bx = positions[b]! - ox
  const by = positions[b + 1]! - oy
  const bz = positions[b + 2]! - oz
  const cx = positions[c]! - ox
  const cy = positions[c + 1]! - oy
  const cz = positions[c + 2]! - oz
  return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
}

/** Enclosed volume; negative when the surface is inside out. Measured from the middle, where rounding matters least. */
export function volumeOf (mesh: Mesh, { min, max }: Box = boxOf(mesh)): number {
  const middle: Vector = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2]
  let sum = 0
  for (let triangle = 0; triangle < countTriangles(mesh); triangle++) sum += sixfoldVolume(mesh, triangle, middle)
  return sum / 6
}

/** Normal of a triangle with the length of twice its area. */
export function normalOf ({ positions, triangles }: Mesh, triangle: number): [number, number, number] {
  const a = triangles[triangle * 3]! * 3
  const b = triangles[triangle * 3 + 1]! * 3
  const c = triangles[triangle * 3 + 2]! * 3
  const ux = positions[b]! - positions[a]!
  const uy = positions[b + 1]! - positions[a + 1]!
  const uz = positions[b + 2]! - positions[a + 2]!
  const vx = positions[c]! - positions[a]!
  const vy = positions[c + 1]! - positions[a + 1]!
  const vz = positions[c + 2]! - positions[a + 2]!
  return [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]
}

/** Faster than the library's, which is made for any number of values. */
export const lengthOf = (vector: Vector): number =>
  Math.sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2])

/** First `inner`, then `outer`. */
export function multiply (outer: Matrix, inner: Matrix): Matrix {
  const cell = (row: number, column: number): number => {
    const at = row * 4
    const shift = column === 3 ? outer[at + 3]! : 0
    return outer[at]! * inner[column]! + outer[at + 1]! * inner[column + 4]! +
      outer[at + 2]! * inner[column + 8]! + shift
  }
  return [0, 1, 2].flatMap(row => [0, 1, 2, 3].map(column => cell(row, column))) as unknown as Matrix
}

const determinantOf = (m: Matrix): number =>
  m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) + m[2] * (m[4] * m[9] - m[5] * m[8])

/** A mirrored surface is turned, so that its outside stays outside. */
export function transformed ({ positions, triangles }: Mesh, m: Matrix): Mesh {
  const moved = new Float32Array(positions.length)
  for (let at = 0; at < positions.length; at += 3) {
    const x = positions[at]!
    const y = positions[at + 1]!
    const z = positions[at + 2]!
    moved[at] = m[0] * x + m[1] * y + m[2] * z + m[3]
    moved[at + 1] = m[4] * x + m[5] * y + m[6] * z + m[7]
    moved[at + 2] = m[8] * x + m[9] * y + m[10] * z + m[11]
  }
  if (determinantOf(m) >= 0) return { positions: moved, triangles }
  const turned = triangles.slice()
  for (let at = 0; at < turned.length; at += 3) {
    turned[at + 1] = triangles[at + 2]!
    turned[at + 2] = triangles[at + 1]!
  }
  return { positions: moved, triangles: turned }
}

/** Several surfaces as one; vertices at the same place stay apart. */
export function joined (meshes: readonly Mesh[]): Mesh {
  const [only] = meshes
  if (only !== undefined && meshes.length === 1) return only
  const positions = new Float32Array(meshes.reduce((sum, mesh) => sum + mesh.positions.length, 0))
  const triangles = new Uint32Array(meshes.reduce((sum, mesh) => sum + mesh.triangles.length, 0))
  let vertices = 0
  let at = 0
  for (const mesh of meshes) {
    positions.set(mesh.positions, vertices * 3)
    for (const vertex of mesh.triangles) triangles[at++] = vertex + vertices
    vertices += mesh.positions.length / 3
  }
  return { positions, triangles }
}
