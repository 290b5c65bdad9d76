import { closeSync, openSync, writeSync } from 'node:fs'
import { countTriangles, lengthOf, normalOf, type Mesh } from '../mesh/mesh.js'
import type { CheckAborted } from '../refusal.js'

const HEADER_BYTES = 84
const COUNT_AT = 80
const RECORD_BYTES = 50
const RECORDS_AT_ONCE = 20_000
/** Of a record; its two bytes mean nothing in plain STL. */
const ATTRIBUTE_AT = 48
/** PrusaSlicer takes a file without a byte above 127 in its first 212 for text. */
const NOT_TEXT = 0x8080
const PRIVATE = 0o600

function writeAll (file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
}

function writeRecord (view: DataView, at: number, mesh: Mesh, triangle: number): void {
  const normal = normalOf(mesh, triangle)
  const length = lengthOf(normal) || 1
  for (let axis = 0; axis < 3; axis++) view.setFloat32(at + axis * 4, normal[axis]! / length, true)
  for (let corner = 0; corner < 3; corner++) {
    const from = mesh.triangles[triangle * 3 + corner]! * 3
    for (let axis = 0; axis < 3; axis++) {
      view.setFloat32(at + 12 + corner * 12 + axis * 4, mesh.positions[from + axis]!, true)
    }
  }
}

/** Writes a new binary STL file. */
export function writeStl (path: string, mesh: Mesh, checkAborted: CheckAborted): void {
  const file = openSync(path, 'wx', PRIVATE)
  try {
    const count = countTriangles(mesh)
    const header = Buffer.alloc(HEADER_BYTES)
    header.write('binary STL, mm') // must not begin with `solid`
    header.writeUInt32LE(count, COUNT_AT)
    writeAll(file, header)
    const buffer = new Uint8Array(Math.min(count, RECORDS_AT_ONCE) * RECORD_BYTES)
    const view = new DataView(buffer.buffer)
    for (let first = 0; first < count; first += RECORDS_AT_ONCE) {
      checkAborted()
      const records = Math.min(RECORDS_AT_ONCE, count - first)
      for (let i = 0; i < records; i++) writeRecord(view, i * RECORD_BYTES, mesh, first + i)
      view.setUint16(ATTRIBUTE_AT, first === 0 ? NOT_TEXT : 0, true)
      writeAll(file, buffer.subarray(0, records * RECORD_BYTES))
    }
  } finally {
    closeSync(file)
  }
}
