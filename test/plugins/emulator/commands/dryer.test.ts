import t from 'tap'
import { bench, type Bench, type Doc } from '../listener.js'

const start = (b: Bench, ams: number, body: Doc = {}): Promise<Doc> => b.ask('print', 'ams_filament_drying', {
  ams_id: ams,
  mode: 1,
  filament: 'PLA',
  temp: 55,
  duration: 4,
  humidity: 0,
  rotate_tray: false,
  cooling_temp: 45,
  close_power_conflict: false,
  ...body
})

const stop = (b: Bench, ams: number): Promise<Doc> => b.ask('print', 'ams_filament_drying',
  { ams_id: ams, mode: 0, filament: '', temp: 0, duration: 0, humidity: 0, rotate_tray: false, cooling_temp: 45 })

const unit = async (b: Bench, at: number): Promise<Doc> => (await b.status()).ams.ams[at]

/** Fields of the `info` word. */
const bits = ({ info }: Doc): Doc => {
  const word = Number.parseInt(info, 16)
  const nibble = (bit: number): number => (word >> bit) & 15
  return { kind: nibble(0), state: nibble(4), extruder: nibble(8), fans: nibble(18), sub: nibble(22) }
}

t.test('a unit checks, dries, counts down, warms up and dries the air', async t => {
  const b = await bench(t, { model: 'H2D' })
  t.hasStrict(await start(b, 128, { temp: 75 }), { result: 'success', ams_id: 128, temp: 75 })
  const checking = await unit(b, 1)
  t.hasStrict(bits(checking), { kind: 4, state: 1, extruder: 1, fans: 0 })
  t.same(checking.dry_sf_reason, [4])
  await b.live(4)
  const drying = await unit(b, 1)
  t.hasStrict(bits(drying), { state: 2, fans: 5, sub: 1 })
  t.hasStrict(drying, {
    dry_time: 240,
    dry_setting: { dry_duration: 4, dry_filament: 'PLA', dry_temperature: 75 },
    dry_sf_reason: [6]
  })
  await b.live(1200)
  const later = await unit(b, 1)
  t.equal(later.dry_time, 220)
  t.equal(later.temp, '75.0')
  t.ok(Number(later.humidity_raw) <= Number(drying.humidity_raw))
  t.equal(bits(later).sub, 2)
})

t.test('stopping takes a moment and then cools', async t => {
  const b = await bench(t, { model: 'H2D' })
  await start(b, 0)
  await b.live(600)
  t.hasStrict(await stop(b, 0), { result: 'success', mode: 0 })
  const stopping = await unit(b, 0)
  t.equal(bits(stopping).state, 4)
  t.hasStrict(stopping, { dry_time: 0, dry_setting: { dry_duration: -1, dry_filament: '', dry_temperature: -1 } })
  await b.live(3)
  t.equal(bits(await unit(b, 0)).state, 3)
  await b.live(30)
  const off = await unit(b, 0)
  t.equal(bits(off).state, 0)
  t.same(off.dry_sf_reason, [])
})

t.test('drying ends by itself', async t => {
  const b = await bench(t, { model: 'H2D', reportEveryMs: 20_000 })
  await start(b, 0, { duration: 1 })
  await b.live(3620)
  t.equal(bits(await unit(b, 0)).state, 3)
  await b.live(60)
  t.hasStrict(await unit(b, 0), { dry_time: 0, info: '10002003' })
})

t.test('filament at the outlet is a reason not to start', async t => {
  const b = await bench(t, { model: 'H2D' })
  await b.ask('print', 'ams_change_filament', { ams_id: 0, slot_id: 0, target: 0, curr_temp: -1, tar_temp: -1 })
  t.hasStrict(await start(b, 0), { result: 'fail', err_code: 0x0700C06B }, 'while it changes filament')
  t.same((await unit(b, 0)).dry_sf_reason, [2])
  await b.live(120)
  t.same((await unit(b, 0)).dry_sf_reason, [3])
  t.hasStrict(await start(b, 0), { result: 'fail', err_code: 83935307 })
  t.hasStrict(await start(b, 128), { result: 'success' }, 'the other unit is free')
})

t.test('a unit that reads a tag or feeds a job is busy', async t => {
  const b = await bench(t, { model: 'X1C', ams: ['AMS_2_PRO', 'AMS_HT'] })
  await b.ask('print', 'ams_get_rfid', { ams_id: 128, slot_id: 0 })
  t.hasStrict(await start(b, 128), { result: 'fail', err_code: 0x1880C06A })
  await b.live(10)
  b.printer.startJob()
  await b.live(250)
  t.equal((await b.status()).mc_percent > 0, true)
  t.hasStrict(await start(b, 0), { result: 'fail', err_code: 0x0700C06C })
})

t.test('values that a unit cannot keep are refused', async t => {
  const b = await bench(t, { model: 'H2D' })
  t.hasStrict(await start(b, 0, { temp: 66 }), { result: 'fail' })
  t.hasStrict(await start(b, 0, { temp: 44 }), { result: 'fail' })
  t.hasStrict(await start(b, 128, { temp: 85 }), { result: 'success' })
  t.hasStrict(await start(b, 0, { duration: 0 }), { result: 'fail' })
  t.hasStrict(await start(b, 0, { filament: '' }), { result: 'fail' })
  t.hasStrict(await start(b, 0, { close_power_conflict: undefined }), { result: 'fail' })
  t.hasStrict(await start(b, 5), { result: 'fail' })
  t.equal(bits(await unit(b, 0)).state, 0)
})

t.test('a unit without a dryer: an X1 refuses, a P1 agrees and does nothing', async t => {
  const x1 = await bench(t, { model: 'X1C' })
  t.hasStrict(await start(x1, 0), { result: 'fail' })
  const p1 = await bench(t, { model: 'P1S' })
  t.hasStrict(await start(p1, 0), { result: 'success' })
  await p1.live(10)
  t.equal(bits(await unit(p1, 0)).state, 0)
})

t.test('all drying can be stopped at once', async t => {
  const b = await bench(t, { model: 'H2D' })
  await start(b, 0)
  await start(b, 128)
  await b.live(5)
  t.hasStrict(await b.ask('print', 'auto_stop_ams_dry'), { result: 'success' })
  t.same([bits(await unit(b, 0)).state, bits(await unit(b, 1)).state], [4, 4])
})
