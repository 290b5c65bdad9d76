import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import { readModel } from '../../../../plugins/slicing/models/read/index.js'
import { openModelFile } from '../../../../plugins/slicing/models/model-file.js'
import { pack } from '../../../../plugins/slicing/models/place/pack.js'
import { placeModels } from '../../../../plugins/slicing/models/place/place-models.js'
import type { BedArea, PlacedInstance, PlacedPart, PlacePlan } from '../../../../plugins/slicing/models/index.js'
import { volumeOf } from '../../../../plugins/slicing/models/mesh/mesh.js'
import { testFolder } from '../../../helpers/folder.js'
import { binaryStl, block, cube, sphere, textStl } from './shapes.js'

const never = (): void => {}
const BED = [250, 240, 230] as const
const CORNER: BedArea = { minX: 0, minY: 0, maxX: 18, maxY: 28 }
const SLACK_MM = 1e-3

const overlaps = (a: BedArea, b: BedArea, gap = 0): boolean =>
  a.minX < b.maxX + gap - SLACK_MM && b.minX < a.maxX + gap - SLACK_MM &&
  a.minY < b.maxY + gap - SLACK_MM && b.minY < a.maxY + gap - SLACK_MM
const areaOf = ([minX, minY, maxX, maxY]: PlacedInstance['box']): BedArea => ({ minX, minY, maxX, maxY })

function placerOf (t: Parameters<typeof testFolder>[0], contents: Record<string, string | Buffer>) {
  const folder = testFolder(t, contents)
  let count = 0
  return async (parts: PlacedPart[], more: Partial<PlacePlan> = {}) => {
    const into = join(folder, `out${++count}`)
    mkdirSync(into)
    const plan: PlacePlan = {
      bedMm: BED,
      excluded: [CORNER],
      spacingMm: 5,
      marginMm: 3,
      ...more,
      parts: parts.map(part =>
        ({ ...part, model: join(folder, part.model) })),
      folder: into
    }
    const files = Object.fromEntries(await Promise.all(plan.parts.map(async ({ model, name }) =>
      [model, await openModelFile(model, name)] as const)))
    return { folder: into, ...await placeModels(plan, files, never) }
  }
}

t.test('footprints are packed without overlaps, inside the bed, the same each time, or not at all', async t => {
  let seed = 7
  const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
  for (let round = 0; round < 40; round++) {
    const footprints = Array.from({ length: 1 + next(20) }, () => ({ width: 5 + next(60), depth: 5 + next(60) }))
    const taken = Array.from({ length: next(3) }, () => {
      const [minX, minY] = [next(200), next(200)]
      return { minX, minY, maxX: minX + 5 + next(40), maxY: minY + 5 + next(40) }
    })
    const bed = { width: 250, depth: 240, marginMm: 3, spacingMm: next(8), taken }
    const spots = pack(footprints, bed)
    t.same(pack(footprints, bed), spots)
    const areas = spots.flatMap((spot, i) => {
      const { width, depth } = footprints[i] as { width: number, depth: number }
      if (spot === undefined) return []
      const [across, along] = spot.isTurned ? [depth, width] : [width, depth]
      return [{ minX: spot.x, minY: spot.y, maxX: spot.x + across, maxY: spot.y + along }]
    })
    const isOutside = ({ minX, minY, maxX, maxY }: BedArea) =>
      minX < 3 - SLACK_MM || minY < 3 - SLACK_MM || maxX > 247 + SLACK_MM || maxY > 237 + SLACK_MM
    t.same(areas.filter((area, i) => isOutside(area) || taken.some(other => overlaps(area, other)) ||
      areas.some((other, j) => i !== j && overlaps(area, other, bed.spacingMm))), [])
  }
})

t.test('one part lies in the middle, copies around it, and what does not fit straight is turned', async t => {
  const one = { width: 40, depth: 20 }
  const bed = { width: 100, depth: 100, marginMm: 0, spacingMm: 2, taken: [] }
  t.same(pack([one], bed), [{ x: 30, y: 40, isTurned: false }])
  t.same(pack([{ width: 120, depth: 90 }], { ...bed, depth: 130 }), [{ x: 5, y: 5, isTurned: true }])
  t.equal(pack(Array.from({ length: 8 }, () => ({ width: 49, depth: 23 })), bed).filter(Boolean).length, 8)
  t.equal(pack(Array.from({ length: 9 }, () => ({ width: 49, depth: 23 })), bed).filter(Boolean).length, 8)
})

t.test('parts are scaled, rotated, laid down, repaired and written where they lie on the bed', async t => {
  const place = placerOf(t, {
    'block.stl': binaryStl(block([10, 20, 30], [500, 5, -7])),
    'open.stl': binaryStl(cube().slice(1)),
    'two.stl': textStl(cube(), cube(10, [30, 0, 0]))
  })
  const { folder, instances, problems } = await place([
    { model: 'block.stl', name: 'up', rotateDeg: [90, 0, 0], scale: 2 },
    { model: 'block.stl', name: 'laid', orient: true },
    { model: 'open.stl', name: 'mended', repair: true, copies: 2 },
    { model: 'two.stl', name: 'both' },
    { model: 'two.stl', name: 'second', part: 1, at: [200, 200] }
  ])
  const size = (index: number) => {
    const { box, heightMm } = instances[index]!
    return [box[2] - box[0], box[3] - box[1], heightMm].map(mm => Math.round(mm * 100) / 100)
  }
  t.same(instances.map(({ id }) => id), [1, 2, 3, 4, 5, 6])
  t.same(instances.map(({ name }) => name), ['up', 'laid', 'mended', 'mended', 'both', 'second'])
  t.same(size(0), [20, 60, 40])
  t.equal(size(1)[2], 10, 'on its largest side')
  t.same(size(4), [40, 20, 20])
  t.same(instances[5]?.box, [195, 195, 205, 205])
  t.match(problems, [{ code: 'repaired', message: /^mended: .*1 hole was closed/, figures: { holes: 1 } }])
  const areas = instances.map(({ box }) => areaOf(box))
  t.notOk(areas.some((area, i) => areas.some((other, j) => i !== j && overlaps(area, other)) || overlaps(area, CORNER)))
  for (const { file, box, heightMm, triangles } of instances) {
    const { parts: [part] } = await readModel(await openModelFile(join(folder, file), file), never)
    const points = [...part!.mesh.positions]
    const axis = (which: number) => points.filter((_, i) => i % 3 === which)
    t.same([Math.min(...axis(0)), Math.min(...axis(1)), Math.max(...axis(0)), Math.max(...axis(1))], box)
    t.same([Math.min(...axis(2)), Math.max(...axis(2))], [0, heightMm])
    t.equal(part!.mesh.triangles.length / 3, triangles)
    t.ok(volumeOf(part!.mesh) > 0)
  }
})

t.test('what does not fit is refused in words', async t => {
  const place = placerOf(t, {
    'big.stl': binaryStl(cube(400)),
    'cube.stl': binaryStl(cube(100)),
    'ball.stl': binaryStl(sphere(10, 48)),
    'flat.stl': binaryStl(cube().slice(0, 2))
  })
  const part = (model: string, more: Partial<PlacedPart> = {}): PlacedPart =>
    ({ model, name: model.slice(0, -4), ...more })
  const refusals: [PlacedPart[], RegExp][] = [
    [[part('big.stl')], /^big: 400 × 400 × 400: 250 × 240 × 230: it is too high\..*at most 57 %/],
    [[part('cube.stl', { scale: 2.4, rotateDeg: [0, 0, 45] })], /too (high|wide)/],
    [[part('cube.stl', { copies: 5 })], /^cube: 100 × 100 × 100: .*: 4 of 5 copies fit\. Place the rest on another plate/],
    [[part('cube.stl', { copies: 3 }), part('ball.stl', { scale: 10 })], /: 0 of 3 copies fit beside the other parts/],
    [[part('cube.stl', { at: [20, 100] })], /over the edge/],
    [[part('ball.stl', { at: [10, 10] })], /where the printer cannot print/],
    [[part('ball.stl', { at: [99, 99] }), part('cube.stl', { at: [100, 100] })], /would lie on 'ball'/],
    [[part('ball.stl', { copies: 2, at: [99, 99] })], /only one copy/],
    [[part('ball.stl', { part: 3 })], /no part 3: it has 1/],
    [[part('ball.stl', { scale: NaN })], /scale/],
    [[part('ball.stl', { copies: 5_000 })], /more than 1000 copies/],
    [[part('flat.stl')], /flat.*Give it a thickness/],
    [[], /no parts/]
  ]
  for (const [parts, words] of refusals) await t.rejects(place(parts), { message: words }, String(words))
  const { problems } = await place([part('ball.stl', { orient: true })])
  t.match(problems, [{ code: 'no-flat-side', weight: 'note' }])
})

t.test('pictures: each part is found by its colour at its place, and the same plan gives the same files', async t => {
  const place = placerOf(t, {
    'block.stl': binaryStl(block([40, 15, 10])), 'ball.stl': binaryStl(sphere(8, 16))
  })
  const parts: PlacedPart[] = [
    { model: 'block.stl', name: 'block', copies: 3, color: '#ff8000' },
    { model: 'ball.stl', name: 'dust', scale: 0.01, at: [200, 30] }
  ]
  const first = await place(parts)
  const second = await place(parts)
  const pick = sharp(join(first.folder, first.pictures.pick))
  const { data, info } = await pick.raw().toBuffer({ resolveWithObject: true })
  t.match(info, { width: 512, height: 512, channels: 4 })
  const scale = Math.min(512 / BED[0], 512 / BED[1])
  for (const { id, box: [minX, minY, maxX, maxY] } of first.instances) {
    const x = Math.floor((512 - BED[0] * scale) / 2 + (minX + maxX) / 2 * scale)
    const y = Math.floor(512 - (512 - BED[1] * scale) / 2 - (minY + maxY) / 2 * scale)
    t.same([...data.subarray((y * 512 + x) * 4, (y * 512 + x) * 4 + 4)], [id, 0, 0, 255])
  }
  const seen = (id: number) => data.filter((_, i) => i % 4 === 0 && data[i] === id && data[i + 3] === 255).length
  t.ok(Math.abs(seen(1) / (40 * 15 * scale ** 2) - 1) < 0.05, `${seen(1)} pixels`)
  t.match(await sharp(join(first.folder, first.pictures.plate)).metadata(), { width: 512, height: 512, hasAlpha: true })
  t.match(await sharp(join(first.folder, first.pictures.small)).metadata(), { width: 128 })
  t.match(await sharp(join(first.folder, first.pictures.top)).metadata(), { width: 512 })
  t.same(second.instances, first.instances)
  for (const file of [...Object.values(first.pictures), ...first.instances.map(({ file }) => file)]) {
    t.ok(readFileSync(join(first.folder, file)).equals(readFileSync(join(second.folder, file))), file)
  }
})
