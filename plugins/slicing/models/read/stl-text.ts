import { MOST_LINE_BYTES, MOST_PARTS } from '../limits.js'
import { MeshBuilder, TriangleBudget, VertexTable } from '../mesh/mesh-builder.js'
import { Refusal, type CheckAborted } from '../refusal.js'
import type { ModelFile } from '../tasks.js'
import { filePieces } from './file-pieces.js'
import { joinPatches } from './join-patches.js'
import { shownName, stemOf } from './names.js'
import type { RawModel, RawPart } from './raw-model.js'
import { findWords, isWord, LineSplitter, parseNumber } from './parse-lines.js'

/** Enough for a facet that stands on one line. */
const MOST_WORDS = 64

/** Reads `solid … facet … vertex x y z … endfacet … endsolid`; whatever else stands there is of no use. */
class StlTextReader {
  readonly parts: RawPart[] = []
  readonly #name: string
  readonly #budget: TriangleBudget
  readonly #lines: LineSplitter
  readonly #words = new Int32Array(MOST_WORDS * 2)
  readonly #corners: number[] = []
  #solid = ''
  #builder: MeshBuilder

  constructor (name: string) {
    this.#name = name
    this.#budget = new TriangleBudget(name)
    this.#builder = this.#begin()
    this.#lines = new LineSplitter({
      line: (bytes, start, end) => this.#line(bytes, start, end),
      tooLong: () => this.#refuse('is too long')
    }, MOST_LINE_BYTES)
  }

  write (bytes: Uint8Array): void { this.#lines.write(bytes) }

  end (): void {
    this.#lines.end()
    if (this.#corners.length > 0) {
      throw new Refusal('bad', this.#name, 'it ends in the middle of a triangle. Copy or export it again')
    }
    this.#endSolid()
  }

  #begin (): MeshBuilder { return new MeshBuilder(new VertexTable(this.#name), this.#budget) }

  #line (bytes: Uint8Array, start: number, end: number): void {
    const words = this.#words
    const count = findWords(bytes, start, end, words)
    for (let i = 0; i < count; i++) {
      const [from, to] = [words[i * 2]!, words[i * 2 + 1]!]
      if (isWord(bytes, from, to, 'vertex')) {
        if (i + 3 >= count) this.#refuse('has a corner without three coordinates')
        this.#vertex(bytes, i + 1)
        i += 3
      } else if (isWord(bytes, from, to, 'endfacet')) {
        this.#endFacet()
      } else if (isWord(bytes, from, to, 'solid') && i === 0) {
        this.#endSolid()
        this.#solid = shownName(Buffer.from(bytes.subarray(to, end)).toString('utf8'))
        return
      } else if (isWord(bytes, from, to, 'endsolid')) {
        return
      }
    }
  }

  #vertex (bytes: Uint8Array, word: number): void {
    const number = (which: number): number => {
      const value = parseNumber(bytes, this.#words[which * 2]!, this.#words[which * 2 + 1]!)
      return Number.isNaN(value) ? this.#refuse('has a coordinate that is no number') : value
    }
    this.#corners.push(this.#builder.vertices.add(number(word), number(word + 1), number(word + 2)))
    if (this.#corners.length > 3) this.#refuse('gives a triangle a fourth corner')
  }

  #endFacet (): void {
    const [a, b, c] = this.#corners
    if (a === undefined || b === undefined || c === undefined) this.#refuse('ends a triangle with fewer than three corners')
    this.#builder.add(a, b, c)
    this.#corners.length = 0
  }

  #endSolid (): void {
    if (this.#corners.length > 0) this.#refuse('begins in the middle of a triangle')
    if (this.#builder.triangles > 0) {
      const number = this.parts.length === 0 ? '' : ` ${this.parts.length + 1}`
      this.parts.push({ name: this.#solid || stemOf(this.#name) + number, mesh: this.#builder.build() })
      if (this.parts.length > MOST_PARTS) {
        throw new Refusal('large', this.#name, `it has more than ${MOST_PARTS} parts. Export it as fewer`)
      }
    }
    this.#builder = this.#begin()
  }

  #refuse (what: string): never {
    throw new Refusal('bad', this.#name, `line ${this.#lines.number} ${what}. Export it again`)
  }
}

export function readTextStl (file: ModelFile, checkAborted: CheckAborted): RawModel {
  const reader = new StlTextReader(file.name)
  for (const piece of filePieces(file.path, checkAborted)) reader.write(piece)
  reader.end()
  if (reader.parts.length === 0) throw new Refusal('bad', file.name, 'it holds no triangles. Export the model again')
  return { format: 'stl', unit: 'millimeter', parts: joinPatches(reader.parts, stemOf(file.name)), problems: [] }
}
