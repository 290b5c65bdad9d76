import { MOST_OBJECTS } from '../limits.js'
import { MeshBuilder, TriangleBudget, VertexTable } from '../mesh/mesh-builder.js'
import { IndexList } from '../mesh/lists.js'
import { IDENTITY, type Matrix } from '../mesh/mesh.js'
import { Refusal } from '../refusal.js'
import { shownName } from './names.js'
import { XmlScanner, type XmlTag } from './xml-scanner.js'

/** An object that another one consists of, or that is to be built. */
export interface ObjectUse {
  readonly id: string
  /** Of the document that has it; absent: the same. */
  readonly path?: string
  readonly matrix: Matrix
}

export interface ModelObject {
  readonly id: string
  readonly name: string
  /** Helpers, such as supports and modifiers, are no `model`. */
  readonly type: string
  readonly builder: MeshBuilder
  readonly components: readonly ObjectUse[]
}

/** One document of a 3MF archive. */
export interface ModelDocument {
  readonly unit: string
  readonly objects: ReadonlyMap<string, ModelObject>
  readonly items: readonly ObjectUse[]
  /** Items that are marked as not to be printed. */
  readonly hidden: number
  readonly isPainted: boolean
}

/** How large the unit of a document is, mm. */
export const UNITS: Readonly<Record<string, number>> = {
  micron: 0.001, millimeter: 1, centimeter: 10, inch: 25.4, foot: 304.8, meter: 1_000
}

const PAINT = ['paint_color', 'mmu_segmentation', 'paint_supports', 'paint_seam']
const MATRIX_NUMBERS = 12
/** Checked in mm when it is placed; here only for numbers. */
const ANY_SIZE = Number.MAX_VALUE

type Growing = ModelObject & { readonly ids: IndexList, readonly components: ObjectUse[] }

/** Reads `<model>`: its objects, and what of them is built. */
export class ModelDocumentReader {
  readonly #name: string
  readonly #budget: TriangleBudget
  readonly #scanner: XmlScanner
  readonly #objects = new Map<string, ModelObject>()
  readonly #items: ObjectUse[] = []
  #unit = 'millimeter'
  #hidden = 0
  #isPainted = false
  #object: Growing | undefined
  #objectDepth = 0
  #depth = 0

  constructor (name: string, budget: TriangleBudget) {
    this.#name = name
    this.#budget = budget
    this.#scanner = new XmlScanner({
      open: tag => this.#open(tag),
      close: depth => { this.#close(depth) },
      broken: why => this.#refuse(`its XML ${why}`)
    })
  }

  write (bytes: Uint8Array): void { this.#scanner.write(bytes) }

  end (): ModelDocument {
    this.#scanner.end()
    return {
      unit: this.#unit,
      objects: this.#objects,
      items: this.#items,
      hidden: this.#hidden,
      isPainted: this.#isPainted
    }
  }

  #open (tag: XmlTag): void {
    this.#depth++
    if (tag.is('vertex')) this.#vertex(tag)
    else if (tag.is('triangle')) this.#triangle(tag)
    else if (tag.is('object')) this.#begin(tag)
    else if (tag.is('component')) this.#object?.components.push(this.#use(tag))
    else if (tag.is('item')) this.#item(tag)
    else if (tag.is('model')) this.#unit = tag.text('unit') ?? 'millimeter'
  }

  #close (depth: number): void {
    this.#depth = depth
    if (this.#object === undefined || depth >= this.#objectDepth) return
    this.#objects.set(this.#object.id, this.#object)
    this.#object = undefined
    if (this.#objects.size > MOST_OBJECTS) {
      throw new Refusal('large', this.#name, `it has more than ${MOST_OBJECTS} objects. Export fewer at once`)
    }
  }

  #begin (tag: XmlTag): void {
    const id = tag.text('id')
    if (id === undefined || this.#object !== undefined) return this.#refuse('it has an object without a number')
    this.#objectDepth = this.#depth
    this.#object = {
      id,
      name: shownName(tag.text('name') ?? ''),
      type: tag.text('type') ?? 'model',
      builder: new MeshBuilder(new VertexTable(this.#name, ANY_SIZE), this.#budget),
      ids: new IndexList(),
      components: []
    }
  }

  #vertex (tag: XmlTag): void {
    if (this.#object === undefined) return
    const { builder, ids } = this.#object
    ids.push(builder.vertices.add(tag.number('x'), tag.number('y'), tag.number('z')))
  }

  #triangle (tag: XmlTag): void {
    if (this.#object === undefined) return
    const { builder, ids } = this.#object
    const corner = (name: string): number => {
      const index = tag.whole(name)
      return index >= 0 && index < ids.length ? ids.at(index) : this.#refuse('it has a triangle with a corner that does not exist')
    }
    builder.add(corner('v1'), corner('v2'), corner('v3'))
    if (tag.attributes > 3 && !this.#isPainted) this.#isPainted = PAINT.some(name => tag.has(name))
  }

  #item (tag: XmlTag): void {
    if (tag.text('printable') === '0') this.#hidden++
    else this.#items.push(this.#use(tag))
    if (this.#items.length > MOST_OBJECTS) {
      throw new Refusal('large', this.#name, `it places more than ${MOST_OBJECTS} objects. Export fewer at once`)
    }
  }

  #use (tag: XmlTag): ObjectUse {
    const id = tag.text('objectid') ?? this.#refuse('it uses an object without saying which')
    const path = tag.text('path')
    return { id, ...path !== undefined && { path: path.replace(/^\//, '') }, matrix: this.#matrix(tag.text('transform')) }
  }

  /** Columns of a 4 × 3 matrix in the file become rows here. */
  #matrix (text: string | undefined): Matrix {
    if (text === undefined) return IDENTITY
    const m = text.trim().split(/\s+/).map(Number)
    if (m.length !== MATRIX_NUMBERS || !m.every(Number.isFinite)) return this.#refuse('it moves an object by something that is no matrix')
    return [0, 1, 2].flatMap(row => [m[row], m[row + 3], m[row + 6], m[row + 9]]) as unknown as Matrix
  }

  #refuse (what: string): never { throw new Refusal('bad', this.#name, `${what}. Export it again`) }
}
