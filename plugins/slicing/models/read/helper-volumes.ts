import type { Mesh } from '../mesh/mesh.js'
import { XmlScanner } from './xml-scanner.js'

/** Triangles of an object, the last one included. */
interface Range { readonly first: number, readonly last: number }

/**
 * PrusaSlicer writes the modifiers and support volumes of an object into its mesh, and which triangles they are into
 * a file of its own. They are no part of the print.
 */
export class HelperVolumes {
  static readonly PATH = 'Metadata/Slic3r_PE_model.config'
  readonly #ranges = new Map<string, Range[]>()

  async read (content: (onPiece: (bytes: Uint8Array) => void) => Promise<boolean>): Promise<void> {
    let object = ''
    let volume: Range | undefined
    const scanner = new XmlScanner({
      open: tag => {
        if (tag.is('object')) object = tag.text('id') ?? ''
        if (tag.is('volume')) volume = { first: tag.whole('firstid'), last: tag.whole('lastid') }
        const isHelper = tag.is('metadata') && tag.text('type') === 'volume' && tag.text('key') === 'volume_type' &&
          tag.text('value') !== 'ModelPart'
        if (isHelper && volume !== undefined) this.#ranges.set(object, [...this.#ranges.get(object) ?? [], volume])
      },
      close () {},
      broken () { throw new BrokenList() }
    })
    try {
      await content(bytes => scanner.write(bytes))
    } catch (error) {
      if (!(error instanceof BrokenList)) throw error // a damaged list says nothing about the mesh
    }
  }

  /** @returns the mesh without helpers, and how many of them there were */
  without (object: string, mesh: Mesh): { readonly kept: Mesh, readonly left: number } {
    const ranges = this.#ranges.get(object) ?? []
    if (ranges.length === 0) return { kept: mesh, left: 0 }
    const isHelper = new Uint8Array(mesh.triangles.length / 3)
    for (const { first, last } of ranges) if (first >= 0 && last >= first) isHelper.fill(1, first, last + 1)
    const triangles = mesh.triangles.filter((_, at) => isHelper[Math.floor(at / 3)] === 0)
    return { kept: { positions: mesh.positions, triangles }, left: ranges.length }
  }
}

class BrokenList extends Error {}
