import t from 'tap'
import { decode, dual } from '../helpers/decode.js'
import { createFeed, type Fields } from '../helpers/feed.js'
import { h2d } from '../fixtures/h2d.data.js'

const pair = (right: Fields, left: Fields = {}, more: Fields = {}) => decode({ ...dual(right, left), ...more }, { model: 'H2D' }).extruders
const right = (fields: Fields) => pair(fields)[0]
const single = (report: Fields) => decode(report).extruders[0]

t.test('a single printer has one, with the number -1', async t => {
  const all = decode({ nozzle_temper: 219.5, nozzle_target_temper: 220, nozzle_type: 'stainless_steel', nozzle_diameter: '0.4' }).extruders
  t.equal(all.length, 1)
  t.hasStrict(all[0], { id: -1, temperature: { actual: 219.5, target: 220 }, state: 'NOT_AVAILABLE', status: 'NOT_AVAILABLE', infoBits: 0 })
})

t.test('a dual printer has two, 0 right and 1 left, in that order', async t => {
  const info = [{ id: 1, temp: 28 }, { id: 0, temp: 16056565 }]
  t.hasStrict(decode({ device: { extruder: { state: 2, info } } }, { model: 'H2D' }).extruders,
    [{ id: 0, temperature: { actual: 245, target: 245 } }, { id: 1, temperature: { actual: 28, target: 0 } }])
})

t.test('filament by the info bits', async t => {
  const state = (info: number) => right({ info })?.state
  t.equal(state(0b0000), 'NO_NOZZLE')
  t.equal(state(0b0110), 'NO_NOZZLE', 'without a nozzle the rest says nothing')
  t.equal(state(0b1000), 'EMPTY')
  t.equal(state(0b1010), 'LOADED')
  t.equal(state(0b1110), 'LOADED')
  t.equal(state(0b1100), 'BUFFER_LOADED')
  t.equal(state(1032), 'EMPTY')
  t.equal(state(1048), 'EMPTY')
  t.equal(state(79), 'LOADED')
  t.equal(single({ device: { extruder: { info: [{ id: 0, info: 8 }] } } })?.state, 'EMPTY', 'on single printers too')
})

t.test('work by the stat bits', async t => {
  const status = (stat: number) => right({ stat })?.status
  t.equal(status(0), 'IDLE')
  t.equal(status(1), 'HEATING')
  t.equal(status(0x100), 'IDLE')
  t.equal(status(0x200), 'ACTIVE')
  t.equal(status(197376), 'ACTIVE')
  t.equal(status(0x301), 'ACTIVE')
})

t.test('the way of the filament on a dual printer', async t => {
  const trayState = (info: number, stat: number, loaded = false) =>
    decode(dual({ info, stat }), { model: 'H2D', context: { loaded: { 0: loaded } } }).extruders[0]?.trayState
  const EMPTY = 8
  const LOADED = 10
  t.equal(trayState(LOADED, 0x300), 'LOADED')
  t.equal(trayState(EMPTY, 0), 'UNLOADED')
  t.equal(trayState(LOADED, 1, true), 'UNLOADING', 'it was loaded and heats')
  t.equal(trayState(LOADED, 1, false), 'LOADING', 'it was not')
  t.equal(trayState(EMPTY, 1), 'LOADING')
  t.equal(trayState(EMPTY, 0x300), 'LOADING')
  t.equal(trayState(LOADED, 0), 'LOADED')
})

t.test('whether it was loaded is remembered from report to report', async t => {
  const feed = createFeed(h2d.serial)
  const info = (info: number, stat: number) =>
    feed.report({ msg: 1, device: { extruder: { info: [{ id: 0, info, stat }] } } })
  const state = () => feed.state.extruders[0]?.trayState
  feed.report(h2d.report)
  t.equal(state(), 'UNLOADED')
  info(8, 1)
  t.equal(state(), 'LOADING')
  info(10, 1)
  t.equal(state(), 'LOADING', 'the filament arrives while it heats')
  info(10, 1)
  t.equal(state(), 'LOADING', 'and goes on arriving')
  info(10, 0x300)
  t.equal(state(), 'LOADED')
  info(10, 1)
  t.equal(state(), 'UNLOADING')
  info(10, 1)
  t.equal(state(), 'UNLOADING', 'until it is gone')
  info(8, 0)
  t.equal(state(), 'UNLOADED')
})

t.test('the unit that feeds an extruder: of its tray, else the one assigned to it', async t => {
  const ams = { ams: [{ id: '0', info: '2003' }, { id: '1', info: '2003' }, { id: '128', info: '2104' }] }
  const ids = (a: Fields, b: Fields) => pair(a, b, { ams }).map(({ amsId }) => amsId)
  t.strictSame(ids({ snow: 65535 }, { snow: 65279 }), [0, 128])
  t.strictSame(ids({ snow: 259 }, {}), [1, 128])
  t.strictSame(ids({ snow: 65280 }, {}), [0, 128], 'a holder is no unit')
  t.strictSame(pair({}, {}).map(({ amsId }) => amsId), [-1, -1])
  t.equal(single({ ams: { tray_now: '5' } })?.amsId, 1)
  t.equal(single({ ams: { tray_now: '254' } })?.amsId, -1)
})

t.test('trays and targets of both', async t => {
  t.hasStrict(pair({ snow: 259, star: 65280 }, { snow: 65024, star: 0x8000 }), [
    { tray: { amsId: 1, slot: 3 }, targetTray: { amsId: 255, slot: 0 } },
    { tray: { amsId: 254, slot: 0 }, targetTray: { amsId: 128, slot: 0 } }
  ])
})

t.test('a single printer names its holder 254 for both', async t => {
  t.hasStrict(single({ device: { extruder: { info: [{ id: 0, snow: 65280, star: 65280 }] } } }),
    { tray: { amsId: 254, slot: 0 }, targetTray: { amsId: 254, slot: 0 } })
})

t.test('the nozzle of an extruder: the one it holds, else the one of its number', async t => {
  const nozzles = (hnow: unknown) => decode({
    device: {
      extruder: { state: 2, info: [{ id: 0, hnow }, { id: 1, hnow: 1 }] },
      nozzle: { info: [{ id: 0, type: 'HS01', diameter: 0.4 }, { id: 1, type: 'HH05', diameter: 0.6 }, { id: 17, type: 'HS00', diameter: 0.2 }] }
    }
  }, { model: 'H2C' }).extruders.map(({ nozzle }) => nozzle.encodedId)
  t.strictSame(nozzles(0), ['HS01-0.4', 'HH05-0.6'])
  t.strictSame(nozzles(17), ['HS00-0.2', 'HH05-0.6'], 'from the rack')
  t.strictSame(nozzles('17'), ['HS00-0.2', 'HH05-0.6'], 'as text')
  t.strictSame(nozzles(254), ['HS01-0.4', 'HH05-0.6'], 'no nozzle but the holder')
  t.strictSame(nozzles(undefined), ['HS01-0.4', 'HH05-0.6'])
})
