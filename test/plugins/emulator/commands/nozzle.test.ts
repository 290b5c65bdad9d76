import t from 'tap'
import { bench, type Doc } from '../listener.js'

t.test('what is screwed in is said with set_accessories', async t => {
  const { ask, status } = await bench(t, { model: 'A1_MINI' })
  const nozzle = { accessory_type: 'nozzle', nozzle_diameter: 0.6, nozzle_type: 'hardened_steel' }
  t.hasStrict(await ask('system', 'set_accessories', nozzle), { ...nozzle, result: 'success' })
  t.hasStrict(await status(), { nozzle_diameter: '0.6', nozzle_type: 'hardened_steel' })
  t.hasStrict(await ask('system', 'set_accessories', { ...nozzle, nozzle_diameter: 0.5 }),
    { result: 'fail', reason: 'invalid nozzle_diameter' })
  t.hasStrict(await ask('system', 'set_accessories', { ...nozzle, nozzle_type: 'gold' }), { result: 'fail' })
})

t.test('an X1 shows it in the device object too', async t => {
  const { ask, status } = await bench(t, { model: 'X1C' })
  await ask('system', 'set_accessories', { accessory_type: 'nozzle', nozzle_diameter: 0.8, nozzle_type: 'stainless_steel' })
  const report = await status()
  t.hasStrict(report, { nozzle_diameter: '0.8', nozzle_type: 'stainless_steel' })
  t.hasStrict(report.device.nozzle.info[0], { diameter: 0.8, type: 'HX00' })
})

t.test('an H2D takes a code for each tool', async t => {
  const { ask, status } = await bench(t, { model: 'H2D' })
  t.hasStrict(await ask('print', 'set_nozzle', { id: 1, diameter: 0.6, type: 'HS01', wear: 0 }), { result: 'success' })
  const { info } = (await status()).device.nozzle
  t.same(info.map(({ id, diameter, type }: Doc) => [id, diameter, type]), [[0, 0.4, 'HH01'], [1, 0.6, 'HS01']])
  t.hasStrict(await ask('print', 'set_nozzle', { id: 2, diameter: 0.6, type: 'HS01' }), { result: 'fail' })
  t.hasStrict(await ask('print', 'set_nozzle', { id: 0, diameter: 0.6, type: 'hard' }), { result: 'fail' })
})

t.test('the tool changes through a state between', async t => {
  const { ask, status, live } = await bench(t, { model: 'H2D' })
  t.hasStrict(await ask('print', 'select_extruder', { extruder_index: 1 }), { result: 'success', errno: 0 })
  t.equal((await status()).device.extruder.state, 0x1F2, 'fifteen while it moves, target 1')
  await live(6)
  t.equal((await status()).device.extruder.state, 0x112)
  t.hasStrict(await ask('print', 'select_extruder', { extruder_index: 1 }), { result: 'success' }, 'already there')
  t.equal((await status()).device.extruder.state, 0x112)
  t.hasStrict(await ask('print', 'select_extruder', { extruder_index: 2 }), { result: 'fail' })
})

t.test('the temperatures at the top are those of the tool in use', async t => {
  const { ask, status, live } = await bench(t, { model: 'H2D' })
  await ask('print', 'set_nozzle_temp', { extruder_index: 1, target_temp: 200 })
  t.equal((await status()).nozzle_target_temper, 0)
  await ask('print', 'select_extruder', { extruder_index: 1 })
  await live(6)
  t.hasStrict(await status(), { nozzle_target_temper: 200, nozzle_type: 'HH05' })
})

t.test('not while a job needs the tool, and not where there is one', async t => {
  const h2 = await bench(t, { model: 'H2D' })
  h2.printer.startJob()
  await h2.live(20)
  t.match(await h2.ask('print', 'select_extruder', { extruder_index: 1 }), { result: 'fail', errno: -1 })
  const x1 = await bench(t, { model: 'X1C' })
  await x1.tell('print', 'select_extruder', { extruder_index: 0 })
})

t.test('nozzles are read again where the printer can', async t => {
  const { ask, status, live } = await bench(t, { model: 'H2D' })
  t.hasStrict(await ask('print', 'refresh_nozzle'), { result: 'success' })
  t.equal((await status()).device.nozzle.state, 4096 + 2 * 16)
  await live(5)
  t.equal((await status()).device.nozzle.state, 4096)
  const x1 = await bench(t, { model: 'X1C' })
  await x1.tell('print', 'refresh_nozzle')
})
