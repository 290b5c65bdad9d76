import t from 'tap'
import type { ResolveJob } from '../../../../plugins/emulator/index.js'
import { bench as openBench, type Bench, type Doc } from '../listener.js'

/** The card is empty here: nobody looks for the file. */
const bench: typeof openBench = (t, options) => openBench(t, { resolveJob: () => undefined, ...options })

const order = (change: Doc = {}): Doc => ({
  param: 'Metadata/plate_2.gcode',
  file: '/jobs/benchy.gcode.3mf',
  url: 'ftp:///jobs/benchy.gcode.3mf',
  md5: '',
  project_id: '0',
  profile_id: '0',
  task_id: '77',
  subtask_id: '78',
  subtask_name: 'benchy',
  bed_type: 'auto',
  bed_leveling: true,
  flow_cali: true,
  vibration_cali: false,
  layer_inspect: false,
  timelapse: true,
  use_ams: true,
  ams_mapping: [1, -1],
  ams_mapping2: [{ ams_id: 0, slot_id: 1 }, { ams_id: 255, slot_id: 255 }],
  ...change
})

const print = (b: Bench, change?: Doc): Promise<Doc> => b.ask('print', 'project_file', order(change))

t.test('a file is accepted and prepared', async t => {
  const b = await bench(t, { model: 'X1C' })
  t.hasStrict(await print(b), { result: 'success', reason: 'success', url: 'ftp:///jobs/benchy.gcode.3mf' })
  t.hasStrict(await b.status(), {
    gcode_state: 'PREPARE',
    gcode_file_prepare_percent: '0',
    subtask_name: 'benchy',
    subtask_id: '78',
    task_id: '77',
    gcode_file: '/data/Metadata/plate_2.gcode',
    print_type: 'local',
    plate_idx: 2,
    mapping: [1, 65535],
    ipcam: { timelapse: 'enable' }
  })
  await b.live(3)
  t.equal((await b.status()).gcode_file_prepare_percent, '60')
  await b.live(3)
  t.hasStrict(await b.status(), { gcode_state: 'RUNNING', gcode_file_prepare_percent: '100', stg: [2, 14, 13, 1, 8] })
})

t.test('a small printer shows the file itself', async t => {
  const b = await bench(t, { model: 'P1S' })
  await print(b, { url: 'file:///sdcard/jobs/benchy.gcode.3mf', subtask_name: '' })
  t.hasStrict(await b.status(), { gcode_file: 'benchy.gcode.3mf', subtask_name: 'benchy' })
})

t.test('stages follow the options', async t => {
  const b = await bench(t, { model: 'X1C' })
  await print(b, { bed_leveling: false, flow_cali: false, vibration_cali: true, layer_inspect: true })
  t.same((await b.status()).stg, [2, 14, 13, 3, 9])
})

t.test('the filament named first is brought in', async t => {
  const b = await bench(t, { model: 'X1C' })
  await print(b, { ams_mapping: [-1, 6], ams_mapping2: [{ ams_id: 255, slot_id: 255 }, { ams_id: 1, slot_id: 2 }] })
  await b.live(230)
  t.hasStrict(await b.status(), { gcode_state: 'RUNNING', ams: { tray_now: '6' }, mapping: [65535, 0x0102] })
})

t.test('without use_ams, and that must be plainly true, filament comes from the holder', async t => {
  for (const use of [false, 1]) {
    const b = await bench(t, { model: 'X1C' })
    await print(b, { use_ams: use })
    await b.live(230)
    t.hasStrict(await b.status(), { gcode_state: 'RUNNING', ams: { tray_now: '254' }, ams_status: 0, mapping: [0xFF00, 65535] })
  }
})

t.test('a second job is refused; an A1 mini loses the first', async t => {
  for (const [model, state] of [['X1C', 'RUNNING'], ['A1_MINI', 'FAILED']] as const) {
    const b = await bench(t, { model })
    b.printer.startJob({ name: 'first' })
    await b.live(20)
    t.hasStrict(await print(b), { result: 'fail', err_code: 0x05004004 })
    t.hasStrict(await b.status(), { gcode_state: state, print_error: 0x05004004, subtask_name: 'first' })
  }
})

t.test('requests that name no plate or no place are refused', async t => {
  const b = await bench(t, { model: 'X1C' })
  t.hasStrict(await print(b, { param: 'plate_x' }), { result: 'fail' })
  t.hasStrict(await print(b, { url: '/jobs/benchy.gcode.3mf' }), { result: 'fail' })
  t.equal((await b.status()).gcode_state, 'IDLE')
  const bare = await bench(t, { model: 'P1S', ams: [] })
  t.hasStrict(await print(bare), { result: 'fail' }, 'use_ams without an AMS')
  t.hasStrict(await print(bare, { use_ams: false, ams_mapping: [-1], ams_mapping2: [{ ams_id: 255, slot_id: 0 }] }),
    { result: 'success' })
})

t.test('holders in the flat list end in an error', async t => {
  for (const [model, error] of [['H2D', 0x07008012], ['X1C', 0x07FF8012]] as const) {
    const b = await bench(t, { model })
    await print(b, { ams_mapping: [254], ams_mapping2: [{ ams_id: 255, slot_id: 0 }] })
    await b.live(10)
    t.hasStrict(await b.status(), { gcode_state: 'PAUSE', print_error: error })
  }
})

t.test('the left holder does not exist on a single printer', async t => {
  const b = await bench(t, { model: 'X1C' })
  await print(b, { ams_mapping: [-1], ams_mapping2: [{ ams_id: 254, slot_id: 0 }] })
  await b.live(10)
  t.equal((await b.status()).print_error, 0x07FF8012)
})

t.test('a hook says what is in the file, at once or later', async t => {
  const asked: Doc[] = []
  const direct: ResolveJob = file => { asked.push(file); return { layers: 33, minutes: 7, objects: [4, 5] } }
  const b = await bench(t, { model: 'X1C', resolveJob: direct })
  await print(b)
  t.hasStrict(await b.status(), { total_layer_num: 33, mc_remaining_time: 7 })
  t.hasStrict(asked, [{ file: '/jobs/benchy.gcode.3mf' }])
  await b.live(20)
  await b.ask('print', 'skip_objects', { obj_list: [4, 6] })
  t.same((await b.status()).s_obj, [4])

  const late = await bench(t, { model: 'X1C', resolveJob: async () => ({ layers: 44 }) })
  await print(late)
  t.equal((await late.status()).total_layer_num, 44)
  const broken = await bench(t, { model: 'X1C', resolveJob: async () => { throw new Error('bad zip') } })
  await print(broken)
  t.equal((await broken.status()).gcode_state, 'PREPARE', 'a hook that fails does not matter')
})
