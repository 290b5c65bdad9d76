import type { Mesh } from '../mesh/mesh.js'
import type { ModelFormat, ModelProblem } from '../types.js'

/** A part as its file has it, in mm. */
export interface RawPart {
  readonly name: string
  readonly mesh: Mesh
}

/** What is in a file, not yet checked. */
export interface RawModel {
  readonly format: ModelFormat
  readonly unit: string
  /** At least one; each has triangles. */
  readonly parts: readonly RawPart[]
  readonly problems: readonly ModelProblem[]
}
