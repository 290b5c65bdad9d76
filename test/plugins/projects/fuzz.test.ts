import t from 'tap'
import { isServiceError } from '../../../core/index.js'
import { traitsOf } from '../../../plugins/emulator/models/index.js'
import { sampleFiles, writeZip, type Entry } from '../../../plugins/emulator/sample-sd-card/index.js'
import { readJob } from '../../../plugins/emulator/sample-sd-card/read-job.js'
import { createProjectReader } from '../../../plugins/projects/project-reader.js'
import { drawLayout } from '../../../plugins/projects/viewer/layout.js'
import { viewerPage } from '../../../plugins/projects/viewer/page.js'
import { createTestCard, sessionOf } from './card.js'
import { entriesOf } from './make-3mf.js'

/** More of them where somebody asks: `-- 5000`. */
const ROUNDS = Number(process.argv.at(-1)) || 160

/** The same numbers every time. */
function createRandom (seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor(state / 2 ** 32 * below)
  }
}

const random = createRandom(20_260)
const pick = <T>(items: readonly T[]): T => items[random(items.length)] as T

const SAMPLES = (['X1C', 'H2D'] as const).flatMap(model => sampleFiles(traitsOf(model))).map(({ content }) => content)
const NASTY = ['\0', '<', '&#x0;', '"', '\u202E', '[[[[', '-1', '1e999', 'NaN', '999999999999', '{}', 'null',
  ',', '../../', '\uFFFF']

function spoilBytes (bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  for (let n = random(12); n >= 0; n--) copy[random(copy.length)] = random(256)
  return copy
}

const cut = (bytes: Buffer): Buffer =>
  bytes.subarray(random(bytes.length >> 2), bytes.length - random(bytes.length >> 1))

/** The end of an archive steers everything else. */
function spoilDirectory (bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  for (let n = random(6); n >= 0; n--) {
    copy[Math.max(0, copy.length - 1 - random(1_800))] = pick([0, 1, 255, random(256)])
  }
  return copy
}

/** Sound archives with senseless documents. */
function spoilText (): Buffer {
  const entries = entriesOf([
    {
      number: 1,
      filaments: [{ id: 1, type: 'PLA', color: '#FFFFFF' }],
      objects: [{ id: 7, name: 'a' }],
      map: { bbox_objects: [{ id: 1, name: 'a', bbox: [1, 2, 3, 4] }] }
    },
    {
      number: 2,
      filaments: [{ id: 3, type: 'PETG', color: '#00FF00' }],
      metadata: { filament_maps: '1 2 1', nozzle_diameters: '0.4,0.4' }
    }
  ], { physical_extruder_map: ['1', '0'], printable_area: ['0x0', '256x0', '256x256', '0x256'] })
  const target = random(entries.length)
  return writeZip(entries.map((entry, at): Entry => {
    if (at !== target) return entry
    const text = entry.content.toString()
    const place = random(text.length)
    return { ...entry, content: Buffer.from(text.slice(0, place) + pick(NASTY) + text.slice(place + random(9))) }
  }))
}

const KINDS = [
  () => spoilBytes(pick(SAMPLES)), () => cut(pick(SAMPLES)), () => spoilDirectory(pick(SAMPLES)), spoilText
]

const timeout = 60_000 + ROUNDS * 200

t.test('spoiled archives end in a record or in an error of ours, and in nothing else', { timeout }, async t => {
  const outcomes = { read: 0, refused: 0 }
  const foreign: unknown[] = []
  const card = createTestCard({})
  const session = sessionOf('H2D', 2)
  for (let round = 0; round < ROUNDS; round++) {
    const bytes = KINDS[round % KINDS.length]?.() ?? Buffer.alloc(0)
    const path = `/${round}.3mf`
    card.content.clear()
    card.content.set(path, bytes)
    const reader = createProjectReader(() => card.files)
    readJob(bytes, 1 + random(3))
    try {
      await reader.open(session, path, async project => {
        for (const number of project.plates) {
          JSON.stringify(await project.record(number, true))
          const plate = await project.plate(number)
          const [thumbnail, topimg] = [await project.image(number, 'thumbnail'), await project.image(number, 'topimg')]
          viewerPage(path, [{ plate, images: { thumbnail, topimg }, bed: plate.bedMm ?? [256, 256] }])
          if (round % 25 === 0 && topimg) await drawLayout(topimg, plate.boxes, [256, 256]).catch(() => {})
        }
      })
      outcomes.read++
    } catch (error) {
      outcomes.refused++
      if (!isServiceError(error)) foreign.push(error)
    }
  }
  t.same(foreign, [])
  t.equal(card.open, 0, 'every file was closed')
  t.ok(outcomes.read > 0 && outcomes.refused > 0, 'both happened')
  t.comment({ ROUNDS, ...outcomes })
})
