import { noteProblem } from '../check/problems.js'
import { MOST_TRIANGLES } from '../limits.js'
import { MeshBuilder, TriangleBudget, VertexTable } from '../mesh/mesh-builder.js'
import { Refusal, type CheckAborted } from '../refusal.js'
import type { ModelFile } from '../tasks.js'
import type { ModelProblem } from '../types.js'
import { filePieces } from './file-pieces.js'
import { stemOf } from './names.js'
import type { RawModel } from './raw-model.js'

const HEADER_BYTES = 84
const COUNT_AT = 80
const RECORD_BYTES = 50
/** After the normal, which follows from the corners. */
const CORNERS_AT = 12
const CORNER_BYTES = 12

/** How many triangles the header declares; undefined for a file without one. */
export function declaredTriangles (head: Uint8Array): number | undefined {
  if (head.length < HEADER_BYTES) return undefined
  return new DataView(head.buffer, head.byteOffset, head.length).getUint32(COUNT_AT, true)
}

/** Whether the size is what the header declares, to the byte. */
export const hasDeclaredSize = (head: Uint8Array, bytes: number): boolean => {
  const declared = declaredTriangles(head)
  return declared !== undefined && declared > 0 && bytes === HEADER_BYTES + declared * RECORD_BYTES
}

/** The declared count decides nothing before it is compared with the file. */
function checkSize (file: ModelFile, declared: number): readonly ModelProblem[] {
  const { name, bytes } = file
  const complete = Math.floor((bytes - HEADER_BYTES) / RECORD_BYTES)
  if (declared > complete) {
    throw new Refusal('bad', name, `it ends after ${complete} of ${declared} triangles, or is no STL file. ` +
      'Copy or export it again')
  }
  if (declared > MOST_TRIANGLES) new TriangleBudget(name).take(declared)
  const extra = bytes - HEADER_BYTES - declared * RECORD_BYTES
  if (extra === 0) return []
  return [noteProblem('extra-bytes', `${extra} bytes after the last triangle were not read.`,
    'If something is missing, export the model again.', { bytes: extra })]
}

export function readBinaryStl (file: ModelFile, head: Uint8Array, checkAborted: CheckAborted): RawModel {
  const declared = declaredTriangles(head) ?? 0
  const problems = checkSize(file, declared)
  const vertices = new VertexTable(file.name)
  const builder = new MeshBuilder(vertices, new TriangleBudget(file.name))
  const end = HEADER_BYTES + declared * RECORD_BYTES
  for (const piece of filePieces(file.path, checkAborted, { start: HEADER_BYTES, end, recordBytes: RECORD_BYTES })) {
    const view = new DataView(piece.buffer, piece.byteOffset, piece.length)
    for (let at = CORNERS_AT; at + 3 * CORNER_BYTES <= piece.length; at += RECORD_BYTES) {
      const corner = (from: number): number =>
        vertices.add(view.getFloat32(from, true), view.getFloat32(from + 4, true), view.getFloat32(from + 8, true))
      builder.add(corner(at), corner(at + CORNER_BYTES), corner(at + 2 * CORNER_BYTES))
    }
  }
  if (builder.triangles === 0) throw new Refusal('bad', file.name, 'it holds no triangles. Export the model again')
  return { format: 'stl', unit: 'millimeter', parts: [{ name: stemOf(file.name), mesh: builder.build() }], problems }
}
