import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { resolveModel } from '../../../core/index.js'
import { createFinder } from '../../../plugins/toolpath/findings/finder.js'
import { drawOutline, type OutlineTask } from '../../../plugins/toolpath/outline/draw-outline.js'
import { emptyOutline, LineMarker, type HeightMap, type Outline } from '../../../plugins/toolpath/outline/height-map.js'
import { Pass } from '../../../plugins/toolpath/pass.js'
import toolpath from '../../../plugins/toolpath/index.js'
import { boot, featuresWith } from '../../helpers/boot-features.js'
import { testFolder } from '../../helpers/folder.js'
import { plateText } from './plate-text.js'

const BED = [256, 256] as const

/** Reads a text and stores its track. */
function readingOf (t: Parameters<typeof testFolder>[0], text: string) {
  const parts: Uint8Array[] = []
  const pass = new Pass({
    finder: get => createFinder({ model: resolveModel('', 'X1C') }, get),
    writeTrack: bytes => parts.push(bytes),
    mostTrackBytes: 1e8
  })
  pass.write(Buffer.from(text))
  const reading = pass.end(false)
  const trackPath = join(testFolder(t), 'plate.track')
  writeFileSync(trackPath, Buffer.concat(parts))
  const task = (layer: number, changes: Partial<OutlineTask> = {}): OutlineTask => ({
    kind: 'outline',
    trackPath,
    start: reading.track.starts[0]!,
    end: reading.track.starts[layer + 1] ?? reading.track.bytes,
    from: emptyOutline(BED),
    layer,
    heights: reading.plate.layers.map(({ z }) => z),
    isWhole: true,
    skipped: new Map(),
    abort: new Int32Array(new SharedArrayBuffer(4)),
    ...changes
  })
  return { reading, task }
}

const cellAt = ({ columns }: Outline, { tops, bottoms }: HeightMap, x: number, y: number) =>
  [bottoms[y * columns + x], tops[y * columns + x]]
const filled = ({ tops }: HeightMap): number => tops.reduce((sum, top) => sum + (top > 0 ? 1 : 0), 0)

t.test('a line marks each cell that it crosses, and those only', async t => {
  const cells = (ends: readonly [number, number, number, number]) => {
    const outline = emptyOutline([4, 3])
    const marker = new LineMarker(outline)
    marker.begin(outline.kinds.part, 0, 1)
    marker.line(...ends)
    return [2, 1, 0].map(row => [0, 1, 2, 3].map(x => outline.kinds.part.tops[row * 4 + x] === 0 ? '.' : '#').join(''))
  }
  t.same(cells([0.5, 0.5, 2.5, 0.5]), ['....', '....', '###.'])
  t.same(cells([2.5, 0.5, 0.5, 0.5]), ['....', '....', '###.'], 'back')
  t.same(cells([1.5, 2.5, 1.5, 0.1]), ['.#..', '.#..', '.#..'])
  t.same(cells([0.2, 0.6, 2.8, 1.4]), ['....', '.##.', '##..'])
  t.same(cells([2.8, 1.4, 0.2, 0.6]), ['....', '.##.', '##..'])
  t.same(cells([-5, 1.5, 9, 1.5]), ['....', '####', '....'], 'as far as it is on the bed')
  t.same(cells([-5, -5, -1, 9]), ['....', '....', '....'], 'beside the bed')
  t.same(cells([4, 1, 9, 1]), ['....', '....', '....'], 'from its edge away')
  t.same(cells([NaN, 1, 2, 1]), ['....', '....', '....'])
  t.same(cells([2, 2.5, 2, 2.5]), ['..#.', '....', '....'], 'one place')
})

t.test('a plate grows layer by layer, each part with its height', async t => {
  const { task } = readingOf(t, plateText({ layers: 40 }))
  const half = await drawOutline(task(10))
  t.match(half, { layer: 10, z: 2, columns: 256, rows: 256, cellMm: 1, isWhole: true })
  t.same(cellAt(half, half.kinds.part, 90, 100), [0, 200], 'a wall, in 0.01 mm')
  t.same(cellAt(half, half.kinds.part, 94, 100), [0, 0], 'hollow inside')
  t.equal(filled(half.kinds.part), 2 * (9 + 31) - 4 + 2 * (11 + 31) - 4)
  t.equal(filled(half.kinds.support) + filled(half.kinds.tower), 0)
  const whole = await drawOutline(task(40))
  t.same(cellAt(whole, whole.kinds.part, 90, 100), [0, 800])
  t.same(cellAt(whole, whole.kinds.part, 110, 100), [0, 400], 'the second object ends at half the height')
  const before = await drawOutline(task(0))
  t.equal(filled(before.kinds.part), 0)
  t.equal(before.z, 0)
})

t.test('layers that are added to an earlier outline give the same as all at once', async t => {
  const { reading, task } = readingOf(t, plateText({ layers: 40 }))
  const first = await drawOutline(task(13))
  const next = await drawOutline(task(33, { from: first, start: reading.track.starts[14]! }))
  t.same(next, await drawOutline(task(33)))
})

t.test('what is printed for is told apart, and an overhang begins above the bed', async t => {
  const square = (x: number) => `G1 X${x} Y20 F3000\nG1 X${x + 4} E1`
  const layers = Array.from({ length: 10 }, (_, at) => [
    '; CHANGE_LAYER', `G1 Z${((at + 1) * 0.2).toFixed(1)}`,
    '; FEATURE: Outer wall', square(10), ...(at >= 5 ? [square(14)] : []),
    '; FEATURE: Support', square(30), '; FEATURE: Prime tower', square(40), '; FEATURE: Brim', square(50),
    'M620 S1A', '; FEATURE: Outer wall', square(60), 'M621 S1A'
  ])
  const { task } = readingOf(t, ['M83', 'G90', 'G28', 'G1 X0 Y5 Z0.1', 'G1 X20 E5', ...layers.flat()].join('\n'))
  const outline = await drawOutline(task(10))
  const { part, support, tower, other } = outline.kinds
  t.same(cellAt(outline, part, 12, 20), [0, 200])
  t.same(cellAt(outline, part, 16, 20), [100, 200], 'from the sixth layer on')
  t.same([cellAt(outline, support, 32, 20), cellAt(outline, tower, 42, 20)], [[0, 200], [0, 200]])
  t.same(cellAt(outline, other, 52, 20), [0, 200], 'the brim')
  t.same([cellAt(outline, other, 62, 20), cellAt(outline, part, 62, 20)], [[0, 200], [0, 0]], 'a filament change')
  t.same(cellAt(outline, other, 10, 5), [0, 10], 'a purge line before the first layer, which lies on no other')
})

t.test('objects that are printed one after the other all begin on the bed', async t => {
  const object = (x: number) => Array.from({ length: 20 }, (_, at) => [
    '; CHANGE_LAYER', `G1 Z${((at + 1) * 0.25).toFixed(2)}`, '; FEATURE: Outer wall', `G1 X${x} Y20 F3000`, `G1 X${x + 4} E1`
  ]).flat()
  const { task } = readingOf(t, ['M83', 'G90', 'G28', ...object(10), ...object(30)].join('\n'))
  const outline = await drawOutline(task(40))
  t.same([12, 32].map(x => cellAt(outline, outline.kinds.part, x, 20)), [[0, 500], [0, 500]])
  t.equal(Math.round(outline.z * 100), 500)
})

t.test('an object that is skipped does not grow any more', async t => {
  const { task } = readingOf(t, plateText({ layers: 40 }))
  const outline = await drawOutline(task(40, { skipped: new Map([[4, 6]]) }))
  t.same(cellAt(outline, outline.kinds.part, 110, 100), [0, 100])
  t.same(cellAt(outline, outline.kinds.part, 90, 100), [0, 800])
})

t.test('a long track is read in pieces; a damaged one, or work that was given up, is an error', async t => {
  const { reading, task } = readingOf(t, plateText({ layers: 8_000 }))
  t.ok(reading.track.bytes > 1.5 * 1024 ** 2, `${reading.track.bytes} bytes`)
  const outline = await drawOutline(task(4_000))
  t.same(cellAt(outline, outline.kinds.part, 110, 100), [0, 65_535], 'higher than any printer')
  await t.rejects(drawOutline(task(20, { end: reading.track.starts[21]! - 4 })), /the track is cut off/)
  await t.rejects(drawOutline(task(8_000, { end: reading.track.bytes + 100 })), /the track is cut off/)
  const abort = new Int32Array(new SharedArrayBuffer(4)).fill(1)
  await t.rejects(drawOutline(task(20, { abort })), /aborted/)
})

t.test('the service has the outline of a file on a card', async t => {
  const { name, printer, kernel } = await boot(t, {
    preset: featuresWith(toolpath), models: [{ model: 'X1C', reportEveryMs: 100 }]
  })
  const { toolpath: service } = kernel.services
  const session = kernel.printers.get(name)!
  await printer.card.put('/part.gcode', plateText({ layers: 40 }))
  t.equal(await service.known(session, '/part.gcode', 1), undefined, 'it was not read yet')
  await t.rejects(service.known(session, '/none.gcode', 1), { code: 'PRN_ERR_NO_PLATE_FILE' })
  const tenth = await service.outline(session, '/part.gcode', 1, 10)
  t.equal((await service.known(session, '/part.gcode', 1))?.plate.layers.length, 41, 'and is known from then on')
  t.match(tenth, { layer: 10, z: 2, isWhole: true, columns: session.model.bedMm[0] })
  t.equal(filled(tenth.kinds.part), 156)
  t.equal(await service.outline(session, '/part.gcode', 1, 10), tenth, 'which is stored')
  const [twentieth, same] = await Promise.all([20, 20].map(layer => service.outline(session, '/part.gcode', 1, layer)))
  t.equal(twentieth, same, 'and drawn once for callers at the same time')
  t.same(cellAt(tenth, tenth.kinds.part, 90, 100), [0, 200], 'while the one before stays as it was')
  t.same(cellAt(twentieth!, twentieth!.kinds.part, 90, 100), [0, 400])
  const earlier = await service.outline(session, '/part.gcode', 1, 5)
  t.match(earlier, { layer: 5, z: 1 })
  const skipped = await service.outline(session, '/part.gcode', 1, 20, { skipped: new Map([[4, 1]]) })
  t.equal(filled(skipped.kinds.part), 76)
  await t.rejects(service.outline(session, '/part.gcode', 1, 41), { code: 'PRN_ERR_NO_SUCH_LAYER' })
  await t.rejects(service.outline(session, '/none.gcode', 1, 1), { code: 'PRN_ERR_NO_PLATE_FILE' })
  const abort = new AbortController()
  const given = service.outline(session, '/part.gcode', 1, 30, { signal: abort.signal })
  abort.abort(new Error('the client has gone'))
  await t.rejects(given, /the client has gone/)
  t.match(await service.outline(session, '/part.gcode', 1, 30), { layer: 30 })
})
