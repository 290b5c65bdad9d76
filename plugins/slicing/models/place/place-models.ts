import { join } from 'node:path'
import { drawPictures, type DrawnPart } from '../draw/draw-pictures.js'
import { MOST_INSTANCES, MOST_TRIANGLES } from '../limits.js'
import { boxOf, countTriangles, multiply, transformed, type Matrix } from '../mesh/mesh.js'
import { readModel, type RawModel } from '../read/index.js'
import { Refusal, type CheckAborted } from '../refusal.js'
import type { ModelFile } from '../tasks.js'
import type { PlacedCopy, Placement, PlacePlan } from '../types.js'
import { arrange, type ArrangedCopy } from './arrange.js'
import { preparePart, type PreparedPart } from './prepare-part.js'
import { aboutZ, moved } from './rotation.js'
import { writeStl } from './write-stl.js'

const MILLION = 1e6

function checkNumbers ({ parts }: PlacePlan): void {
  let instances = 0
  for (const { name, copies = 1, at = [0, 0] } of parts) {
    if (!Number.isInteger(copies) || copies < 1) throw new Refusal('bad', name, 'the number of copies must be 1 or more')
    if (!at.every(Number.isFinite)) throw new Refusal('bad', name, 'its place must be two numbers in mm')
    instances += copies
    if (instances > MOST_INSTANCES) {
      throw new Refusal('large', name, `more than ${MOST_INSTANCES} copies lie on no plate. Use fewer`)
    }
  }
}

/** Files are read once, whatever number of parts they give. */
async function prepareAll (
  { parts }: PlacePlan, files: Readonly<Record<string, ModelFile>>, checkAborted: CheckAborted
): Promise<PreparedPart[]> {
  const models = new Map<string, RawModel>()
  const prepared: PreparedPart[] = []
  let triangles = 0
  for (const part of parts) {
    checkAborted()
    const file = files[part.model]
    if (file === undefined) throw new Refusal('bad', part.name, 'its file is missing')
    const raw = models.get(part.model) ?? await readModel({ ...file, name: part.name }, checkAborted)
    models.set(part.model, raw)
    const ready = preparePart(raw, part)
    triangles += countTriangles(ready.mesh) * (part.copies ?? 1)
    if (triangles > MOST_TRIANGLES) {
      throw new Refusal('large', part.name, `with it, the plate has more than ${MOST_TRIANGLES / MILLION} million triangles. ` +
        'Use fewer copies, or reduce its triangles')
    }
    prepared.push(ready)
  }
  return prepared
}

const placeOf = ({ x, y, isTurned }: ArrangedCopy): Matrix => multiply(moved([x, y, 0]), aboutZ(isTurned ? 90 : 0))

/**
 * Arranges models on a bed and writes them and their pictures into a folder.
 * @throws Refusal in words
 */
export async function placeModels (
  plan: PlacePlan, files: Readonly<Record<string, ModelFile>>, checkAborted: CheckAborted
): Promise<Placement> {
  checkNumbers(plan)
  const prepared = await prepareAll(plan, files, checkAborted)
  const sized = plan.parts.map((part, index) => ({ part, sizeMm: prepared[index]!.sizeMm }))
  const instances: PlacedCopy[] = []
  const drawn: DrawnPart[] = []
  for (const copy of arrange(sized, plan)) {
    const { name, color } = plan.parts[copy.part]!
    const { mesh } = prepared[copy.part]!
    const id = instances.length + 1
    const onBed = transformed(mesh, placeOf(copy))
    const box = boxOf(onBed)
    const file = `${id}.stl`
    writeStl(join(plan.folder, file), onBed, checkAborted)
    instances.push({
      id,
      name,
      file,
      box: [box.min[0], box.min[1], box.max[0], box.max[1]],
      heightMm: box.max[2],
      triangles: countTriangles(onBed),
      part: copy.part,
      isTurned: copy.isTurned
    })
    drawn.push({ id, mesh, place: placeOf(copy), box, color })
  }
  if (drawn.length === 0) throw new Refusal('bad', 'the plate', 'it has no parts')
  const pictures = await drawPictures(drawn, plan, plan.folder, checkAborted)
  return { instances, pictures, problems: prepared.flatMap(({ problems }) => problems) }
}
