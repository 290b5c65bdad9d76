import t from 'tap'
import { decodeTrack } from '../../../plugins/toolpath/page/decode-track.js'
import type { Move } from '../../../plugins/toolpath/read/moves.js'
import { TrackEncoder } from '../../../plugins/toolpath/track/track-encoder.js'

/** The page's modules are written for browsers; these need none. */
interface Pure { readonly [name: string]: any }
const pure = async (name: string): Promise<Pure> =>
  await import(new URL(`../../../plugins/toolpath/page/${name}.js`, import.meta.url).href) as Pure

const { packTrack, together } = await pure('pack-track')
const { planFull, planOutline, planQuick } = await pure('plan')
const { sharesOf, reached, pointAt, layerAt } = await pure('layer-times')
const { colorsOf } = await pure('colors')
const { jobOn } = await pure('job-on')
const { rangesOf } = await pure('track-loader')
const { followGestures } = await pure('gestures')
const { fitted } = await pure('orbit')

const OUTER = 1
const INFILL = 4
const move = (toX: number, toY: number, toZ: number, extruded: number, feature = OUTER): Move => ({
  line: 1,
  fromX: 0,
  fromY: 0,
  fromZ: toZ,
  toX,
  toY,
  toZ,
  arc: undefined,
  length: 1,
  extruded,
  speed: 100,
  tool: 1,
  layer: 1,
  feature,
  object: 0,
  isWipe: false,
  isSkippable: false
})

/** Two layers, each a side of 20 mm in steps of 1 mm, a corner, and a line of infill. */
function twoLayers () {
  const parts: Uint8Array[] = []
  const encoder = new TrackEncoder(bytes => { parts.push(bytes.slice()) }, 1e6)
  for (const layer of [1, 2]) {
    encoder.begin(layer)
    encoder.heat(200 + 10 * layer, undefined)
    const z = layer * 0.2
    for (let x = 1; x <= 20; x++) encoder.move(move(x, 0, z, 0.033))
    encoder.move(move(20, 30, z, 1))
    encoder.move(move(5, 5, z, 0))
    encoder.move(move(10, 5, z, 0.2, INFILL))
  }
  encoder.end()
  return packTrack(decodeTrack(Buffer.concat(parts)), 1, 2, [0.2, 0.2])
}

t.test('moves become points, and what is seen from outside a simpler path', async t => {
  const { points, starts, outline, outlineStarts, has } = twoLayers()
  t.same(starts, [0, 24, 48], 'a beginning and 23 moves for each layer')
  t.same(outlineStarts, [0, 4, 8], 'a side of 20 moves needs two points, infill is not seen')
  t.same(pointAt(points, 24 + 20), [20, 0, 0.4])
  t.same([pointAt(outline, 5), pointAt(outline, 6), pointAt(outline, 7)], [[16, 0, 0.4], [20, 0, 0.4], [20, 30, 0.4]])
  const [width, height, feature, tool] = new Uint8Array(points, 20 * 16 + 6, 4)
  t.same([width! / 50, height! / 100, feature, tool], [0.42, 0.2, OUTER, 1])
  t.equal(has.speed, 1_000)
  t.ok(has.features[OUTER] && has.features[INFILL] && !has.features[2])
  const flow = new Uint16Array(points, 20 * 16 + 12, 1)[0]! / 100
  t.same([new Uint8Array(points)[20 * 16 + 15], new Uint8Array(points)[44 * 16 + 15]], [105, 110], 'in steps of 2 °C')
  t.same([has.coldest, has.hottest], [210, 220])
  t.match(together(has, { ...has, coldest: 0, hottest: 0, speed: 1_200 }),
    { coldest: 210, hottest: 220, speed: 1_200, flow: has.flow })
  t.ok(Math.abs(flow - 0.033 * Math.PI * 1.75 ** 2 / 4 * 100) < 0.02, `${flow} mm³/s`)
})

t.test('a moving view gets what there is time for, a resting one everything', async t => {
  const starts = Array.from({ length: 101 }, (_, at) => at * 1_000)
  const outlineStarts = Array.from({ length: 101 }, (_, at) => at * 100)
  const parts = [
    { first: 1, last: 100, starts, outlineStarts }, { first: 101, last: 200, starts, outlineStarts }
  ]
  const count = (draws: readonly { first: number, end: number }[]) =>
    draws.reduce((sum, { first, end }) => sum + end - first, 0)
  t.ok(count(planFull(parts, { first: 1, last: 200 })) >= 200_000)
  t.same(planFull(parts, { first: 3, last: 101, end: 10 }, Infinity),
    [{ part: 1, isOutline: false, first: 0, end: 10 }, { part: 0, isOutline: false, first: 2_000, end: 100_000 }])
  t.equal(count(planOutline(parts, 1, 200, 20_000)), 20_000)
  const few = planOutline(parts, 1, 200, 5_000)
  t.equal(count(few), 5_000, 'every fourth layer')
  t.ok(few.every(({ tall }: { tall: number }) => tall === 4), 'as high as those that are left out')
  t.ok(count(planQuick(parts, { first: 1, last: 200 }, 5_000)) < 7_000)
  t.equal(count(planQuick(parts, { first: 1, last: 200 }, 1e6)), 3_000 + 19_700)
})

t.test('layers are loaded in few requests, the first one small', async t => {
  const layers = Array.from({ length: 700 }, (_, at) =>
    ({ layer: at + 1, z_mm: (at + 1) * 0.2, line: 500 + at * 4_000 }))
  const ranges = rangesOf(layers, 2_900_000) as { first: number, last: number, heights: number[] }[]
  t.same([ranges[0]?.first, ranges[0]?.last, ranges.at(-1)?.last], [1, 5, 700])
  t.ok(ranges.length < 30 && ranges.every(({ first }, at) => at === 0 || first === ranges[at - 1]!.last + 1))
  t.equal(ranges[3]!.heights[0]!.toFixed(2), '0.20')
  t.same(rangesOf([], 10), [])
})

t.test('the nozzle is where the time is', async t => {
  const { points } = twoLayers()
  const shares = sharesOf(points, 0, 24)
  t.equal(reached(shares, 0), 2)
  t.equal(reached(shares, 1), 24)
  const [x, y] = pointAt(points, reached(shares, 20 / 84) - 1)
  t.ok(x >= 19 && y === 0, `at the first corner: ${x}, ${y}`)
  const layers = [0, 10, 30].map((at, layer) => ({ layer: layer + 1, starts_at: at }))
  t.same([0, 9, 10, 99].map(at => layerAt(layers, at)), [0, 0, 1, 2])
})

t.test('filaments have the colours of their spools, else of the file', async t => {
  const filaments = [{ id: 1, color: '#FF0000' }, { id: 2, color: '#00FF00FF' }, { id: 3, color: '' }]
  const spools = [
    { ams_id: 0, slot_id: 2, color: '2E8BC0FF', color_known: true, type: 'PLA' },
    { ams_id: 128, slot_id: 0, color: '#111111', type: '' }
  ]
  t.same(colorsOf(filaments, [2, 128, -1], spools), { 1: '#2e8bc0', 2: '#00ff00' })
})

t.test('a job is the one on this plate, or none', async t => {
  const doc = (job: object, state = 'RUNNING') => ({
    _printer_state: { gcode_state: state },
    _active_job_info: { current_layer: 5, total_layers: 9, print_percentage: 50, ...job }
  })
  const project = { project_info: { id: '/a/part.gcode.3mf' }, plate_num: 2 }
  t.same(jobOn(doc(project), '/a/part.gcode.3mf', 2), { layer: 5, layers: 9, percent: 50 })
  t.equal(jobOn(doc(project), '/a/part.gcode.3mf', 1), undefined)
  t.equal(jobOn(doc(project), '/b/part.gcode.3mf', 2), undefined)
  t.equal(jobOn(doc(project, 'FINISH'), '/a/part.gcode.3mf', 2), undefined)
  t.match(jobOn(doc({ gcode_file: '/sdcard/x.gcode', plate_num: -1 }), '/x.gcode', 1), { layer: 5 })
  t.match(jobOn(doc({ subtask_name: 'x', plate_num: -1 }), '/x.3mf', 1), { layer: 5 })
})

/** A place that takes fingers, wheel and keys. */
class Place extends EventTarget {
  readonly clientHeight = 500
  setPointerCapture (): void {}
  send (type: string, members: object): void {
    this.dispatchEvent(Object.assign(new Event(type, { cancelable: true }), members))
  }
}

t.test('one finger turns, two zoom, twist and move; wheel and keys do the same', async t => {
  const place = new Place()
  let orbit = fitted({ min: [0, 0, 0], max: [100, 100, 100] }, 1)
  const before = orbit
  const steps: number[] = []
  const end = followGestures(place, {
    get: () => orbit,
    set: (next: typeof orbit) => { orbit = next },
    reset: () => { orbit = before },
    step: (by: number) => steps.push(by)
  })
  const finger = (type: string, pointerId: number, clientX: number, clientY: number) =>
    place.send(type, { pointerId, clientX, clientY, button: 0 })
  finger('pointerdown', 1, 100, 100)
  finger('pointermove', 1, 150, 100)
  t.not(orbit.turn, before.turn)
  t.same([orbit.distance, orbit.target], [before.distance, before.target])
  finger('pointerdown', 2, 250, 100)
  finger('pointermove', 2, 350, 100)
  t.ok(Math.abs(orbit.distance - before.distance / 2) < 1e-6, 'twice as far apart: half as far away')
  t.notSame(orbit.target, before.target)
  finger('pointerup', 1, 150, 100)
  finger('pointerup', 2, 350, 100)
  const rests = orbit
  finger('pointermove', 2, 400, 200)
  t.equal(orbit, rests, 'no finger is down')
  place.send('keydown', { key: 'Home' })
  t.equal(orbit, before)
  place.send('wheel', { deltaY: -100, deltaMode: 0 })
  t.ok(orbit.distance < before.distance)
  place.send('keydown', { key: 'PageUp' })
  place.send('keydown', { key: 'PageDown', shiftKey: true })
  t.same(steps, [1, -10])
  end()
  place.send('keydown', { key: 'PageUp' })
  t.equal(steps.length, 2)
})
