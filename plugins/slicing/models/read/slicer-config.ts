import type { Mesh } from '../mesh/mesh.js'
import { shownName } from './names.js'
import { XmlScanner, type XmlTag } from './xml-scanner.js'

/** Triangles of an object, the last one included. */
interface Range { readonly first: number, readonly last: number }

type Content = (path: string, onPiece: (bytes: Uint8Array) => void) => Promise<boolean>

/** What slicers write about the objects of a project into files of their own. */
export class SlicerConfig {
  readonly #helpers = new Map<string, Range[]>()
  readonly #names = new Map<string, string>()

  async read (content: Content): Promise<void> {
    await scan(content, 'Metadata/Slic3r_PE_model.config', this.#prusaReader())
    await scan(content, 'Metadata/model_settings.config', this.#bambuReader())
  }

  nameOf (object: string): string { return this.#names.get(object) ?? '' }

  /** @returns the mesh without helpers, and how many of them there were */
  withoutHelpers (object: string, mesh: Mesh): { readonly kept: Mesh, readonly left: number } {
    const ranges = this.#helpers.get(object) ?? []
    if (ranges.length === 0) return { kept: mesh, left: 0 }
    const isHelper = new Uint8Array(mesh.triangles.length / 3)
    for (const { first, last } of ranges) if (first >= 0 && last >= first) isHelper.fill(1, first, last + 1)
    const triangles = mesh.triangles.filter((_, at) => isHelper[Math.floor(at / 3)] === 0)
    return { kept: { positions: mesh.positions, triangles }, left: ranges.length }
  }

  /** PrusaSlicer writes modifiers and support volumes of an object into its mesh, and here which triangles they are. */
  #prusaReader (): (tag: XmlTag) => void {
    let object = ''
    let volume: Range | undefined
    return tag => {
      if (tag.is('object')) object = tag.text('id') ?? ''
      if (tag.is('volume')) volume = { first: tag.whole('firstid'), last: tag.whole('lastid') }
      const isHelper = tag.is('metadata') && tag.text('type') === 'volume' && tag.text('key') === 'volume_type' &&
        tag.text('value') !== 'ModelPart'
      if (isHelper && volume !== undefined) this.#helpers.set(object, [...this.#helpers.get(object) ?? [], volume])
    }
  }

  /** Bambu Studio and OrcaSlicer name objects here, and their parts after them. */
  #bambuReader (): (tag: XmlTag) => void {
    let object: string | undefined
    return tag => {
      if (tag.is('object')) object = tag.text('id')
      if (tag.is('part') || tag.is('plate')) object = undefined
      if (object === undefined || !tag.is('metadata') || tag.text('key') !== 'name') return
      this.#names.set(object, shownName(tag.text('value') ?? ''))
    }
  }
}

class BrokenConfig extends Error {}

async function scan (content: Content, path: string, open: (tag: XmlTag) => void): Promise<void> {
  const scanner = new XmlScanner({ open, close () {}, broken () { throw new BrokenConfig() } })
  try {
    await content(path, bytes => scanner.write(bytes))
  } catch (error) {
    if (!(error instanceof BrokenConfig)) throw error // a damaged file says nothing about the mesh
  }
}
