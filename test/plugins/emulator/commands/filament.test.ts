import t from 'tap'
import { bench, type Bench, type Doc } from '../listener.js'

const NO_TEMPS = { curr_temp: -1, tar_temp: -1, soft_temp: 0 }

const load = (b: Bench, ams: number, slot: number, target = ams * 4 + slot): Promise<Doc> =>
  b.ask('print', 'ams_change_filament', { ams_id: ams, slot_id: slot, target, ...NO_TEMPS })

const unload = (b: Bench, ams: number): Promise<Doc> =>
  b.ask('print', 'ams_change_filament', { ams_id: ams, slot_id: 255, target: 255, curr_temp: 210, tar_temp: 210 })

/** Values that a field took in the reports, without repeats in a row. */
const course = (b: Bench, pick: (report: Doc) => unknown): unknown[] => b.reports()
  .map(pick).filter(value => value !== undefined).filter((value, at, all) => value !== all[at - 1])

t.test('loading goes through its steps', async t => {
  const b = await bench(t, { model: 'X1C' })
  t.hasStrict(await load(b, 1, 2), { result: 'success', ams_id: 1, slot_id: 2, target: 6 })
  t.hasStrict(await b.status(), { ams: { tray_now: '255', tray_tar: '6' }, ams_status: 0x0102, stg_cur: 24, hw_switch_state: 0 })
  await b.live(120)
  t.same(course(b, ({ ams_status: status }) => status), [0, 0x0102, 0x0103, 0x0104, 0x0106, 0x0107, 0x0300])
  t.same(course(b, ({ stg_cur: stage }) => stage), [-1, 24, -1])
  const report = await b.status()
  t.hasStrict(report, { ams: { tray_now: '6', tray_tar: '6', tray_pre: '255' }, hw_switch_state: 1, gcode_state: 'IDLE' })
  t.equal(report.device.extruder.info[0].snow, 0x0102)
  t.equal(report.device.extruder.info[0].info & 2, 2, 'filament at the tool')
  t.equal(report.nozzle_target_temper, 0, 'the nozzle may cool again')
})

t.test('unloading goes back, with the stage of its own', async t => {
  const b = await bench(t, { model: 'P1S' })
  await load(b, 0, 1)
  await b.live(120)
  t.equal((await b.status()).ams.tray_now, '1')
  t.hasStrict(await unload(b, 0), { result: 'success' })
  t.equal((await b.status()).stg_cur, 22)
  await b.live(90)
  t.hasStrict(await b.status(), { ams: { tray_now: '255', tray_pre: '1' }, ams_status: 0, hw_switch_state: 0, stg_cur: 0 })
})

t.test('an A1 needs both temperatures to unload', async t => {
  const b = await bench(t, { model: 'A1_MINI' })
  await load(b, 0, 0)
  await b.live(120)
  const answer = await b.ask('print', 'ams_change_filament', { ams_id: 0, slot_id: 255, target: 255 })
  t.hasStrict(answer, { result: 'fail', reason: 'error string' })
  t.notOk('err_code' in answer)
  t.hasStrict(await unload(b, 0), { result: 'success' })
})

t.test('the external spool can be named in every way that is about', async t => {
  for (const [ams, slot, target] of [[255, 254, 254], [255, 0, 255], [254, 0, 254]] as const) {
    const b = await bench(t, { model: 'X1C' })
    t.hasStrict(await load(b, ams, slot, target), { result: 'success' })
    await b.live(120)
    const { ams: { tray_now: now }, device } = await b.status()
    t.equal(now, '254')
    t.equal(device.extruder.info[0].snow, 0xFF00)
  }
})

t.test('an H2D loads into the tool that a unit feeds', async t => {
  const b = await bench(t, { model: 'H2D' })
  await load(b, 128, 0, 128)
  t.equal((await b.status()).device.extruder.state >> 19 & 1, 1, 'busy loading')
  await b.live(120)
  const { device, ams } = await b.status()
  t.same(device.extruder.info.map(({ snow }: Doc) => snow), [65535, 0x8000])
  t.equal(device.extruder.state, 0x112, 'the left tool is in use')
  t.equal(ams.tray_now, '0', 'the number within the unit')
  t.hasStrict(await load(b, 254, 0, 254), { result: 'success' })
  await b.live(120)
  t.equal((await b.status()).device.extruder.info[1].snow, 0xFE00)
})

t.test('what cannot be loaded is refused', async t => {
  const b = await bench(t, { model: 'X1C' })
  t.hasStrict(await load(b, 0, 3), { result: 'fail' }, 'an empty slot')
  t.hasStrict(await load(b, 3, 0), { result: 'fail' }, 'a unit that is not there')
  t.hasStrict(await load(b, 0, 0), { result: 'success' })
  t.hasStrict(await load(b, 0, 1), { result: 'fail' }, 'while another is under way')
  await b.live(120)
  b.printer.startJob()
  await b.live(60)
  t.hasStrict(await load(b, 0, 1), { result: 'fail' }, 'while a job runs')
})

t.test('a unit that dries gives no filament', async t => {
  const b = await bench(t, { model: 'H2D' })
  await b.ask('print', 'ams_filament_drying', {
    ams_id: 0, mode: 1, filament: 'PLA', temp: 45, duration: 4, close_power_conflict: false
  })
  t.hasStrict(await load(b, 0, 0), { result: 'fail', err_code: 83935311, errno: -9 })
})

t.test('soft filament does not travel through a hot chamber', async t => {
  const b = await bench(t, { model: 'H2D' })
  await b.ask('print', 'set_ctt', { ctt_val: 60 })
  await b.live(200)
  t.hasStrict(await load(b, 0, 0), { result: 'fail', errno: -2, soft_temp: 45 })
  t.hasStrict(await load(b, 128, 0, 128), { result: 'success' }, 'PA-CF may')
})

t.test('a tag is read while nothing is loaded', async t => {
  const b = await bench(t, { model: 'X1C' })
  t.hasStrict(await b.ask('print', 'ams_get_rfid', { ams_id: 0, slot_id: 2 }), { result: 'success', ams_id: 0, slot_id: 2 })
  const reading = await b.status()
  t.hasStrict(reading, { ams: { tray_reading_bits: '4' }, ams_status: 0x0200, ams_rfid_status: 1 })
  t.equal(reading.ams.ams[0].tray[2].state, 17)
  await b.live(10)
  const done = await b.status()
  t.hasStrict(done, { ams: { tray_reading_bits: '0', tray_read_done_bits: 'f7' }, ams_status: 0, ams_rfid_status: 0 })
  t.equal(done.ams.ams[0].tray[2].state, 11)
  await load(b, 0, 0)
  await b.live(120)
  t.hasStrict(await b.ask('print', 'ams_get_rfid', { ams_id: 0, slot_id: 2 }), { result: 'fail' })
})

t.test('older firmware reads tags by G-code', async t => {
  const b = await bench(t, { model: 'P1S', firmware: '01.06.01.02' })
  await b.tell('print', 'ams_get_rfid', { ams_id: 0, slot_id: 1 })
  await b.ask('print', 'gcode_line', { param: 'M620 R1\n' })
  t.equal((await b.status()).ams.tray_reading_bits, '2')
})

t.test('ams_control pauses, resumes and ends a change', async t => {
  const b = await bench(t, { model: 'X1C' })
  await load(b, 0, 0)
  await b.live(50)
  await b.ask('print', 'ams_control', { param: 'pause' })
  const { ams_status: held } = await b.status()
  await b.live(100)
  t.equal((await b.status()).ams_status, held)
  await b.ask('print', 'ams_control', { param: 'resume' })
  await b.live(100)
  t.equal((await b.status()).ams.tray_now, '0')
  await load(b, 0, 1)
  t.hasStrict(await b.ask('print', 'ams_control', { param: 'abort' }), { result: 'success', param: 'abort' })
  t.hasStrict(await b.status(), { ams_status: 0x0300, ams: { tray_now: '0' }, stg_cur: -1 })
  t.hasStrict(await b.ask('print', 'ams_control', { param: 'toString' }), { result: 'fail' })
})

t.test('user settings show in their flags', async t => {
  const b = await bench(t, { model: 'X1C' })
  const ask = (flag: boolean): Promise<Doc> => b.ask('print', 'ams_user_setting',
    { ams_id: -1, startup_read_option: flag, tray_read_option: !flag, calibrate_remain_flag: !flag })
  t.hasStrict(await ask(true), { result: 'success', startup_read_option: true })
  const report = await b.status()
  t.hasStrict(report.ams, { power_on_flag: true, insert_flag: false })
  t.equal(report.home_flag >> 7 & 1, 0)
  t.equal(BigInt(`0x${report.cfg}`) & 0x20003n, 0x2n)
  await ask(false)
  t.hasStrict((await b.status()).ams, { power_on_flag: false, insert_flag: true })
})

t.test('an id beyond 31 bits makes the AMS deaf until it is reset', async t => {
  const b = await bench(t, { model: 'X1C' })
  await b.send({ print: { command: 'ams_control', param: 'resume', sequence_id: '2147483648' } })
  await b.tell('print', 'ams_control', { param: 'resume' })
  t.hasStrict(await b.ask('print', 'ams_reset'), { result: 'success' })
  t.hasStrict(await b.ask('print', 'ams_control', { param: 'resume' }), { result: 'success' })
})

t.test('old requests name a target only', async t => {
  const b = await bench(t, { model: 'P1S' })
  t.hasStrict(await b.ask('print', 'ams_change_filament', { target: 1, curr_temp: 210, tar_temp: 210 }), { result: 'success' })
  await b.live(120)
  t.equal((await b.status()).ams.tray_now, '1')
  t.hasStrict(await b.ask('print', 'unload_filament'), { result: 'success' })
  await b.live(120)
  t.equal((await b.status()).ams.tray_now, '255')
  t.hasStrict(await b.ask('print', 'ams_change_filament', { ams_id: 'x' }), { result: 'fail' })
})

t.test('a user at the printer confirms a step, and a new spool', async t => {
  const b = await bench(t, { model: 'X1C' })
  b.printer.startJob({ minutes: 10, runoutAt: 10 })
  await b.live(320)
  t.hasStrict(await b.status(), { gcode_state: 'PAUSE', stg_cur: 6 })
  t.hasStrict(await b.ask('print', 'ams_control', { param: 'done' }), { result: 'success' })
  t.hasStrict(await b.status(), { gcode_state: 'RUNNING', print_error: 0 })
})

t.test('filament of a unit goes back before a job from the holder', async t => {
  const b = await bench(t, { model: 'X1C' })
  await load(b, 0, 0)
  await b.live(120)
  b.printer.startJob({ filament: { ams: 255, slot: 0 } })
  await b.live(250)
  t.ok(course(b, ({ stg_cur: stage }) => stage).includes(22))
  t.hasStrict(await b.status(), { gcode_state: 'RUNNING', ams: { tray_now: '254', tray_pre: '0' } })
})
