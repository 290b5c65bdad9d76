import { duplicatesOf } from '../mesh/duplicates.js'
import { boxOf, countTriangles, lengthOf, normalOf, sizeOf, volumeOf, type Mesh } from '../mesh/mesh.js'
import { countHoles } from '../mesh/holes.js'
import { insideOut, shellsOf } from '../mesh/shells.js'
import { topologyOf, type Topology } from '../mesh/topology.js'
import type { ModelPart, ModelProblem } from '../types.js'
import type { RawPart } from '../read/index.js'
import { counted, repairProblem, noteProblem, shownSize, stopProblem } from './problems.js'

/** Thinner than any layer or line. */
const FLAT_MM = 1e-3
/** Of the box: below it, a surface encloses nothing. */
const FLAT_SHARE = 1e-9
const REPAIR = 'Have it repaired, or repair it in the program that made it.'

const isFlat = (sizeMm: readonly number[]): boolean => Math.min(...sizeMm) < FLAT_MM

function flatProblem (sizeMm: readonly number[]): ModelProblem {
  return stopProblem('flat', `The model is flat (${shownSize(sizeMm)} mm): it encloses no volume.`,
    'Give it a thickness in the program that made it.', { sizeMm: shownSize(sizeMm) })
}

function surfaceProblems (mesh: Mesh, topology: Topology): ModelProblem[] {
  const { open, flipped, shared, uneven } = topology
  const found: ModelProblem[] = []
  if (open > 0) {
    const holes = countHoles(mesh, topology)
    const message = holes === undefined
      ? `The surface is in pieces (${open} open edges).`
      : `The surface has ${counted(holes, 'hole')} (${counted(open, 'open edge')}).`
    found.push(repairProblem('open-edges', message, REPAIR, { edges: open, ...holes !== undefined && { holes } }))
  }
  if (flipped > 0) {
    found.push(repairProblem('flipped-triangles',
      `Some triangles are inside out: at ${counted(flipped, 'edge')} the surface changes its side.`, REPAIR,
      { edges: flipped }))
  }
  if (uneven > 0) {
    found.push(repairProblem('shared-edges', `${counted(shared, 'edge')} belong${shared === 1 ? 's' : ''} to more than two triangles.`,
      REPAIR, { edges: shared }))
  } else if (shared > 0) {
    found.push(noteProblem('touching-edges', `The model touches itself at ${counted(shared, 'edge')}.`,
      'Nothing has to be done.', { edges: shared }))
  }
  return found
}

function triangleProblems (mesh: Mesh, topology: Topology): ModelProblem[] {
  const found: ModelProblem[] = []
  const { repeated, opposed } = duplicatesOf(mesh, topology)
  const twice = repeated.length + opposed.length / 2
  if (twice > 0) {
    found.push(repairProblem('duplicate-triangles', `${counted(twice, 'triangle is', 'triangles are')} there twice.`, REPAIR,
      { triangles: twice }))
  }
  let empty = 0
  for (let triangle = 0; triangle < countTriangles(mesh); triangle++) {
    if (lengthOf(normalOf(mesh, triangle)) === 0) empty++
  }
  if (empty > 0) {
    found.push(noteProblem('empty-triangles', `${counted(empty, 'triangle has', 'triangles have')} no area.`,
      'Nothing has to be done: they are not printed.', { triangles: empty }))
  }
  return found
}

/** Shells that are inside out as a whole. Says nothing of a surface that changes its side: its volume means nothing. */
function turnedProblems (mesh: Mesh, topology: Topology): ModelProblem[] {
  if (topology.flipped > 0) return []
  const all = shellsOf(mesh, topology)
  if (all === undefined) return []
  const count = insideOut(mesh, all).size
  if (count === 0) return []
  const message = count === all.shells.length
    ? 'The model is inside out.'
    : `${counted(count, 'body', 'bodies')} of ${all.shells.length} ${count === 1 ? 'is' : 'are'} inside out.`
  return [repairProblem('inside-out', message, REPAIR, { bodies: count })]
}

export interface Check {
  readonly sizeMm: readonly [number, number, number]
  readonly volumeMm3: number
  readonly isClosed: boolean
  readonly problems: readonly ModelProblem[]
}

/** Judges a surface. */
export function checkMesh (mesh: Mesh): Check {
  const box = boxOf(mesh)
  const size = sizeOf(box)
  const topology = topologyOf(mesh)
  const isClosed = topology.open === 0 && topology.uneven === 0
  const volumeMm3 = Math.abs(volumeOf(mesh, box))
  const sizeMm = size.map(Math.fround) as [number, number, number]
  if (isFlat(size)) return { sizeMm, volumeMm3: 0, isClosed, problems: [flatProblem(size)] }
  const problems = [
    ...surfaceProblems(mesh, topology), ...triangleProblems(mesh, topology), ...turnedProblems(mesh, topology)
  ]
  if (isClosed && topology.flipped === 0 && volumeMm3 <= size[0] * size[1] * size[2] * FLAT_SHARE) {
    problems.unshift(stopProblem('no-volume', 'The surface encloses no volume.', 'Make it a solid in the program that made it.'))
  }
  return { sizeMm, volumeMm3, isClosed, problems }
}

export const checkPart = ({ name, mesh }: RawPart, index: number): ModelPart =>
  ({ index, name, triangles: countTriangles(mesh), ...checkMesh(mesh) })
