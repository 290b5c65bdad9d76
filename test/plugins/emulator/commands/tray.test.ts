import t from 'tap'
import { bench, type Doc } from '../listener.js'

const PLA = {
  tray_info_idx: 'GFA00',
  setting_id: '',
  tray_color: 'FF0000FF',
  nozzle_temp_min: 190,
  nozzle_temp_max: 240,
  tray_type: 'PLA'
}

t.test('a spool is described: numbers become text, the answer names the slot', async t => {
  const { ask, status } = await bench(t, { model: 'X1C' })
  const answer = await ask('print', 'ams_filament_setting', { ams_id: 1, slot_id: 1, tray_id: 1, ...PLA })
  t.hasStrict(answer, { result: 'success', reason: '', ams_id: 1, slot_id: 1, tray_id: 1, tray_color: 'FF0000FF' })
  t.hasStrict((await status()).ams.ams[1].tray[1], {
    id: '1',
    tray_info_idx: 'GFA00',
    tray_type: 'PLA',
    tray_color: 'FF0000FF',
    cols: ['FF0000FF'],
    nozzle_temp_min: '190',
    nozzle_temp_max: '240',
    state: 11
  })
})

t.test('the global number of a tray is understood too', async t => {
  const { ask, status } = await bench(t, { model: 'P1S' })
  t.hasStrict(await ask('print', 'ams_filament_setting', { ams_id: 0, tray_id: 2, ...PLA }), { result: 'success', tray_id: 2 })
  t.hasStrict((await status()).ams.ams[0].tray[2], { tray_type: 'PLA', tray_color: 'FF0000FF' })
})

t.test('an empty slot can be described, a single slot needs no number', async t => {
  const { ask, status } = await bench(t, { model: 'H2D' })
  t.same((await status()).ams.ams[0].tray[3], { id: '3', state: 0 })
  await ask('print', 'ams_filament_setting', { ams_id: 0, slot_id: 3, tray_id: 3, ...PLA })
  await ask('print', 'ams_filament_setting', { ams_id: 128, slot_id: 0, tray_id: 0, ...PLA })
  const { ams } = await status()
  t.hasStrict(ams.ams[0].tray[3], { tray_type: 'PLA' })
  t.hasStrict(ams.ams[1].tray[0], { tray_type: 'PLA' })
  t.equal(ams.tray_exist_bits, '1000f')
})

t.test('the only holder is 255 on the wire, both are there on an H2D', async t => {
  const x1 = await bench(t, { model: 'X1C' })
  t.hasStrict(await x1.ask('print', 'ams_filament_setting', { ams_id: 255, slot_id: 0, tray_id: 254, ...PLA }), { tray_id: 254 })
  const single = await x1.status()
  t.hasStrict(single.vt_tray, { id: '255', tray_type: 'PLA' })
  t.hasStrict(single.vir_slot, [{ id: '255', tray_type: 'PLA' }])
  const h2 = await bench(t, { model: 'H2D' })
  await h2.ask('print', 'ams_filament_setting', { ams_id: 254, slot_id: 0, tray_id: 254, ...PLA })
  t.same((await h2.status()).vir_slot.map(({ id, tray_type: type }: Doc) => [id, type]), [['254', 'PLA'], ['255', '']])
})

t.test('an A1 does not know its holder as 254', async t => {
  const { ask, tell, status } = await bench(t, { model: 'A1_MINI' })
  await tell('print', 'ams_filament_setting', { ams_id: 254, slot_id: 0, tray_id: 254, ...PLA })
  t.equal((await status()).vt_tray.tray_color, 'FFFFFFFF')
  await ask('print', 'ams_filament_setting', { ams_id: 255, slot_id: 0, tray_id: 254, ...PLA })
  t.hasStrict((await status()).vt_tray, { id: '254', tray_color: 'FF0000FF' })
})

t.test('a slot is cleared with blank fields', async t => {
  const { ask, status } = await bench(t, { model: 'X1C' })
  const blank = { tray_info_idx: '', tray_type: '', tray_id_name: '', nozzle_temp_min: 0, nozzle_temp_max: 0 }
  await ask('print', 'ams_filament_setting', { ams_id: 0, slot_id: 0, tray_id: 0, tray_color: 'FFFFFF00', ...blank })
  t.hasStrict((await status()).ams.ams[0].tray[0],
    { tray_info_idx: '', tray_type: '', tray_color: 'FFFFFF00', nozzle_temp_min: '0', state: 11 })
})

t.test('minus one is taken as it stands', async t => {
  const { ask, status } = await bench(t, { model: 'X1C' })
  await ask('print', 'ams_filament_setting', { ams_id: 0, slot_id: 0, tray_id: 0, ...PLA, nozzle_temp_min: -1 })
  t.equal((await status()).ams.ams[0].tray[0].nozzle_temp_min, '-1')
})

t.test('without a colour the colour stays', async t => {
  const { ask, status } = await bench(t, { model: 'X1C' })
  const { tray_color: before } = (await status()).ams.ams[0].tray[2]
  const { tray_color: colour, ...rest } = PLA
  await ask('print', 'ams_filament_setting', { ams_id: 0, slot_id: 2, tray_id: 2, ...rest })
  t.hasStrict((await status()).ams.ams[0].tray[2], { tray_color: before, cols: [before], tray_type: 'PLA' })
})

t.test('slots that are not there are refused', async t => {
  const { ask } = await bench(t, { model: 'X1C' })
  t.hasStrict(await ask('print', 'ams_filament_setting', { ams_id: 3, slot_id: 0, tray_id: 0, ...PLA }), { result: 'fail' })
  t.hasStrict(await ask('print', 'ams_filament_setting', { ...PLA }), { result: 'fail' })
})
