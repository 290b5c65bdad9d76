import t from 'tap'
import type { Kernel, PrinterState } from '../../../core/index.js'
import { createManualClock } from '../../../plugins/emulator/index.js'
import { refusalMessage } from '../../../plugins/filament/index.js'
import { unreachable } from '../../contract/fleet.js'
import { flaws } from '../../contract/rows.js'
import { unpacked } from '../../contract/tools.walk.js'
import { boot } from '../../helpers/boot-features.js'
import { eventually } from '../../helpers/eventually.js'
import { CAPABILITIES, CLIMATE, JOB, NAMED_SPOOL, PRINTER, UNIT } from './shapes.data.js'

type Fields = Record<string, any>

const absent = unreachable('gone')
const shows = (kernel: Kernel, name: string, test: (state: PrinterState) => boolean) =>
  eventually(() => { const state = stateOf(kernel, name); return state !== undefined && test(state) })
const stateOf = (kernel: Kernel, name: string) => kernel.printers.get(name)?.state

t.test('before the first report every tool answers, and nothing is going on', async t => {
  const { kernel, tool } = await boot(t, { models: [] })
  await kernel.printers.add(absent)
  const value = async (name: string) => unpacked((await tool(name, { name: 'gone' })).value) as Fields
  const off = { temp: 0, target: 0 }
  t.same(await value('get_temperatures'), { nozzles: [{ id: -1, ...off }], bed: off, chamber: off })
  t.match(await value('get_climate'),
    { chamber_door_open: false, chamber_lid_open: false, air_conditioning_mode: 'NOT_SUPPORTED' })
  t.same(await value('get_chamber_light'), { on: false })
  t.same(await value('get_fan_speeds'),
    { part_cooling_pct: 0, aux_pct: 0, exhaust_pct: 0, heatbreak_pct: 0, enhanced_cooling_pct: 0 })
  t.same(await value('get_print_progress'), {
    gcode_state: 'IDLE',
    print_percentage: 0,
    current_layer: 0,
    total_layers: 0,
    elapsed_minutes: 0,
    remaining_minutes: 0,
    stage_name: '',
    subtask_name: '',
    skipped_objects: []
  })
  t.same(await value('get_firmware_version'), { firmware_version: '', ams_firmware_version: '' })
  t.same(await value('get_printer_info'),
    { model: 'H2D', serial: absent.serial, firmware_version: '', ams_firmware_version: '' })
  t.same(await value('get_hms_errors'), { hms_errors: [], print_error: 0 })
  t.same(await value('get_ams_units'), { ams_status: '', ams_count: 0, units: [] })
  t.same(await value('get_spool_info'), { active_spool: null, spools: [] })
  t.same(await value('get_wifi_signal'), { wifi_signal: '' })
  const capabilities = await value('get_capabilities')
  t.same(flaws(capabilities, CAPABILITIES, true), [])
  t.ok(Object.values(capabilities).every(flag => flag === false))
  t.same(flaws(await value('get_job_info'), JOB, true), [])
  const { stat: _stat, fun: _fun, ...shape } = PRINTER
  const state = await value('get_printer_state')
  t.same(flaws(state, { ...shape, recent_update: 'boolean' }, true), [])
  t.equal(state.extension_tool.mounted, false)
  t.equal(state.recent_update, false)
})

t.test('the whole state: as the document, without raw words, with what is mounted', async t => {
  const { tool, kernel, printers } = await boot(t, { models: ['P1S', 'H2D'] })
  const { stat: _stat, fun: _fun, ...shape } = PRINTER
  for (const { name, model } of printers) {
    const state = unpacked((await tool('get_printer_state', { name })).value) as Fields
    t.same(flaws(state, { ...shape, recent_update: 'boolean' }, true), [], name)
    t.same(flaws(state.climate, CLIMATE, true), [])
    t.equal(state.recent_update, true)
    t.equal(state.extension_tool.mounted, model === 'H2D', 'the enhanced cooling fan')
    const session = kernel.printers.get(name)
    if (!session) throw new Error('no session')
    const document = kernel.services.state.document(session)._printer_state
    t.same(state.spools, document.spools)
    t.same(state.climate, document.climate)
    t.same(flaws((await tool('get_capabilities', { name })).value, CAPABILITIES, true), [])
    const { value: job } = await tool('get_job_info', { name })
    t.same(flaws(job, JOB, true), [])
    t.notOk('gcode_state' in job)
  }
})

t.test('spools with the words people use', async t => {
  const { tool, printers } = await boot(t, { models: ['X1C', 'A1_MINI'] })
  for (const { name } of printers) {
    const { spools } = (await tool('get_spool_info', { name })).value
    for (const spool of spools) t.same(flaws(spool, NAMED_SPOOL, true), [])
  }
  const { spools, active_spool: active } = (await tool('get_spool_info', { name: 'x1c' })).value
  const named = spools.map((spool: Fields) => [spool.id, spool.color, spool.color_name, spool.display_name])
  t.same(named.slice(0, 4), [
    [0, 'black', 'black', 'Bambu PLA Basic (black)'],
    [1, 'white', 'white', 'Bambu PLA Matte (white)'],
    [2, '#EB3A3AFF', 'crimson', 'Bambu PETG HF (crimson)'],
    [3, 'black', 'black', '']
  ], 'exact colours by name, others by number; an empty slot has no name')
  t.same(spools.map(({ id }: Fields) => id), [0, 1, 2, 3, 4, 5, 6, 7, 254], 'slots, then the holder')
  t.match(spools.at(-1), { ams_id: -1, slot_id: 254, remaining_percent: -1 })
  t.equal(active, null)
})

t.test('the active spool is the one in use, also on a holder', async t => {
  const clock = createManualClock()
  const { tool, kernel } = await boot(t, { models: [{ model: 'X1C', clock }, { model: 'H2D', clock }] })
  const load = async (name: string, ams: number, slot: number) => {
    await kernel.printers.get(name)?.send({
      section: 'print',
      command: 'ams_change_filament',
      ams_id: ams,
      slot_id: slot,
      target: ams,
      curr_temp: 220,
      tar_temp: 220
    }, { replyWithin: 1_000 })
    await eventually(() => {
      clock.advance(5_000)
      return stateOf(kernel, name)?.activeTray.slot === (ams > 250 && name === 'x1c' ? 254 : ams > 250 ? ams : slot)
    })
    return (await tool('get_spool_info', { name })).value.active_spool as Fields | null
  }
  t.match(await load('x1c', 1, 1), { id: 5, ams_id: 1, slot_id: 1, display_name: 'Bambu PLA Silk (orange)' })
  t.match(await load('x1c', 255, 0), { id: 254, ams_id: -1, slot_id: 254 }, 'the only holder')
  t.match(await load('h2d', 0, 2), { id: 2, ams_id: 0, slot_id: 2 })
  t.match(await load('h2d', 255, 0), { id: 255, ams_id: -1, slot_id: 255 }, 'the right one')
})

t.test('AMS units in their order, twice the same', async t => {
  const { tool, kernel } = await boot(t, { models: ['H2D'] })
  await shows(kernel, 'h2d', ({ ams }) => ams.units.every(({ chipId }) => chipId !== ''))
  const { value } = await tool('get_ams_units', { name: 'h2d' })
  t.same(value, (await tool('get_ams_status', { name: 'h2d' })).value)
  t.equal(value.ams_count, 2)
  t.same(value.units.map((unit: Fields) => flaws(unit, UNIT, true)), [[], []])
  t.same(value.units.map(({ ams_id: id }: Fields) => id), [0, 128])
  t.ok(value.units.every(({ chip_id: chip }: Fields) => /^19[CF]/.test(chip)), 'hardware serials')
  t.equal(value.ams_status, 'Idle')
})

t.test('only heating is told of the air; the state document tells cooling too', async t => {
  const { tool, printer, kernel, name } = await boot(t, { models: ['H2D'] })
  const modes = async () => [
    (await tool('get_climate', { name })).value.air_conditioning_mode,
    (unpacked((await tool('get_printer_state', { name })).value) as Fields).climate.air_conditioning_mode
  ]
  t.same(await modes(), ['NOT_SUPPORTED', 'COOL_MODE'])
  const device = printer.report().device as Fields
  printer.patch({ device: { ...device, airduct: { ...device.airduct, modeCur: 1 } } })
  await shows(kernel, name, ({ airDuct }) => airDuct.mode === 1)
  t.same(await modes(), ['HEAT_MODE', 'HEAT_MODE'])
})

t.test('temperatures, light, fans and signal follow the printer', async t => {
  const { tool, http, kernel, printers } = await boot(t, { models: ['P1S', 'H2D'] })
  for (const { name } of printers) {
    await http('PATCH', '/api/set_bed_target_temp', { printer: name, temp: 55 })
    await http('PATCH', '/api/set_light_state', { printer: name, state: 'off' })
    await http('PATCH', '/api/set_fan_speed_target', { printer: name, percent: 100 })
    await shows(kernel, name, ({ heat, lights, fans }) =>
      heat.bed.target === 55 && lights.mode === 'off' && fans.part === 100)
    const { value } = await tool('get_temperatures', { name })
    t.equal(value.bed.target, 55)
    t.same((await tool('get_chamber_light', { name })).value, { on: false })
    t.equal((await tool('get_fan_speeds', { name })).value.part_cooling_pct, 100)
    t.match((await tool('get_wifi_signal', { name })).value.wifi_signal, /^-\d+dBm$/)
  }
  const { value } = await tool('get_temperatures', { name: 'h2d' })
  t.same(value.nozzles.map(({ id }: Fields) => id), [0, 1])
  await tool('set_fan_speed', { name: 'h2d', fan: 'enhanced_cooling', speed_percent: 40, user_permission: true })
  await shows(kernel, 'h2d', ({ fans }) => fans.enhancedTarget === 40)
  t.equal((await tool('get_fan_speeds', { name: 'h2d' })).value.enhanced_cooling_pct, 40, 'as it was commanded')
})

t.test('no live data: 304 without a byte', async t => {
  const { kernel } = await boot(t, { models: [] })
  await kernel.printers.add(absent)
  const { statusCode, body, headers } = await kernel.app.inject('/api/printer?printer=gone')
  t.equal(statusCode, 304)
  t.equal(body, '')
  t.notOk(Number(headers['content-length'] ?? 0))
})

t.test('why a dry cannot start', async t => {
  t.equal(refusalMessage([]), '')
  t.equal(refusalMessage([6]), '', 'one is running')
  t.match(refusalMessage([2]), /busy/)
  t.match(refusalMessage([10, 3]), /unload it first/, 'the more pressing of two')
  t.notMatch(refusalMessage([10, 3]), /\n/)
  t.equal(refusalMessage([6, 1]).split('\n').length, 2, 'power is told besides')
  t.equal(refusalMessage([8, 5, 4, 7]).split('\n').length, 4)
  t.match(refusalMessage([99]), /busy; try again/, 'an unknown one')
})
