import { counted, noteProblem } from '../check/problems.js'
import { Refusal } from '../refusal.js'
import type { ModelProblem } from '../types.js'
import { duplicatesOf } from './duplicates.js'
import { holeLoops, MOST_OPEN_EDGES } from './holes.js'
import { IndexList } from './lists.js'
import { boxOf, countTriangles, sizeOf, type Mesh } from './mesh.js'
import { insideOut, shellsOf } from './shells.js'
import { isDegenerate, OPEN, SHARED, topologyOf, type Topology } from './topology.js'
import { triangulate } from './triangulate.js'
import { weldRims } from './weld-rims.js'

/** Edges of the largest hole that is closed. */
const MOST_RIM = 5_000
/** Of all bodies: smaller ones are crumbs without a volume. */
const CRUMB_SHARE = 1e-9

/** Of the largest body: a larger sheet is no fin. */
const LARGEST_FIN = 0.1

/** What a repair changed; 0 where nothing was wrong. */
interface Changes {
  dropped: number
  turned: number
  holes: number
  crumbs: number
}

export interface Repaired {
  readonly mesh: Mesh
  /** What was changed; undefined when nothing was wrong. */
  readonly note: ModelProblem | undefined
}

function pick ({ positions, triangles }: Mesh, isWanted: (triangle: number) => boolean): Mesh {
  const found = new IndexList()
  for (let at = 0; at < triangles.length; at += 3) {
    if (isWanted(at / 3)) found.push3(triangles[at]!, triangles[at + 1]!, triangles[at + 2]!)
  }
  return { positions, triangles: found.toArray() }
}

/** Without triangles that have no corners of their own, that are there twice, or that lie back to back. */
function clean (mesh: Mesh, changes: Changes): Mesh {
  const { triangles } = mesh
  const { repeated, opposed } = duplicatesOf(mesh, topologyOf(mesh))
  const dropped = new Uint8Array(countTriangles(mesh))
  for (const triangle of repeated) dropped[triangle] = 1
  for (const triangle of opposed) dropped[triangle] = 1
  for (let at = 0; at < triangles.length; at += 3) {
    if (isDegenerate(triangles[at]!, triangles[at + 1]!, triangles[at + 2]!)) dropped[at / 3] = 1
  }
  const cleaned = pick(mesh, triangle => dropped[triangle] === 0)
  changes.dropped += countTriangles(mesh) - countTriangles(cleaned)
  return cleaned
}

function turn (mesh: Mesh, isTurned: (triangle: number) => boolean): Mesh {
  const triangles = mesh.triangles.slice()
  for (let at = 0; at < triangles.length; at += 3) {
    if (!isTurned(at / 3)) continue
    triangles[at + 1] = mesh.triangles[at + 2]!
    triangles[at + 2] = mesh.triangles[at + 1]!
  }
  return { positions: mesh.positions, triangles }
}

/** Turns triangles until neighbours agree; of each body as few as possible. */
function agree (mesh: Mesh, { twins, flipped }: Topology, changes: Changes): Mesh {
  if (flipped === 0) return mesh
  const { triangles } = mesh
  const side = new Int8Array(countTriangles(mesh)) // 0 unseen, 1 as it is, -1 turned
  for (let first = 0; first < side.length; first++) {
    if (side[first] !== 0) continue
    const body = [first]
    let turned = 0
    side[first] = 1
    for (let i = 0; i < body.length; i++) {
      const triangle = body[i]!
      for (let edge = triangle * 3; edge < triangle * 3 + 3; edge++) {
        const twin = twins[edge]!
        const other = Math.floor(twin / 3)
        if (twin < 0 || side[other] !== 0) continue
        side[other] = triangles[edge] === triangles[twin] ? -side[triangle]! : side[triangle]!
        if (side[other] === -1) turned++
        body.push(other)
      }
    }
    changes.turned += Math.min(turned, body.length - turned)
    if (turned > body.length / 2) for (const triangle of body) side[triangle] = -side[triangle]!
  }
  return turn(mesh, triangle => side[triangle] === -1)
}

/** Drops small sheets that hang on an edge of a body. */
function withoutFins (mesh: Mesh, topology: Topology, changes: Changes): Mesh {
  const all = topology.uneven === 0 || topology.open === 0 ? undefined : shellsOf(mesh, topology)
  if (all === undefined) return mesh
  const { shells, shellOf } = all
  const [isOpen, isShared] = [new Uint8Array(shells.length), new Uint8Array(shells.length)]
  topology.twins.forEach((twin, edge) => {
    const shell = shellOf[Math.floor(edge / 3)]!
    if (twin === OPEN) isOpen[shell] = 1
    if (twin === SHARED) isShared[shell] = 1
  })
  const most = shells.reduce((largest, { triangles }) => Math.max(largest, triangles), 0) * LARGEST_FIN
  const isFin = shells.map(({ triangles }, shell) => isOpen[shell] === 1 && isShared[shell] === 1 && triangles <= most)
  const kept = pick(mesh, triangle => isFin[shellOf[triangle]!] === false)
  changes.dropped += countTriangles(mesh) - countTriangles(kept)
  return kept
}

function closeHoles (mesh: Mesh, topology: Topology, changes: Changes): Mesh {
  if (topology.open === 0) return mesh
  const added = new IndexList()
  for (const loop of holeLoops(mesh, topology)) {
    if (loop.length < 3 || loop.length > MOST_RIM) continue
    for (const [a, b, c] of triangulate(loop, mesh.positions)) added.push3(a, b, c)
    changes.holes++
  }
  const triangles = new Uint32Array(mesh.triangles.length + added.length)
  triangles.set(mesh.triangles)
  triangles.set(added.toArray(), mesh.triangles.length)
  return { positions: mesh.positions, triangles }
}

/** Turns bodies that are inside out, and drops those that enclose nothing. */
function outward (mesh: Mesh, name: string, changes: Changes): Mesh {
  const all = shellsOf(mesh, topologyOf(mesh))
  if (all === undefined) throw refusal(name, 'it is in too many pieces')
  const { shells, shellOf } = all
  const inner = insideOut(mesh, all)
  const least = Math.max(...sizeOf(boxOf(mesh))) ** 3 * CRUMB_SHARE
  const isCrumb = shells.map(({ volume }) => Math.abs(volume) <= least)
  changes.crumbs += isCrumb.filter(Boolean).length
  for (const index of inner) if (isCrumb[index] === false) changes.turned += shells[index]!.triangles
  const turned = inner.size === 0 ? mesh : turn(mesh, triangle => inner.has(shellOf[triangle]!))
  return isCrumb.includes(true) ? pick(turned, triangle => isCrumb[shellOf[triangle]!] === false) : turned
}

const refusal = (name: string, why: string): Refusal => new Refusal('bad', name,
  `it could not be repaired: ${why}. Repair it in the program that made it, or use it without a repair`)

/** A repair that does not succeed is no repair. */
function checkRepaired (mesh: Mesh, name: string): void {
  if (mesh.triangles.length === 0) throw refusal(name, 'nothing of it encloses a volume')
  const { open, flipped, uneven } = topologyOf(mesh)
  if (open > 0) throw refusal(name, `${counted(open, 'open edge stays', 'open edges stay')}`)
  if (flipped > 0) throw refusal(name, 'its surface has only one side')
  if (uneven > 0) throw refusal(name, `${counted(uneven, 'edge belongs', 'edges belong')} to more than two triangles`)
}

function noteOf ({ dropped, turned, holes, crumbs }: Changes): ModelProblem | undefined {
  const changes = [
    [holes, `${counted(holes, 'hole was', 'holes were')} closed`],
    [turned, `${counted(turned, 'triangle was', 'triangles were')} turned`],
    [dropped, `${counted(dropped, 'useless triangle was', 'useless triangles were')} removed`],
    [crumbs, `${counted(crumbs, 'piece', 'pieces')} without a volume ${crumbs === 1 ? 'was' : 'were'} removed`]
  ].flatMap(([count, words]) => count === 0 ? [] : [words])
  if (changes.length === 0) return undefined
  return noteProblem('repaired', `The model was repaired: ${changes.join(', ')}.`, 'Look at the picture before you print it.',
    { holes, turned, removed: dropped, pieces: crumbs })
}

/**
 * Makes a surface closed, with its outside outside.
 * @param name of the model, for words
 * @throws Refusal when it does not succeed
 */
export function repairMesh (mesh: Mesh, name: string): Repaired {
  const changes: Changes = { dropped: 0, turned: 0, holes: 0, crumbs: 0 }
  let repaired = clean(mesh, changes)
  let topology = topologyOf(repaired)
  if (topology.open > MOST_OPEN_EDGES) throw refusal(name, 'its surface is in too many pieces')
  if (topology.open > 0) {
    repaired = clean(weldRims(repaired, topology), changes)
    topology = topologyOf(repaired)
    repaired = withoutFins(repaired, topology, changes)
    topology = topologyOf(repaired)
  }
  if (topology.flipped > 0) {
    repaired = agree(repaired, topology, changes)
    topology = topologyOf(repaired)
  }
  const closed = closeHoles(repaired, topology, changes)
  repaired = clean(closed, { ...changes }) // a stray triangle is now back to back with what closed it
  repaired = outward(repaired, name, changes)
  checkRepaired(repaired, name)
  return { mesh: repaired, note: noteOf(changes) }
}
