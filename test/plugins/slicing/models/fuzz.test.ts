import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { isServiceError } from '../../../../core/index.js'
import { inspectModel } from '../../../../plugins/slicing/models/check/inspect-model.js'
import { openModelFile } from '../../../../plugins/slicing/models/model-file.js'
import { Refusal } from '../../../../plugins/slicing/models/refusal.js'
import { testFolder } from '../../../helpers/folder.js'
import { binaryStl, cube, meshXml, modelXml, objectXml, objText, simple3mf, sphere, textStl, threeMf } from './shapes.js'

const ROUNDS = 150
/** Of the process, while it reads files of a few kilobytes. */
const MOST_MIB = 300

/** Numbers that repeat. */
function random (seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor(state / 2 ** 32 * below)
  }
}

function mutated (bytes: Buffer, next: (below: number) => number): Buffer {
  const copy = Buffer.from(bytes)
  for (let changes = 1 + next(4); changes > 0; changes--) {
    const at = next(copy.length)
    const kind = next(4)
    if (kind === 0) copy[at] = next(256)
    else if (kind === 1) copy.fill(next(2) * 255, at, Math.min(copy.length, at + 1 + next(8)))
    else if (kind === 2) copy.copy(copy, at, next(copy.length), copy.length)
    else return copy.subarray(0, at)
  }
  return copy
}

t.test('changed bytes are read or refused, and nothing else happens', async t => {
  const folder = testFolder(t)
  const path = join(folder, 'model')
  const zip = simple3mf(cube())
  const stored = threeMf(modelXml(objectXml(1, meshXml(cube())), '<item objectid="1"/>'))
  const seeds = { 'a.stl': binaryStl(sphere(5, 6)), 'b.stl': Buffer.from(textStl(cube(), cube(5))), 'c.obj': Buffer.from(objText(cube())), 'd.3mf': zip, 'e.3mf': stored }
  const before = process.memoryUsage().rss
  const outcomes = { read: 0, refused: 0 }
  for (const [name, bytes] of Object.entries(seeds)) {
    const next = random(bytes.length)
    for (let round = 0; round < ROUNDS; round++) {
      writeFileSync(path, mutated(bytes, next))
      try {
        const { parts } = await inspectModel(await openModelFile(path, name), () => {})
        if (!parts.every(({ sizeMm, volumeMm3 }) => [...sizeMm, volumeMm3].every(Number.isFinite))) t.fail(`${name} ${round}: figures`)
        outcomes.read++
      } catch (error) {
        if (!(error instanceof Refusal) && !isServiceError(error)) t.fail(`${name} ${round}: ${(error as Error).stack}`)
        outcomes.refused++
      }
    }
  }
  t.ok(outcomes.read > 50 && outcomes.refused > 50, JSON.stringify(outcomes))
  t.ok((process.memoryUsage().rss - before) / 1024 ** 2 < MOST_MIB)
})
