import { noteProblem } from '../check/problems.js'
import { MOST_DEPTH, MOST_PARTS } from '../limits.js'
import { checkRange, TriangleBudget } from '../mesh/mesh-builder.js'
import { joined, multiply, transformed, type Matrix, type Mesh } from '../mesh/mesh.js'
import { Refusal, type CheckAborted } from '../refusal.js'
import type { ModelFile } from '../tasks.js'
import type { ModelProblem } from '../types.js'
import { inflateEntry, UnpackBudget } from './inflate-entry.js'
import { ModelDocumentReader, UNITS, type ModelDocument, type ModelObject, type ObjectUse } from './model-document.js'
import { shownName, stemOf } from './names.js'
import type { RawModel, RawPart } from './raw-model.js'
import { SlicerConfig } from './slicer-config.js'
import { XmlScanner } from './xml-scanner.js'

const RELATIONS = '_rels/.rels'
const USUAL = '3D/3dmodel.model'
/** Of objects by each other and by the build plate. */
const MOST_USES = 100_000

/** Documents of an archive, read when something refers to them. */
class Documents {
  readonly triangles: TriangleBudget
  readonly #file: ModelFile
  readonly #unpacked = new UnpackBudget()
  readonly #checkAborted: CheckAborted
  readonly #byPath = new Map<string, ModelDocument>()

  constructor (file: ModelFile, checkAborted: CheckAborted) {
    this.#file = file
    this.#checkAborted = checkAborted
    this.triangles = new TriangleBudget(file.name)
  }

  /** Of documents that were read. */
  get all (): readonly ModelDocument[] { return [...this.#byPath.values()] }

  async content (path: string, onPiece: (bytes: Uint8Array) => void): Promise<boolean> {
    const place = this.#file.entries?.[path]
    if (place === undefined) return false
    await inflateEntry(this.#file, place, this.#unpacked, this.#checkAborted, onPiece)
    return true
  }

  async read (path: string): Promise<ModelDocument> {
    const known = this.#byPath.get(path)
    if (known !== undefined) return known
    const reader = new ModelDocumentReader(this.#file.name, this.triangles)
    if (!await this.content(path, bytes => reader.write(bytes))) {
      throw new Refusal('bad', this.#file.name, `it lacks its part '${shownName(path)}'. Export it again`)
    }
    const document = reader.end()
    this.#byPath.set(path, document)
    return document
  }
}

/** Path of the document that an archive begins with. */
async function startPart (file: ModelFile, archive: Documents): Promise<string> {
  let target: string | undefined
  const scanner = new XmlScanner({
    open (tag) {
      if (target === undefined && tag.is('Relationship') && tag.text('Type')?.endsWith('/3dmodel') === true) {
        target = tag.text('Target')?.replace(/^\//, '')
      }
    },
    close () {},
    broken (why) { throw new Refusal('bad', file.name, `its XML ${why}. Export it again`) }
  })
  if (await archive.content(RELATIONS, bytes => scanner.write(bytes))) scanner.end()
  const paths = Object.keys(file.entries ?? {})
  const found = [target, USUAL].find(path => path !== undefined && paths.includes(path))
  if (found === undefined) {
    throw new Refusal('bad', file.name, 'it is an archive without a 3D model. Choose a 3MF, STL or OBJ file')
  }
  return found
}

/** Puts objects together from their components. */
class Assembly {
  readonly #name: string
  readonly #documents: Documents
  readonly #config: SlicerConfig
  /** Of what is put together: a few objects can refer to each other a million times. */
  readonly #budget: TriangleBudget
  readonly #meshes = new Map<ModelObject, Mesh>()
  leftOut = 0
  #uses = 0

  constructor (name: string, documents: Documents, config: SlicerConfig) {
    this.#name = name
    this.#documents = documents
    this.#config = config
    this.#budget = new TriangleBudget(name)
  }

  async object ({ id, path }: ObjectUse, from: string): Promise<{ object: ModelObject, path: string }> {
    const place = path ?? from
    const object = (await this.#documents.read(place)).objects.get(id)
    if (object === undefined) throw new Refusal('bad', this.#name, `it lacks its object ${shownName(id)}. Export it again`)
    return { object, path: place }
  }

  async add (use: ObjectUse, from: string, outer: Matrix, meshes: Mesh[], depth = 0): Promise<void> {
    if (depth > MOST_DEPTH) throw new Refusal('bad', this.#name, 'its objects contain each other. Export it again')
    if (++this.#uses > MOST_USES) throw new Refusal('large', this.#name, 'its objects are used too often. Export fewer at once')
    const { object, path } = await this.object(use, from)
    if (object.type !== 'model') {
      this.leftOut++
      return
    }
    const matrix = multiply(outer, use.matrix)
    if (object.builder.triangles > 0) {
      const mesh = this.#meshOf(object)
      this.#budget.take(mesh.triangles.length / 3)
      meshes.push(transformed(mesh, matrix))
    }
    for (const component of object.components) await this.add(component, path, matrix, meshes, depth + 1)
  }

  #meshOf (object: ModelObject): Mesh {
    let mesh = this.#meshes.get(object)
    if (mesh === undefined) {
      const { kept, left } = this.#config.withoutHelpers(object.id, object.builder.build())
      mesh = kept
      this.leftOut += left
      this.#meshes.set(object, mesh)
    }
    return mesh
  }
}

const scaling = (mm: number): Matrix => [mm, 0, 0, 0, 0, mm, 0, 0, 0, 0, mm, 0]

function notesOf (documents: Documents, leftOut: number): ModelProblem[] {
  const hidden = documents.all.reduce((sum, document) => sum + document.hidden, 0)
  const notes = []
  if (leftOut > 0) {
    notes.push(noteProblem('helpers-left-out', `${leftOut} helper volumes of the slicer, such as modifiers or supports, were left out.`,
      'If the print needs them, slice the project in the slicer that made it.', { volumes: leftOut }))
  }
  if (hidden > 0) {
    notes.push(noteProblem('hidden-left-out', `${hidden} objects that are marked as not to be printed were left out.`,
      'Mark them as printable in the slicer and save the project again.', { objects: hidden }))
  }
  if (documents.all.some(({ isPainted }) => isPainted)) {
    notes.push(noteProblem('paint-left-out', 'Colours, supports or seams that are painted on the model were left out.',
      'If the print needs them, slice the project in the slicer that made it.'))
  }
  return notes
}

/** Reads the geometry of a 3MF archive, also of a slicer's project. */
export async function readThreeMf (file: ModelFile, checkAborted: CheckAborted): Promise<RawModel> {
  const { name } = file
  if (file.isSliced) throw new Refusal('bad', name, 'it is already sliced: print it instead of slicing it again')
  const documents = new Documents(file, checkAborted)
  const root = await startPart(file, documents)
  const document = await documents.read(root)
  const mm = UNITS[document.unit]
  if (mm === undefined) throw new Refusal('bad', name, `its unit '${shownName(document.unit)}' is unknown. Export it in millimetres`)
  const config = new SlicerConfig()
  await config.read((path, onPiece) => documents.content(path, onPiece))
  const assembly = new Assembly(name, documents, config)
  const parts: RawPart[] = []
  for (const item of document.items) {
    checkAborted()
    const meshes: Mesh[] = []
    await assembly.add(item, root, scaling(mm), meshes)
    const mesh = joined(meshes)
    if (mesh.triangles.length === 0) continue
    checkRange(mesh, name)
    const { object } = await assembly.object(item, root)
    parts.push({ name: object.name || config.nameOf(object.id) || stemOf(name) + (parts.length === 0 ? '' : ` ${parts.length + 1}`), mesh })
    if (parts.length > MOST_PARTS) throw new Refusal('large', name, `it has more than ${MOST_PARTS} parts. Export fewer at once`)
  }
  if (parts.length === 0) throw new Refusal('bad', name, 'it holds no model, or none that is marked as printable. Export one')
  return { format: '3mf', unit: document.unit, parts, problems: notesOf(documents, assembly.leftOut) }
}
