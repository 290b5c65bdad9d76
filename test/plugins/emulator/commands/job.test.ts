import t from 'tap'
import { bench, type Doc } from '../listener.js'

/** Through preparation, stages and the first filament change. */
const TO_FIRST_LAYER_S = 190

t.test('pause, resume and stop are acknowledged and obeyed', async t => {
  const { printer, ask, status, live } = await bench(t, { model: 'X1C' })
  printer.startJob({ minutes: 60 })
  await live(TO_FIRST_LAYER_S)
  t.hasStrict(await status(), { gcode_state: 'RUNNING', stg_cur: 0, ams_status: 768 })
  t.hasStrict(await ask('print', 'pause', { param: '' }), { result: 'success', reason: '', param: '' })
  t.hasStrict(await status(), { gcode_state: 'PAUSE', stg_cur: 16 })
  const { mc_percent: percent } = await status()
  await live(600)
  t.equal((await status()).mc_percent, percent, 'nothing is printed meanwhile')
  await ask('print', 'resume', { param: '' })
  t.hasStrict(await status(), { gcode_state: 'RUNNING', stg_cur: 0 })
  t.hasStrict(await ask('print', 'stop', { param: '' }), { result: 'success' })
  t.hasStrict(await status(), {
    gcode_state: 'FAILED',
    stg_cur: -1,
    print_error: 50348044,
    mc_percent: 0,
    mc_remaining_time: 0,
    nozzle_target_temper: 0,
    bed_target_temper: 0
  })
})

t.test('the error of a stopped job stays until it is cleared', async t => {
  const { printer, ask, tell, status, live } = await bench(t, { model: 'P1S' })
  printer.startJob()
  await ask('print', 'stop')
  await live(600)
  t.equal((await status()).print_error, 50348044)
  await ask('print', 'clean_print_error', { print_error: 1 })
  t.equal((await status()).print_error, 50348044, 'another number clears nothing')
  const cleared = await ask('print', 'clean_print_error', { print_error: 50348044, subtask_id: '' })
  t.hasStrict(cleared, { result: 'success', reason: '' })
  t.hasStrict(await status(), { print_error: 0, gcode_state: 'FAILED' })
  printer.patch({ print_error: 0x0300400C })
  const closed = await tell('system', 'uiop',
    { name: 'print_error', action: 'close', source: 1, type: 'dialog', err: '0300400C' })
  t.equal(closed.print_error, 0, 'closing the dialog is not answered but heeded')
})

t.test('the speed follows at once, and a job runs by it', async t => {
  const { printer, ask, status, live } = await bench(t, { model: 'X1C' })
  await ask('print', 'print_speed', { param: '4' })
  t.hasStrict(await status(), { spd_lvl: 4, spd_mag: 166 }, 'at rest too')
  await ask('print', 'print_speed', { param: '2' })
  printer.startJob({ minutes: 100, layers: 100 })
  await live(TO_FIRST_LAYER_S)
  t.hasStrict(await ask('print', 'print_speed', { param: '3' }), { result: 'success', param: '3' })
  t.hasStrict(await status(), { spd_lvl: 3, spd_mag: 124 })
  const { mc_percent: before } = await status()
  await live(1500)
  t.equal((await status()).mc_percent - before, 31, '25 minutes at 124 %')
  t.hasStrict(await ask('print', 'print_speed', { param: '9' }), { result: 'fail' })
})

t.test('objects are skipped while there is a job, and only those that it has', async t => {
  const { printer, ask, status, live } = await bench(t, { model: 'P1S' })
  t.hasStrict(await ask('print', 'skip_objects', { obj_list: [17] }), { result: 'fail' })
  printer.startJob({ objects: [17, 42, 99] })
  await live(20)
  t.hasStrict(await ask('print', 'skip_objects', { obj_list: [17, 5] }), { result: 'success', obj_list: [17, 5] })
  await ask('print', 'skip_objects', { obj_list: [42, 17] })
  t.same((await status()).s_obj, [17, 42])
})

t.test('commands for a job that is not there change nothing', async t => {
  const { ask, status } = await bench(t, { model: 'X1C' })
  for (const command of ['pause', 'resume', 'stop']) t.hasStrict(await ask('print', command), { result: 'success' })
  t.hasStrict(await status(), { gcode_state: 'IDLE', print_error: 0 })
})

t.test('a calibration runs its stages and ends', async t => {
  const { ask, status, live, reports } = await bench(t, { model: 'X1C' })
  t.hasStrict(await ask('print', 'calibration', { option: 2 | 4 }), { result: 'success', option: 6 })
  await live(200)
  const stages = new Set(reports().map(({ stg_cur: stage }) => stage))
  t.ok([13, 1, 3].every(stage => stages.has(stage)))
  t.equal((await status()).gcode_state, 'FINISH')
})

t.test('homing and jogging have commands where fun says so', async t => {
  const h2 = await bench(t, { model: 'H2D' })
  t.equal((await h2.status()).home_flag & 7, 0)
  t.hasStrict(await h2.ask('print', 'back_to_center'), { result: 'success', errno: 0 })
  t.equal((await h2.status()).home_flag & 7, 7)
  t.hasStrict(await h2.ask('print', 'xyz_ctrl', { axis: 'X', dir: 1, mode: 0 }), { result: 'success' })
  const x1 = await bench(t, { model: 'X1C' })
  await x1.tell('print', 'xyz_ctrl', { axis: 'X', dir: 1, mode: 0 })
  const p1 = await bench(t, { model: 'P1S' })
  await p1.tell('print', 'back_to_center')
})

t.test('unknown commands and sections are not answered', async t => {
  const { tell, printer } = await bench(t, { model: 'X1C' })
  await tell('print', 'fly')
  await tell('print', 'constructor')
  await tell('system', 'toString')
  await tell('nonsense', 'pause')
  await tell('__proto__', 'pause')
  t.hasStrict(printer.requests.filter(({ command }) => command === 'fly'), [{ section: 'print' }])
})

t.test('the newest thousand requests are kept', async t => {
  const { printer, send, settle } = await bench(t, { model: 'P1S' })
  for (let i = 0; i < 1010; i++) send({ pushing: { command: 'none', sequence_id: String(i) } } as Doc, 0)
  await settle()
  t.equal(printer.requests.length, 1000)
  t.equal(printer.requests.at(-1)?.command, 'get_version')
  t.equal(printer.requests[0]?.body.sequence_id, '11')
})

t.test('a file of G-code on the printer runs like a job', async t => {
  const { ask, status } = await bench(t, { model: 'P1S' })
  t.hasStrict(await ask('print', 'gcode_file', { param: '/usr/etc/print/box.gcode' }), { result: 'success' })
  t.hasStrict(await status(), { gcode_state: 'PREPARE', subtask_name: 'box', gcode_file: '/usr/etc/print/box.gcode' })
  t.hasStrict(await ask('print', 'gcode_file', { param: '/other.gcode' }), { result: 'fail' })
})

t.test('what the printer asked about can be ignored', async t => {
  const { printer, ask, status, live } = await bench(t, { model: 'H2D' })
  printer.patch({ print_error: 0x05008030 })
  t.hasStrict(await ask('print', 'idle_ignore', { err: String(0x05008030), type: 0 }), { result: 'success' })
  t.equal((await status()).print_error, 0)
  printer.startJob()
  await live(60)
  await ask('print', 'pause')
  printer.patch({ print_error: 0x03008003 })
  await ask('print', 'ignore', { err: String(0x03008003), param: 'reserve', job_id: '' })
  t.hasStrict(await status(), { gcode_state: 'RUNNING', print_error: 0 })
  t.hasStrict(await ask('print', 'buzzer_ctrl', { mode: 0 }), { result: 'success' })
})
