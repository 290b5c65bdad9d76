import t from 'tap'
import { bench, type Doc } from '../listener.js'

const get = (ask: (section: string, command: string, body?: Doc) => Promise<Doc>, body: Doc): Promise<Doc> =>
  ask('print', 'extrusion_cali_get', { nozzle_diameter: '0.4', ...body })

t.test('stored profiles are listed, all or for one filament', async t => {
  const { ask } = await bench(t, { model: 'X1C' })
  const all = await get(ask, { filament_id: '' })
  t.equal(all.result, 'success')
  t.ok(all.filaments.length > 3)
  const some = await get(ask, { filament_id: 'GFA00' })
  t.match(some.filaments, [{ filament_id: 'GFA00', k_value: /^0\.\d{6}$/, nozzle_diameter: '0.4', extruder_id: 0 }])
  t.equal(some.filaments.length, 1)
})

t.test('none stored is said with a reason', async t => {
  const { ask } = await bench(t, { model: 'X1C' })
  t.hasStrict(await get(ask, { filament_id: 'P1234567' }), { result: 'fail', reason: 'Not find', filaments: [] })
  t.hasStrict(await get(ask, { filament_id: '', nozzle_diameter: '0.8' }), { reason: 'Not find' })
  t.hasStrict(await ask('print', 'extrusion_cali_get_result', { nozzle_diameter: '0.4' }),
    { result: 'fail', reason: "Don't exist" })
})

t.test('profiles of an H2D are kept for each tool', async t => {
  const { ask } = await bench(t, { model: 'H2D' })
  const left = await get(ask, { filament_id: 'GFA00', extruder_id: 1 })
  t.same(left.filaments.map(({ extruder_id: id }: Doc) => id), [1])
  t.equal((await get(ask, { filament_id: 'GFA00' })).filaments.length, 2)
})

t.test('a profile is chosen for a tray', async t => {
  const { ask, status } = await bench(t, { model: 'X1C' })
  const chosen = { tray_id: 5, ams_id: 1, slot_id: 1, cali_idx: 2, filament_id: 'GFA00', nozzle_diameter: '0.4' }
  t.hasStrict(await ask('print', 'extrusion_cali_sel', chosen), { ...chosen, result: 'success' })
  t.equal((await status()).ams.ams[1].tray[1].cali_idx, 2)
  await ask('print', 'extrusion_cali_sel', { ...chosen, cali_idx: -1 })
  t.equal((await status()).ams.ams[1].tray[1].cali_idx, -1)
  await ask('print', 'extrusion_cali_sel', { tray_id: 254, ams_id: 254, slot_id: 0, cali_idx: 3 })
  t.equal((await status()).vt_tray.cali_idx, 3)
  t.hasStrict(await ask('print', 'extrusion_cali_sel', { tray_id: 13, ams_id: 3, slot_id: 1, cali_idx: 1 }), { result: 'fail' })
})

t.test('a P1 shows the value on the tray', async t => {
  const { ask, status } = await bench(t, { model: 'P1S' })
  const [profile] = (await get(ask, { filament_id: 'GFG02' })).filaments
  await ask('print', 'extrusion_cali_sel', { tray_id: 2, cali_idx: profile.cali_idx })
  t.hasStrict((await status()).ams.ams[0].tray[2], { cali_idx: profile.cali_idx, k: Number(profile.k_value) })
})

t.test('profiles are stored, replaced and deleted', async t => {
  const { ask } = await bench(t, { model: 'X1C' })
  const filament = { filament_id: 'P7654321', name: 'mine', k_value: '0.031000', extruder_id: 0, nozzle_diameter: '0.4' }
  await ask('print', 'extrusion_cali_set', { nozzle_diameter: '0.4', filaments: [filament] })
  const [stored] = (await get(ask, { filament_id: 'P7654321' })).filaments
  t.hasStrict(stored, filament)
  const changed = { ...filament, cali_idx: stored.cali_idx, k_value: '0.040000' }
  await ask('print', 'extrusion_cali_set', { nozzle_diameter: '0.4', filaments: [changed] })
  t.same((await get(ask, { filament_id: 'P7654321' })).filaments.map(({ k_value: k }: Doc) => k), ['0.040000'])
  t.hasStrict(await ask('print', 'extrusion_cali_del', { cali_idx: stored.cali_idx }), { result: 'success' })
  t.hasStrict(await ask('print', 'extrusion_cali_del', { cali_idx: stored.cali_idx }), { result: 'fail' })
})

t.test('the oldest form sets one tray', async t => {
  const { ask, status } = await bench(t, { model: 'P1S' })
  await ask('print', 'extrusion_cali_set', { tray_id: 1, k_value: 0.027, n_coef: 1.4 })
  t.hasStrict((await status()).ams.ams[0].tray[1], { k: 0.027, n: 1.4 })
})
