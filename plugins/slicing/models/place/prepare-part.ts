import { checkMesh } from '../check/check-part.js'
import { noteProblem } from '../check/problems.js'
import { boxOf, joined, multiply, sizeOf, transformed, type Mesh, type Vector } from '../mesh/mesh.js'
import { checkRange } from '../mesh/mesh-builder.js'
import { repairMesh } from '../mesh/repair.js'
import type { RawModel } from '../read/index.js'
import { Refusal } from '../refusal.js'
import type { ModelProblem, PlacedPart } from '../types.js'
import { largestSide } from './largest-side.js'
import { downward, moved, rotation, scaled } from './rotation.js'

/** A part as it will stand on the bed: its box is centred at x = y = 0 and begins at z = 0. */
export interface PreparedPart {
  readonly mesh: Mesh
  readonly sizeMm: Vector
  readonly problems: readonly ModelProblem[]
}

function checkNumbers ({ name, scale = 1, rotateDeg = [0, 0, 0] }: PlacedPart): void {
  if (!(scale > 0 && Number.isFinite(scale))) throw new Refusal('bad', name, 'its scale must be a number above 0')
  if (!rotateDeg.every(Number.isFinite)) throw new Refusal('bad', name, 'its rotation must be three angles in degrees')
}

function chosen ({ parts }: RawModel, { name, part }: PlacedPart): Mesh[] {
  if (part === undefined) return parts.map(({ mesh }) => mesh)
  const found = parts[part]
  if (found !== undefined) return [found.mesh]
  throw new Refusal('bad', name, `its file has no part ${part}: it has ${parts.length}, numbered from 0`)
}

function standing (mesh: Mesh): Mesh {
  const { min, max } = boxOf(mesh)
  return transformed(mesh, moved([-(min[0] + max[0]) / 2, -(min[1] + max[1]) / 2, -min[2]]))
}

/**
 * Scales, repairs, rotates and lowers a part.
 * @throws Refusal, also when nothing of it can be sliced
 */
export function preparePart (raw: RawModel, part: PlacedPart): PreparedPart {
  const { name, scale = 1, rotateDeg = [0, 0, 0], repair = false, orient = false } = part
  checkNumbers(part)
  const problems: ModelProblem[] = []
  const named = (problem: ModelProblem): ModelProblem => ({ ...problem, message: `${name}: ${problem.message}` })
  const meshes = chosen(raw, part).map(mesh => {
    if (!repair) return mesh
    const repaired = repairMesh(mesh, name)
    if (repaired.note !== undefined) problems.push(named(repaired.note))
    return repaired.mesh
  })
  let mesh = transformed(joined(meshes), multiply(rotation(rotateDeg), scaled(scale)))
  checkRange(mesh, name)
  if (orient) {
    const side = largestSide(mesh)
    if (side !== undefined) mesh = transformed(mesh, downward(side))
    else {
      problems.push(named(noteProblem('no-flat-side', 'It has no flat side that it can stand on, and was not laid down.',
        'Rotate it yourself, and print it with supports or a brim.')))
    }
  }
  mesh = standing(mesh)
  const check = checkMesh(mesh)
  const stop = check.problems.find(({ weight }) => weight === 'stop')
  if (stop !== undefined) throw new Refusal('bad', name, `${stop.message} ${stop.remedy}`)
  return { mesh, sizeMm: sizeOf(boxOf(mesh)), problems: [...problems, ...check.problems.map(named)] }
}
