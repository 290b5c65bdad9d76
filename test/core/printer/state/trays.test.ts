import t from 'tap'
import { decode, dual } from '../helpers/decode.js'
import type { Fields } from '../helpers/feed.js'

const single = (report: Fields, model = 'X1C') => decode(report, { model }).activeTray
const snow = (word: number, more: Fields = {}) =>
  single({ device: { extruder: { state: 1, info: [{ id: 0, snow: word, ...more }] } } })
const pair = (report: Fields) => decode(report, { model: 'H2D' }).activeTray

const NONE = { id: -1, amsId: -1, slot: -1, external: false }

t.test('single: tray_now counts over all units', async t => {
  const now = (tray: unknown) => single({ ams: { tray_now: tray } })
  t.hasStrict(now('255'), { ...NONE, state: 'UNLOADED', tool: -1 })
  t.hasStrict(now('0'), { id: 0, amsId: 0, slot: 0, external: false, state: 'LOADED' })
  t.hasStrict(now('7'), { id: 7, amsId: 1, slot: 3, external: false })
  t.hasStrict(now(15), { id: 15, amsId: 3, slot: 3 })
  t.hasStrict(now('128'), { id: 128, amsId: 128, slot: 0 })
  t.hasStrict(now('254'), { id: 254, amsId: -1, slot: 254, external: true, state: 'LOADED' })
  t.hasStrict(single({}), { ...NONE, state: 'UNLOADED' }, 'nothing reported')
})

t.test('single: the word of the extruder is right when it is there', async t => {
  t.hasStrict(snow(259), { id: 7, amsId: 1, slot: 3 })
  t.hasStrict(snow(0x8000), { id: 128, amsId: 128, slot: 0 })
  t.hasStrict(snow(65280), { id: 254, amsId: -1, slot: 254, external: true })
  t.hasStrict(snow(65024), { id: 254, amsId: -1, slot: 254, external: true }, 'a single printer has one holder')
  for (const word of [65535, 65279, 255]) t.hasStrict(snow(word), NONE, String(word))
  t.hasStrict(single({
    ams: { tray_now: '3' }, device: { extruder: { info: [{ id: 0, snow: 259 }] } }
  }, 'P2S'), { id: 7, amsId: 1, slot: 3 }, 'some count in tray_now within the unit')
  t.hasStrict(single({
    ams: { tray_now: '254' }, device: { extruder: { info: [{ id: 0, snow: 0 }] } }
  }, 'H2S'), { id: 0, amsId: 0, slot: 0, external: false }, 'others report it unreliably')
})

t.test('single: a nozzle word of 254 is the holder, unless nothing is loaded', async t => {
  t.hasStrict(snow(1, { hnow: 254 }), { id: 254, amsId: -1, external: true })
  t.hasStrict(snow(65535, { hnow: 254 }), NONE)
})

t.test('single: where it is heading', async t => {
  t.equal(single({ ams: { tray_now: '255', tray_tar: '6' } }).targetId, 6)
  t.equal(single({ ams: { tray_tar: '255' } }).targetId, -1)
  t.equal(snow(65535, { star: 258 }).targetId, 6)
  t.equal(snow(65535, { star: 65280 }).targetId, 254)
})

t.test('single: loading and unloading by the stage', async t => {
  t.equal(single({ stg_cur: 24, ams: { tray_now: '255' } }).state, 'LOADING')
  t.equal(single({ stg_cur: 22, ams: { tray_now: '2' } }).state, 'UNLOADING')
  t.equal(single({ stg_cur: 4, ams: { tray_now: '2' } }).state, 'LOADED')
})

t.test('the A2L counts within its own unit', async t => {
  const own = { ams: [{ id: '16', info: '2' }], tray_now: '2', tray_tar: '1' }
  t.hasStrict(single({ ams: own }, 'A2L'), { id: 2, amsId: 16, slot: 2, targetId: 1 })
  t.hasStrict(single({ ams: { ...own, ams: [{ id: '0' }, { id: '16' }] } }, 'A2L'), { id: 2, amsId: 0, slot: 2 },
    'with a unit of another kind the number is over all')
})

t.test('dual: the slot within the unit, and the unit', async t => {
  t.strictSame(pair(dual({ info: 10, stat: 0x300, snow: 259, star: 259 }, { snow: 65279 }, 2)),
    { id: 3, amsId: 1, slot: 3, targetId: 3, state: 'LOADED', tool: 0, external: false })
  t.strictSame(pair(dual({ snow: 259 }, { info: 10, snow: 0x8000, star: 0x8000 }, 274)),
    { id: 0, amsId: 128, slot: 0, targetId: 0, state: 'LOADED', tool: 1, external: false })
})

t.test('dual: ams.tray_now says nothing', async t => {
  t.hasStrict(pair({ ...dual({ snow: 259 }, {}, 2), ams: { tray_now: '1' } }), { id: 3, amsId: 1 })
})

t.test('dual: nothing loaded', async t => {
  t.hasStrict(pair(dual({ snow: 65535, star: 65535 }, {}, 2)), { ...NONE, targetId: -1, tool: 0, state: 'UNLOADED' })
  t.hasStrict(pair(dual({}, { snow: 65279 }, 274)), { ...NONE, tool: 1 })
  t.hasStrict(pair(dual({}, {}, 2)), NONE, 'nothing reported')
})

t.test('dual: the holders', async t => {
  t.hasStrict(pair(dual({ snow: 65280 }, {}, 2)), { id: 255, amsId: -1, slot: 255, external: true, tool: 0 })
  t.hasStrict(pair(dual({}, { snow: 65024 }, 274)), { id: 254, amsId: -1, slot: 254, external: true, tool: 1 })
  t.hasStrict(pair(dual({ snow: 0, hnow: 254 }, {}, 2)), { id: 255, external: true })
  t.hasStrict(pair(dual({}, { snow: 0, hnow: 254 }, 274)), { id: 254, external: true })
  t.hasStrict(pair(dual({ star: 65280, htar: 0 }, {}, 2)), { targetId: 255 })
})

t.test('dual: between two tools none is active', async t => {
  t.strictSame(pair(dual({ snow: 259 }, { snow: 0 }, 0x1F2)),
    { id: -1, amsId: -1, slot: -1, targetId: -1, state: 'UNLOADED', tool: 15, external: false })
})

t.test('dual: the current tool, not the one it is heading for', async t => {
  t.equal(pair(dual({}, {}, 0x102)).tool, 0)
  t.equal(pair(dual({}, {}, 33042)).tool, 1, 'while loading')
})
