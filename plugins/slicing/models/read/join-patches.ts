import { MeshBuilder, TriangleBudget, VertexTable } from '../mesh/mesh-builder.js'
import { topologyOf } from '../mesh/topology.js'
import type { RawPart } from './raw-model.js'

/**
 * Some programs write one body as several groups, for its materials or patches. Such groups have holes where they
 * touch: together they have fewer, and become one part. Bodies that are whole stay apart.
 */
export function joinPatches (parts: readonly RawPart[], name: string): readonly RawPart[] {
  if (parts.length < 2) return parts
  const open = parts.reduce((sum, { mesh }) => sum + topologyOf(mesh).open, 0)
  if (open === 0) return parts
  const builder = new MeshBuilder(new VertexTable(name, Infinity), new TriangleBudget(name))
  for (const { mesh: { positions, triangles } } of parts) {
    const corner = (at: number): number => {
      const vertex = triangles[at]! * 3
      return builder.vertices.add(positions[vertex]!, positions[vertex + 1]!, positions[vertex + 2]!)
    }
    for (let at = 0; at < triangles.length; at += 3) builder.add(corner(at), corner(at + 1), corner(at + 2))
  }
  const mesh = builder.build()
  return topologyOf(mesh).open < open ? [{ name, mesh }] : parts
}
