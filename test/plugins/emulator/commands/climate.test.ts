import t from 'tap'
import { bench, type Doc } from '../listener.js'

const packed = (target: number, actual: number): number => target * 65536 + actual

t.test('temperatures by G-code: the target moves at once, the rest follows', async t => {
  const { ask, status, live } = await bench(t, { model: 'P1S' })
  const answer = await ask('print', 'gcode_line', { param: 'M140 S60\nM104 S220\n' })
  t.hasStrict(answer, { param: 'M140 S60\nM104 S220\n', result: 'success', reason: 'success', err_code: 0, is_from_mqtt: true })
  t.hasStrict(await status(), { bed_target_temper: 60, nozzle_target_temper: 220, bed_temper: 25 })
  await live(10)
  const warm = await status()
  t.ok(warm.bed_temper > 30 && warm.bed_temper < 60 && warm.nozzle_temper > 50 && warm.nozzle_temper < 220)
  await live(60)
  const hot = await status()
  t.ok(Math.abs(hot.bed_temper - 60) < 1 && Math.abs(hot.nozzle_temper - 220) < 1)
  t.equal(hot.heatbreak_fan_speed, '15')
  await ask('print', 'gcode_line', { param: 'M190 S0 ; off\nm109 s0' })
  await live(60)
  const cooler = await status()
  t.ok(cooler.nozzle_temper < 150 && cooler.bed_temper < 60)
  t.hasStrict(cooler, { bed_target_temper: 0, nozzle_target_temper: 0 })
})

t.test('G-code beyond the limits is cut to them, below zero to zero', async t => {
  const { ask, status } = await bench(t, { model: 'A1_MINI' })
  await ask('print', 'gcode_line', { param: 'M140 S200\nM104 S999\n' })
  t.hasStrict(await status(), { bed_target_temper: 80, nozzle_target_temper: 300 })
  await ask('print', 'gcode_line', { param: 'M140 S-5\nM104 S-1\n' })
  t.hasStrict(await status(), { bed_target_temper: 0, nozzle_target_temper: 0 })
})

t.test('the newer printers answer G-code in upper case', async t => {
  const { ask } = await bench(t, { model: 'X1C' })
  t.hasStrict(await ask('print', 'gcode_line', { param: 'G28\n' }), { result: 'SUCCESS', reason: 'SUCCESS' })
  t.hasStrict(await ask('print', 'gcode_line', {}), { result: 'FAIL' })
})

t.test('tools are told apart on an H2D, in G-code and in fields', async t => {
  const { ask, status } = await bench(t, { model: 'H2D' })
  const temps = (report: Doc): number[] => report.device.extruder.info.map(({ temp }: Doc) => temp)
  await ask('print', 'gcode_line', { param: 'M104 S220 T1\n' })
  t.same(temps(await status()), [packed(0, 25), packed(220, 25)])
  t.equal((await status()).nozzle_target_temper, 0, 'the tool in use is the right one')
  t.hasStrict(await ask('print', 'set_nozzle_temp', { extruder_index: 0, target_temp: 250 }), { result: 'success', errno: 0 })
  t.same(temps(await status()), [packed(250, 25), packed(220, 25)])
  await ask('print', 'gcode_line', { param: 'M104 S0\n' })
  t.same(temps(await status()), [packed(0, 25), packed(220, 25)])
  t.hasStrict(await ask('print', 'set_nozzle_temp', { extruder_index: 2, target_temp: 250 }), { result: 'fail' })
  t.hasStrict(await ask('print', 'set_nozzle_temp', { extruder_index: 0, target_temp: 351 }), { result: 'fail' })
})

t.test('a tool of an H2D that waits too long is cooled', async t => {
  const { ask, status, live } = await bench(t, { model: 'H2D' })
  await ask('print', 'set_nozzle_temp', { extruder_index: 0, target_temp: 200 })
  await live(160)
  t.equal((await status()).nozzle_target_temper, 200)
  await live(15)
  t.equal((await status()).nozzle_target_temper, 38)
})

t.test('bed in a field of its own where fun has the bit', async t => {
  const h2 = await bench(t, { model: 'H2D' })
  t.hasStrict(await h2.ask('print', 'set_bed_temp', { temp: 70 }), { result: 'success', temp: 70 })
  const { device, bed_target_temper: target } = await h2.status()
  t.equal(target, 70)
  t.hasStrict(device.bed, { info: { temp: packed(70, 25) }, state: 2 })
  t.hasStrict(await h2.ask('print', 'set_bed_temp', { temp: 121 }), { result: 'fail' })
  const x1 = await bench(t, { model: 'X1C' })
  await x1.tell('print', 'set_bed_temp', { temp: 70 })
})

t.test('the chamber of an H2D heats, with its rules', async t => {
  const { ask, status, live } = await bench(t, { model: 'H2D' })
  t.hasStrict(await ask('print', 'set_ctt', { ctt_val: 45, temper_check: true }), { ctt_val: 45, result: 'success', errno: 0 })
  t.hasStrict((await status()).device.ctc, { info: { temp: packed(45, 25) }, state: 2 })
  await live(120)
  t.equal((await status()).device.ctc.info.temp, packed(45, 45))
  t.hasStrict(await ask('print', 'set_ctt', { ctt_val: 30 }), { errno: -4, ctt_val: 30 })
  t.equal((await status()).device.ctc.info.temp >> 16, 0, 'less than 40 is off')
  t.hasStrict(await ask('print', 'set_ctt', { ctt_val: 0 }), { result: 'success', errno: 0 })
  t.hasStrict(await ask('print', 'set_ctt', { ctt_val: 80 }), { result: 'fail' })
})

t.test('a chamber is not heated over soft filament', async t => {
  const { ask, live } = await bench(t, { model: 'H2D' })
  await ask('print', 'ams_change_filament', { ams_id: 0, slot_id: 0, target: 0, curr_temp: -1, tar_temp: -1 })
  await live(90)
  t.hasStrict(await ask('print', 'set_ctt', { ctt_val: 50, temper_check: true }), { result: 'fail', errno: -2 })
})

t.test('printers without such a heater do not know the command', async t => {
  for (const model of ['X1C', 'P1S', 'P2S'] as const) {
    const { tell } = await bench(t, { model })
    await tell('print', 'set_ctt', { ctt_val: 45 })
  }
  const x1e = await bench(t, { model: 'X1E' })
  await x1e.ask('print', 'gcode_line', { param: 'M141 S50\n' })
  t.equal((await x1e.status()).device.ctc.info.temp >> 16, 50)
})

t.test('fans by G-code, at once, in fifteenths', async t => {
  const { ask, status } = await bench(t, { model: 'P1S' })
  await ask('print', 'gcode_line', { param: 'M106 P1 S128\nM106 P2 S255\nM106 P3 S127.5\n' })
  t.hasStrict(await status(), { cooling_fan_speed: '8', big_fan1_speed: '15', big_fan2_speed: '8' })
  await ask('print', 'gcode_line', { param: 'M107\n' })
  t.hasStrict(await status(), { cooling_fan_speed: '0', big_fan1_speed: '15' })
  const a1 = await bench(t, { model: 'A1_MINI' })
  await a1.ask('print', 'gcode_line', { param: 'M106 P2 S255\n' })
  t.equal((await a1.status()).big_fan1_speed, '0', 'not fitted')
})

t.test('the air duct rules the fans of an H2D', async t => {
  const { ask, status } = await bench(t, { model: 'H2D' })
  const parts = (report: Doc): number[][] => report.device.airduct.parts.map(({ id, state }: Doc) => [id, state])
  t.hasStrict(await ask('print', 'set_fan', { fan_index: 2, speed: 128 }), { result: 'success', errno: 0 })
  t.same(parts(await status()), [[16, 0], [32, 50], [48, 0], [96, 0]])
  t.hasStrict(await ask('print', 'set_airduct', { modeId: 1, submode: -1 }), { result: 'success', modeId: 1 })
  const heating = await status()
  t.equal(heating.device.airduct.modeCur, 1)
  t.same(parts(heating), [[16, 0], [32, 0], [48, 0], [96, 100]], 'fans that the mode keeps off have stopped')
  await ask('print', 'gcode_line', { param: 'M106 P2 S255\nM106 P1 S255\n' })
  t.same(parts(await status()), [[16, 100], [32, 0], [48, 0], [96, 100]])
  t.hasStrict(await ask('print', 'set_airduct', { modeId: 7 }), { result: 'fail' })
  t.hasStrict(await ask('print', 'set_fan', { fan_index: 9, speed: 255 }), { result: 'success' }, 'enhanced cooling')
  t.hasStrict(await ask('print', 'set_fan', { fan_index: 10, speed: 255 }), { result: 'fail' })
})

t.test('G-code homes, forgets home with the motors, and passes over what it does not know', async t => {
  const { ask, status } = await bench(t, { model: 'A1_MINI' })
  const home = async (): Promise<number> => (await status()).home_flag & 7
  await ask('print', 'gcode_line', { param: 'M18\n' })
  t.equal(await home(), 0)
  await ask('print', 'gcode_line', { param: 'G91\nG0 X10.00 F3000\nG90\n\n;comment\nG28 X\n' })
  t.equal(await home(), 1)
  await ask('print', 'gcode_line', { param: 'G28\n' })
  t.equal(await home(), 7)
})
