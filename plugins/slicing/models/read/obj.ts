import { MOST_CORNERS, MOST_LINE_BYTES, MOST_PARTS } from '../limits.js'
import { IndexList } from '../mesh/lists.js'
import { compact, MeshBuilder, TriangleBudget, VertexTable } from '../mesh/mesh-builder.js'
import { triangulate } from '../mesh/triangulate.js'
import { Refusal, type CheckAborted } from '../refusal.js'
import type { ModelFile } from '../tasks.js'
import { filePieces } from './file-pieces.js'
import { joinPatches } from './join-patches.js'
import { shownName, stemOf } from './names.js'
import type { RawModel, RawPart } from './raw-model.js'
import { findWords, isWord, LineSplitter, parseNumber, parseWhole } from './parse-lines.js'

const SLASH = '/'.charCodeAt(0)

/** Reads vertices, faces and groups. Materials and other files that it names are never opened. */
class ObjReader {
  readonly #name: string
  readonly #lines: LineSplitter
  readonly #vertices: VertexTable
  /** The index of each `v` line in the table, whose equal vertices are one. */
  readonly #ids = new IndexList()
  readonly #words = new Int32Array((MOST_CORNERS + 2) * 2)
  readonly #budget: TriangleBudget
  readonly #groups: { readonly name: string, readonly builder: MeshBuilder }[] = []
  #builder: MeshBuilder

  constructor (name: string) {
    this.#name = name
    this.#vertices = new VertexTable(name)
    this.#budget = new TriangleBudget(name)
    this.#builder = this.#begin('')
    this.#lines = new LineSplitter({
      line: (bytes, start, end) => this.#line(bytes, start, end),
      tooLong: () => this.#refuse('is too long')
    }, MOST_LINE_BYTES)
  }

  write (bytes: Uint8Array): void { this.#lines.write(bytes) }

  end (): RawPart[] {
    this.#lines.end()
    const positions = this.#vertices.toArray()
    return this.#groups.filter(({ builder }) => builder.triangles > 0).map(({ name, builder }, index) => ({
      name: name || stemOf(this.#name) + (index === 0 ? '' : ` ${index + 1}`), mesh: compact(builder.build(positions))
    }))
  }

  #begin (name: string): MeshBuilder {
    const builder = new MeshBuilder(this.#vertices, this.#budget)
    if (this.#groups.at(-1)?.builder.triangles === 0) this.#groups.pop()
    this.#groups.push({ name, builder })
    if (this.#groups.length > MOST_PARTS) {
      throw new Refusal('large', this.#name, `it has more than ${MOST_PARTS} groups. Export it as fewer`)
    }
    return builder
  }

  #line (bytes: Uint8Array, start: number, end: number): void {
    const words = this.#words
    const count = findWords(bytes, start, end, words)
    if (count === 0) return
    const [from, to] = [words[0]!, words[1]!]
    if (isWord(bytes, from, to, 'v')) this.#vertex(bytes, count)
    else if (isWord(bytes, from, to, 'f')) this.#face(bytes, count)
    else if (isWord(bytes, from, to, 'o') || isWord(bytes, from, to, 'g')) {
      this.#builder = this.#begin(shownName(Buffer.from(bytes.subarray(to, end)).toString('utf8')))
    }
  }

  #vertex (bytes: Uint8Array, count: number): void {
    if (count < 4) this.#refuse('has a corner without three coordinates')
    const number = (word: number): number => {
      const value = parseNumber(bytes, this.#words[word * 2]!, this.#words[word * 2 + 1]!)
      return Number.isNaN(value) ? this.#refuse('has a coordinate that is no number') : value
    }
    this.#ids.push(this.#vertices.add(number(1), number(2), number(3)))
  }

  #face (bytes: Uint8Array, count: number): void {
    if (count < 4) this.#refuse('has a face with fewer than three corners')
    if (count > MOST_CORNERS + 1) this.#refuse(`has a face with more than ${MOST_CORNERS} corners`)
    const corners: number[] = []
    for (let word = 1; word < count; word++) corners.push(this.#corner(bytes, word))
    if (corners.length === 3) return this.#builder.add(corners[0]!, corners[1]!, corners[2]!)
    for (const [a, b, c] of triangulate(corners, this.#vertices.values)) this.#builder.add(a, b, c)
  }

  /** `7`, `7/1`, `7//3` or `-1`, which is the last vertex so far. */
  #corner (bytes: Uint8Array, word: number): number {
    const [start, end] = [this.#words[word * 2]!, this.#words[word * 2 + 1]!]
    let to = start
    while (to < end && bytes[to] !== SLASH) to++
    const index = parseWhole(bytes, start, to)
    const at = index < 0 ? this.#ids.length + index : index - 1
    if (!(at >= 0 && at < this.#ids.length)) this.#refuse('names a corner that does not exist')
    return this.#ids.at(at)
  }

  #refuse (what: string): never {
    throw new Refusal('bad', this.#name, `line ${this.#lines.number} ${what}. Export it again`)
  }
}

export function readObj (file: ModelFile, checkAborted: CheckAborted): RawModel {
  const reader = new ObjReader(file.name)
  for (const piece of filePieces(file.path, checkAborted)) reader.write(piece)
  const parts = reader.end()
  if (parts.length === 0) {
    throw new Refusal('bad', file.name, 'it holds no faces. Export the model as a mesh, not as points or curves')
  }
  return { format: 'obj', unit: 'millimeter', parts: joinPatches(parts, stemOf(file.name)), problems: [] }
}
