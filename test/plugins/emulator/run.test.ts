import t from 'tap'
import { bench, type Bench, type Doc } from './listener.js'

/** Values that a field took in the reports so far, without repeats in a row. */
const course = (b: Bench, key: string): unknown[] => b.reports()
  .map(report => report[key]).filter(value => value !== undefined).filter((value, at, all) => value !== all[at - 1])

/** Lets the printer live until a report shows what is awaited. */
async function until (b: Bench, test: (report: Doc) => boolean, atMost = 900): Promise<Doc> {
  for (let seconds = 0; seconds < atMost; seconds += 5) {
    const report = await b.status()
    if (test(report)) return report
    await b.live(5)
  }
  throw new Error('the report never showed it')
}

t.test('a job from start to finish on an X1', async t => {
  const b = await bench(t, { model: 'X1C' })
  b.printer.startJob({ name: 'boat', minutes: 10, layers: 50, plate: 3 })
  t.hasStrict(await b.status(), { gcode_state: 'PREPARE', subtask_name: 'boat', total_layer_num: 50 })
  const printing = await until(b, ({ layer_num: layer }) => layer > 0)
  t.hasStrict(printing, {
    nozzle_target_temper: 215,
    bed_target_temper: 55,
    cooling_fan_speed: '15',
    mc_print_stage: '2',
    print_type: 'local',
    ams_status: 768,
    job: { job_state: 4 }
  })
  t.equal(printing.device.extruder.info[0].stat, 0x30300)
  await b.live(300)
  const half = await b.status()
  t.ok(half.mc_percent >= 48 && half.mc_percent <= 54 && half.layer_num >= 24 && half.layer_num <= 28)
  t.equal(half.mc_remaining_time, 5)
  await until(b, ({ gcode_state: state }) => state === 'FINISH')
  t.same(course(b, 'gcode_state'), ['IDLE', 'PREPARE', 'RUNNING', 'FINISH'])
  t.same(course(b, 'stg_cur'), [-1, 2, 14, 13, 1, 8, 0, 4, 0, -1])
  t.hasStrict(await b.status(), {
    mc_percent: 100,
    layer_num: 50,
    total_layer_num: 50,
    mc_remaining_time: 0,
    nozzle_target_temper: 0,
    bed_target_temper: 0,
    cooling_fan_speed: '0',
    print_type: '',
    print_error: 0,
    gcode_file: '/data/Metadata/plate_3.gcode',
    state: 6,
    spd_lvl: 2
  })
})

t.test('the same on a P1, where a message tells only what changed', async t => {
  const b = await bench(t, { model: 'P1S' })
  b.printer.startJob({ minutes: 5, layers: 20 })
  await b.live(700)
  t.same(course(b, 'gcode_state'), ['IDLE', 'PREPARE', 'RUNNING', 'FINISH'])
  t.same(course(b, 'stg_cur'), [0, 2, 14, 13, 1, 8, 0, 4, 0, 255])
  const percents = course(b, 'mc_percent').map(Number)
  t.ok(percents.length > 60 && percents.every((value, at) => value >= (percents[at - 1] ?? 0)))
  t.ok(b.reports().every(({ msg }) => msg === 1))
  t.hasStrict(await b.status(), { layer_num: 20, total_layer_num: 0, stg_cur: 255, print_type: 'idle', gcode_file: 'demo.gcode.3mf' })
})

t.test('a job that fails, and the next one', async t => {
  const b = await bench(t, { model: 'X1C' })
  b.printer.startJob({ minutes: 10, typeOfEnd: 'fail' })
  const failed = await until(b, ({ gcode_state: state }) => state === 'FAILED')
  t.equal(failed.print_error, 0x03004000)
  t.ok(course(b, 'mc_percent').includes(59))
  b.printer.startJob()
  t.hasStrict(await b.status(), { gcode_state: 'PREPARE', print_error: 0, mc_percent: 0, s_obj: [] })
  t.throws(() => b.printer.startJob(), /busy with 'demo'/)
})

t.test('filament runs out: pause, error, message; resuming puts a new spool in', async t => {
  const b = await bench(t, { model: 'X1C' })
  b.printer.startJob({ minutes: 10, filament: { ams: 1, slot: 1 }, runoutAt: 30 })
  const out = await until(b, ({ gcode_state: state }) => state === 'PAUSE')
  t.hasStrict(out, { stg_cur: 6, print_error: 0x07018011, mc_percent: 30 })
  t.same(out.hms, [{ attr: 0x07012100, code: 0x00020001 }])
  t.same(out.ams.ams[1].tray[1], { id: '1', state: 0 })
  await b.ask('print', 'resume', { param: '' })
  const on = await b.status()
  t.hasStrict(on, { gcode_state: 'RUNNING', stg_cur: 0, print_error: 0 })
  t.same(on.hms, [])
  t.equal(on.ams.ams[1].tray[1].tray_type, 'PLA')
  await until(b, ({ gcode_state: state }) => state === 'FINISH')
})

t.test('the first unit runs out with the number that is known for it', async t => {
  const b = await bench(t, { model: 'A1_MINI' })
  b.printer.startJob({ minutes: 10 })
  await until(b, ({ layer_num: layer }) => layer > 2)
  b.printer.runOut()
  const out = await b.status()
  t.hasStrict(out, { gcode_state: 'PAUSE', stg_cur: 6, print_error: 0x07008011 })
  t.same(out.hms, [{ attr: 0x12002000, code: 0x00020001 }], 'an AMS Lite has a module of its own')
})

t.test('an equal spool takes over where the printer may change by itself', async t => {
  const b = await bench(t, { model: 'X1C' })
  const spool = b.printer.report() as Doc
  b.printer.patch({ ams: { ams: [{ id: '1', tray: [{ ...spool.ams.ams[0].tray[0], id: '0' }] }] } })
  await b.ask('print', 'print_option', { auto_switch_filament: true })
  b.printer.startJob({ minutes: 10 })
  await until(b, ({ layer_num: layer }) => layer > 2)
  b.printer.runOut()
  t.equal((await b.status()).gcode_state, 'RUNNING')
  await b.live(60)
  t.hasStrict(await b.status(), { gcode_state: 'RUNNING', print_error: 0, ams: { tray_now: '4' } })
})

t.test('several filaments take turns, on an H2D with both tools', async t => {
  const b = await bench(t, { model: 'H2D' })
  b.printer.startJob({ minutes: 4, filament: [{ ams: 0, slot: 1 }, { ams: 128, slot: 0 }] })
  const first = await until(b, ({ layer_num: layer }) => layer > 0)
  t.hasStrict(first, { mapping: [1, 0x8000] })
  t.equal(first.device.extruder.info[0].snow, 1)
  t.equal(first.device.extruder.state, 2)
  const second = await until(b, ({ mc_percent: percent }) => percent > 55)
  t.equal(second.device.extruder.info[1].snow, 0x8000)
  t.equal(second.device.extruder.state, 0x112)
  const states = b.reports().flatMap(({ device }) => device?.extruder.state ?? [])
  t.ok(states.some(state => (state >> 4 & 15) === 15), 'there was a change of tools between')
})

t.test('a slot that is empty when it is needed stops the job with a question', async t => {
  const b = await bench(t, { model: 'X1C' })
  b.printer.startJob({ filament: { ams: 0, slot: 3 } })
  const stuck = await until(b, ({ gcode_state: state }) => state === 'PAUSE')
  t.equal(stuck.print_error, 0x07FF8012)
})

t.test('temperatures fall after the end', async t => {
  const b = await bench(t, { model: 'P1S' })
  b.printer.startJob({ minutes: 1 })
  await until(b, ({ gcode_state: state }) => state === 'FINISH')
  const { nozzle_temper: nozzle, bed_temper: bed } = await b.status()
  await b.live(120)
  const later = await b.status()
  t.ok(later.nozzle_temper < nozzle - 50 && later.bed_temper < bed)
  await b.live(3600)
  t.ok((await b.status()).nozzle_temper < 26)
})

t.test('a fast clock skips nothing: every state is told', async t => {
  const b = await bench(t, { model: 'X1C', speed: 60 })
  b.printer.startJob({ minutes: 10 })
  for (let minute = 0; minute < 16; minute++) await b.live(60)
  t.same(course(b, 'gcode_state'), ['IDLE', 'PREPARE', 'RUNNING', 'FINISH'])
  t.same(course(b, 'stg_cur'), [-1, 2, 14, 13, 1, 8, 0, 4, 0, -1])
  t.ok(b.reports().length < 60, 'reports come at the pace of real time')
})
