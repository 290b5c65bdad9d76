import t from 'tap'
import { bench, type Doc } from '../listener.js'

const cfg = (report: Doc, bit: number, width = 1): number =>
  Number((BigInt(`0x${report.cfg}`) >> BigInt(bit)) & ((1n << BigInt(width)) - 1n))
const home = (report: Doc, bit: number): number => report.home_flag >> bit & 1

t.test('options show in home_flag and cfg, several in one message', async t => {
  const { ask, status } = await bench(t, { model: 'H2D' })
  const answer = await ask('print', 'print_option', { auto_recovery: false, option: 0, sound_enable: false })
  t.hasStrict(answer, { result: 'success', reason: '', auto_recovery: false, sound_enable: false })
  const off = await status()
  t.same([home(off, 4), cfg(off, 16), home(off, 17), cfg(off, 22)], [0, 0, 0, 0])
  await ask('print', 'print_option', { auto_recovery: true, auto_switch_filament: true, air_purification: 2 })
  const on = await status()
  t.same([home(on, 4), cfg(on, 16), home(on, 10), cfg(on, 18), cfg(on, 36, 2), home(on, 17)], [1, 1, 1, 1, 2, 0])
})

t.test('an A1 keeps its options in home_flag alone', async t => {
  const { ask, status } = await bench(t, { model: 'A1_MINI' })
  const bits: readonly (readonly [string, number])[] =
    [['filament_tangle_detect', 20], ['sound_enable', 17], ['nozzle_blob_detect', 24], ['air_print_detect', 28]]
  for (const [key, bit] of bits) {
    for (const wanted of [true, false, true]) {
      await ask('print', 'print_option', { [key]: wanted })
      t.equal(home(await status(), bit), wanted ? 1 : 0, key)
    }
  }
})

t.test('an option that a printer lacks is agreed to and stays off', async t => {
  const { ask, status } = await bench(t, { model: 'P1S' })
  t.hasStrict(await ask('print', 'print_option', { sound_enable: true }), { result: 'success' })
  t.equal(home(await status(), 17), 0)
})

const detector = (name: string, on: boolean, level = 'medium'): Doc =>
  ({ module_name: name, control: on, enable: on, print_halt: true, halt_print_sensitivity: level })

t.test('an H2D packs its detectors into one word', async t => {
  const { ask, status } = await bench(t, { model: 'H2D' })
  t.equal((await status()).xcam.cfg, 224695)
  const all = ['spaghetti_detector', 'pileup_detector', 'clump_detector', 'airprint_detector']
  for (const name of all) {
    const answer = await ask('xcam', 'xcam_control_set', detector(name, true, 'high'))
    t.hasStrict(answer, { result: 'SUCCESS', module_name: name, control: true })
  }
  /** The four fields of three bits; what lies below them belongs to others. */
  const fields = async (): Promise<number> => (await status()).xcam.cfg & 0x7FF80
  t.equal(await fields(), 374487 & 0x7FF80)
  await ask('xcam', 'xcam_control_set', detector('pileup_detector', false, 'low'))
  t.equal(await fields(), 374487 & 0x7FF80 & ~(7 << 10))
  await ask('xcam', 'xcam_control_set', { module_name: 'fod_check', control: true, enable: true, print_halt: true })
  t.equal((await status()).xcam.cfg >> 21 & 1, 1)
})

t.test('an H2S does not have the fourth', async t => {
  const { ask } = await bench(t, { model: 'H2S' })
  t.hasStrict(await ask('xcam', 'xcam_control_set', detector('clump_detector', true)), { result: 'SUCCESS' })
  t.hasStrict(await ask('xcam', 'xcam_control_set', detector('airprint_detector', true)), { result: 'FAIL' })
})

t.test('an X1 has switches by name', async t => {
  const { ask, status } = await bench(t, { model: 'X1C' })
  await ask('xcam', 'xcam_control_set', detector('spaghetti_detector', false, 'high'))
  t.hasStrict((await status()).xcam, { spaghetti_detector: false, halt_print_sensitivity: 'high' })
  await ask('xcam', 'xcam_control_set', detector('printing_monitor', true, 'low'))
  await ask('xcam', 'xcam_control_set', { module_name: 'first_layer_inspector', control: false, enable: false })
  const report = await status()
  t.same([cfg(report, 15), cfg(report, 13, 2), cfg(report, 12)], [1, 1, 0])
  t.hasStrict(await ask('xcam', 'xcam_control_set', detector('pileup_detector', true)), { result: 'FAIL' })
})

t.test('an A1 has the plate marker, a P1 nothing', async t => {
  const a1 = await bench(t, { model: 'A1_MINI' })
  const marker = { module_name: 'buildplate_marker_detector', control: false, enable: false, print_halt: true }
  t.hasStrict(await a1.ask('xcam', 'xcam_control_set', marker), { result: 'success' })
  t.equal((await a1.status()).xcam.buildplate_marker_detector, false)
  const p1 = await bench(t, { model: 'P1S' })
  t.hasStrict(await p1.ask('xcam', 'xcam_control_set', marker), { result: 'fail' })
})

t.test('lights by node', async t => {
  const { ask, status } = await bench(t, { model: 'H2D' })
  const light = (node: string, mode: string): Promise<Doc> => ask('system', 'ledctrl',
    { led_node: node, led_mode: mode, led_on_time: 500, led_off_time: 500, loop_times: 0, interval_time: 0 })
  t.hasStrict(await light('chamber_light', 'off'), { result: 'success', led_node: 'chamber_light', led_mode: 'off' })
  const modes = async (): Promise<Doc> =>
    Object.fromEntries((await status()).lights_report.map(({ node, mode }: Doc) => [node, mode]))
  t.same(await modes(), { chamber_light: 'off', work_light: 'flashing', chamber_light2: 'on' })
  t.equal(cfg(await status(), 7), 0)
  await light('chamber_light2', 'flashing')
  t.hasStrict(await light('column_light', 'on'), { result: 'success' }, 'not fitted, but no error')
  t.same(await modes(), { chamber_light: 'off', work_light: 'flashing', chamber_light2: 'flashing' })
  t.hasStrict(await light('disco', 'on'), { result: 'failed' })
})

t.test('camera switches answer with a number', async t => {
  const { ask, status } = await bench(t, { model: 'X1C' })
  t.hasStrict(await ask('camera', 'ipcam_record_set', { control: 'disable' }), { result: 0, control: 'disable' })
  t.hasStrict(await ask('camera', 'ipcam_timelapse', { control: 'enable' }), { result: 0 })
  t.hasStrict(await ask('camera', 'ipcam_resolution_set', { resolution: '720p' }), { result: 0 })
  const report = await status()
  t.hasStrict(report.ipcam, { ipcam_record: 'disable', timelapse: 'enable', resolution: '720p' })
  t.same([cfg(report, 3), cfg(report, 5), cfg(report, 4)], [0, 1, 0])
  t.hasStrict(await ask('camera', 'ipcam_record_set', { control: 'maybe' }), { result: -1 })
  t.hasStrict(await ask('camera', 'ipcam_get_media_info', { sub_command: 'is_timelapse_storage_enough' }), { is_enough: true })
})

t.test('door reaction and kept files', async t => {
  const { ask, status } = await bench(t, { model: 'H2D' })
  await ask('system', 'set_door_stat', { config: 2 })
  await ask('system', 'print_cache_set', { config: true })
  const report = await status()
  t.same([cfg(report, 20, 2), cfg(report, 19), home(report, 11)], [2, 1, 1])
  t.hasStrict(await ask('system', 'set_door_stat', { config: 3 }), { result: 'fail' })
})
