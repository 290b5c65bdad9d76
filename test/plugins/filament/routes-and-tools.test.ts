import t from 'tap'
import type { VirtualPrinter } from '../../../plugins/emulator/index.js'
import { holdersOf } from '../../../plugins/state/document/holders.js'
import { boot } from '../../helpers/boot-features.js'
import { eventually } from '../../helpers/eventually.js'

const SPEED = 25

/** The last request of a name that a printer heard. */
const lastOf = (printer: VirtualPrinter | undefined, command: string) =>
  printer?.requests.findLast(request => request.body.command === command)?.body
const countOf = (printer: VirtualPrinter | undefined, command: string) =>
  printer?.requests.filter(request => request.body.command === command).length

t.test('a unit dries: from OFF to DRYING, and then it refuses to feed', async t => {
  const { http, tool, printer, name } = await boot(t, { models: [{ model: 'H2D', speed: SPEED }] })
  const started = await http('POST', '/api/turn_on_ams_dryer', { ams_id: 128, target_temp: 80, duration_hours: 12 })
  t.strictSame(started.body,
    { status: 'success', ams_id: 128, heater_state: 'DRYING', target_temp: 80, duration_hours: 12 })
  t.match(lastOf(printer, 'ams_filament_drying'), { filament: 'PA-CF', close_power_conflict: false, mode: 1 })

  const loaded = await http('POST', '/api/load_filament', { slot: 0, ams_id: 128 })
  t.equal(loaded.status, 409)
  t.match(loaded.body.reason, /^printer refused the load: .*drying.* \(HMS_0500-C04F\)$/i)
  const { text, failed } = await tool('load_filament', { name, unit_id: 1, slot_id: 0, user_permission: true })
  t.match(text, /^Error: 'h2d' refused the load from AMS unit 1 slot 0: .*drying/i)
  t.ok(failed)
  const { value } = await tool('get_hms_errors', { name })
  t.match(value.hms_errors, [{ type: 'command_error', code: 'HMS_0500-C04F', command: 'ams_change_filament', ams_id: 128 }])

  const stopped = await tool('stop_ams_dryer', { name, unit_id: 1, user_permission: true })
  t.equal(stopped.text, `AMS dryer stopped on unit 1 (ams_id=128) on '${name}'.`)
  t.match(lastOf(printer, 'ams_filament_drying'), { ams_id: 128, mode: 0 })
})

t.test('a unit that says why it cannot dry is sent nothing', async t => {
  const { http, tool, printer, name } = await boot(t, { models: [{ model: 'H2D', speed: SPEED }] })
  await http('POST', '/api/load_filament', { slot: 0 })
  await eventually(async () => (await tool('get_ams_units', { name })).value.units[0].dryer.refusal_message !== '')
  const { status, body } = await http('POST', '/api/turn_on_ams_dryer', { ams_id: 0 })
  t.equal(status, 400)
  t.match(body.reason, /^(The AMS is busy|Filament is at the outlet of the AMS)/)
  const answer = await tool('start_ams_dryer', { name, unit_id: 0, user_permission: true })
  t.match(answer.text, /^Error: .*[^.]\. Nothing was sent to 'h2d'\.$/)
  t.equal(countOf(printer, 'ams_filament_drying'), 0)
})

t.test('a printer that starts to dry only at its screen is sent nothing', async t => {
  const models = (['P1S', 'P1P'] as const).map(model => ({ model, ams: ['AMS_2_PRO'], firmware: '01.08.00.00' } as const))
  const { http, tool, printers, kernel } = await boot(t, { models })
  for (const { name, requests } of printers) {
    await eventually(() => kernel.printers.get(name)?.state?.ams.units[0]?.dryer !== undefined)
    const dry = { printer: name, ams_id: 0, target_temp: 55, duration_hours: 4 }
    const reason = /^a Bambu Lab P1. starts to dry only at its own screen: start it there/
    t.match(await http('POST', '/api/turn_on_ams_dryer', dry), { status: 400, body: { reason } })
    const answer = await tool('start_ams_dryer', { name, unit_id: 0, target_temp: 55, duration_hours: 4, user_permission: true })
    t.match(answer.text, /starts to dry only at its own screen/)
    t.notOk(requests.some(({ command }) => command === 'ams_filament_drying'), name)
  }
})

t.test('a refused dryer start is told with its reason and code', async t => {
  const { http, tool, printer, name } = await boot(t, { models: ['H2D'] })
  printer.faults.refuse('ams_filament_drying', { err_code: 83935307 })
  const { status, body } = await http('POST', '/api/turn_on_ams_dryer', { ams_id: 0 })
  t.equal(status, 409)
  t.match(body.reason, /^printer refused the dryer start: .+ \(HMS_0500-C04B\)$/)
  const { text } = await tool('start_ams_dryer', { name, unit_id: 1, user_permission: true })
  t.match(text, /^Error: 'h2d' refused the AMS dryer start on unit 1 \(ams_id=128\): .+ \(HMS_0500-C04B\)$/)
  const { value } = await tool('get_ams_units', { name })
  t.match(value.units[1].dryer, { fail_code: 'HMS_0500-C04B', fail_count: 1 })
})

t.test('a refused dryer start without a number is told in the words there are', async t => {
  const { http, tool, printer, name } = await boot(t, { models: ['H2D'] })
  const dryerOf = async () => (await tool('get_ams_units', { name })).value.units[0].dryer
  const refused = async (reply: object) => {
    const lift = printer.faults.refuse('ams_filament_drying', reply)
    t.equal((await http('POST', '/api/turn_on_ams_dryer', { ams_id: 0 })).status, 409)
    lift()
    return await dryerOf()
  }
  t.match(await refused({ reason: 'lid open' }), { fail_code: '', fail_message: 'lid open', fail_count: 1 })
  t.match(await refused({}), { fail_code: '', fail_message: 'The printer refused it and gave no reason', fail_count: 2 })
  t.equal((await http('POST', '/api/turn_off_ams_dryer', { ams_id: 0 })).status, 200)
  t.match(await dryerOf(), { fail_code: '', fail_message: '', fail_count: 2 }, 'an accepted one ends it')
})

t.test('a refusal that comes twice counts once', async t => {
  const { http, printer } = await boot(t, { models: ['X1C'] })
  printer.faults.duplicateReplies(3)
  printer.faults.refuse('ams_change_filament', { errno: -2, times: 1 })
  const { status, body } = await http('POST', '/api/unload_filament')
  t.equal(status, 409)
  t.match(body.reason, /^printer refused the unload: .*chamber is too hot/)
  t.equal((await http('POST', '/api/load_filament', { slot: 0 })).status, 200)
})

t.test('what is in use is unloaded, at the heat that it needs', async t => {
  const { http, tool, printer, name, kernel } = await boot(t, { models: [{ model: 'H2D', speed: 60 }] })
  t.equal((await http('POST', '/api/load_filament', { slot: 0, ams_id: 128 })).status, 200)
  await eventually(() => kernel.printers.get(name)?.state?.activeTray.amsId === 128, 15_000)
  t.equal((await tool('unload_filament', { name, user_permission: true })).text, `Unload filament command sent to '${name}'.`)
  t.match(lastOf(printer, 'ams_change_filament'),
    { ams_id: 128, slot_id: 255, target: 255, curr_temp: 280, tar_temp: 280 })
})

t.test('while it prints, the printer itself refuses', async t => {
  const { http, tool, printer, name, kernel } = await boot(t, { models: [{ model: 'X1C', speed: SPEED }] })
  printer.startJob()
  await eventually(() => kernel.printers.get(name)?.state?.job.gcodeState === 'RUNNING')
  t.match(await http('POST', '/api/load_filament', { slot: 0 }),
    { status: 409, body: { error: 'refused', reason: /^printer refused the load: ./ } })
  const { text } = await tool('load_filament', { name, unit_id: 9, slot_id: 0, user_permission: true })
  t.match(text, /^Blocked: 'x1c' is currently RUNNING\. load_filament is not safe while a print is active\./)
})

t.test('two settings one after the other do not undo each other', async t => {
  const { http, printer } = await boot(t, { models: ['X1C'] })
  const set = (setting: string, enabled: boolean) => http('PATCH', '/api/set_ams_user_setting', { setting, enabled })
  t.same((await Promise.all([set('tray_read_option', false), set('startup_read_option', true)])).map(({ status }) => status),
    [200, 200])
  t.match(lastOf(printer, 'ams_user_setting'), { tray_read_option: false, startup_read_option: true, ams_id: -1 })
  printer.faults.refuse('ams_user_setting', { reason: 'no' })
  t.equal((await set('tray_read_option', true)).status, 409)
})

t.test('printers that want signatures', async t => {
  const { http, tool } = await boot(t, {
    models: [
      { model: 'H2D', name: 'new', developerMode: false },
      { model: 'P1S', name: 'mute', developerMode: false, firmware: '01.10.00.00' }
    ]
  })
  for (const [path, params] of [['turn_on_ams_dryer', { ams_id: 0 }], ['load_filament', { slot: 0 }]] as const) {
    const { status, body } = await http('POST', `/api/${path}`, { printer: 'new', ...params })
    t.equal(status, 409)
    t.match(body, { error: 'signature_required', reason: /signed commands.*Developer mode/ }, path)
  }
  const setting = { unit_id: 0, slot_id: 0, filament_id: 'GFA00', filament_type: 'PLA', user_permission: true }
  const { text } = await tool('set_ams_filament_setting', { name: 'mute', ...setting })
  t.match(text, /^Error: 'mute' refused the filament setting: .*Developer mode/, 'it says nothing, but it shows it')
})

t.test('older firmware reads tags by G-code', async t => {
  const { http, printer, name, kernel } = await boot(t, { models: [{ model: 'X1C', firmware: '01.08.05.00' }] })
  await eventually(() => kernel.printers.get(name)?.state?.firmware.printer === '01.08.05.00')
  t.equal((await http('POST', '/api/refresh_spool_rfid', { slot_id: 1, ams_id: 1 })).status, 200)
  t.equal(countOf(printer, 'ams_get_rfid'), 0)
  t.match(lastOf(printer, 'gcode_line'), { param: 'M620 R5\n' })
})

t.test('external holders, also those of which nothing is known', async t => {
  const { tool, kernel } = await boot(t, { models: ['H2D', 'P1S'] })
  const { value } = await tool('get_external_spool', { name: 'h2d' })
  t.match(value, { loaded: true, spool: { id: 254, ams_id: -1, color: 'black' }, spools: [{ id: 254 }, { id: 255 }] })
  t.match((await tool('get_external_spool', { name: 'p1s' })).value.spools, [{ id: 254, slot_id: 254, type: 'PLA', remaining_percent: -1 }])
  const session = kernel.printers.get('h2d')
  const bare = { ...session, state: { ...session?.state, spools: [] } }
  t.match(holdersOf(bare as never), [254, 255].map(id => ({ id, slot: -1, amsId: -1, type: '', remainingPercent: 0 })))
  t.same(holdersOf({ state: undefined } as never), [])
})

t.test('another filament of the catalogue brings its type and temperatures along', async t => {
  const { http, tool, printer, name, kernel } = await boot(t, { models: ['X1C'] })
  const last = () => lastOf(printer, 'ams_filament_setting')
  const spool = () => kernel.printers.get(name)?.state?.spools.find(({ amsId, slot }) => amsId === 0 && slot === 0)
  const abs = { tray_id: 0, tray_info_idx: 'GFB00', tray_type: 'ABS', nozzle_temp_min: 245, nozzle_temp_max: 275 }
  await http('PATCH', '/api/set_spool_details', abs)
  await eventually(() => spool()?.filamentId === 'GFB00' && spool()?.nozzleMinC === 245)

  await http('PATCH', '/api/set_spool_details', { tray_id: 0, tray_info_idx: 'GFB00' })
  t.match(last(), { tray_type: 'ABS', nozzle_temp_min: 245, nozzle_temp_max: 275 }, 'the same one keeps what was set')
  await http('PATCH', '/api/set_spool_details', { tray_id: 0, tray_info_idx: 'GFA00' })
  t.match(last(), { tray_info_idx: 'GFA00', tray_type: 'PLA', nozzle_temp_min: 190, nozzle_temp_max: 240 })
  await http('PATCH', '/api/set_spool_details', abs)
  await eventually(() => spool()?.filamentId === 'GFB00')

  const slot = { name, unit_id: 0, slot_id: 0, user_permission: true }
  await tool('set_ams_filament_setting', { ...slot, filament_id: 'GFA00' })
  t.match(last(), { tray_type: 'PLA', nozzle_temp_min: 190, nozzle_temp_max: 240 })
  await http('PATCH', '/api/set_spool_details', abs)
  await eventually(() => spool()?.filamentId === 'GFB00')
  await tool('set_ams_filament_setting', { ...slot, filament_id: 'GFA00', nozzle_temp_min: -1, nozzle_temp_max: -1 })
  t.match(last(), { tray_type: 'PLA', nozzle_temp_min: 190, nozzle_temp_max: 240 }, 'the default said aloud')
  await http('PATCH', '/api/set_spool_details', abs)
  await eventually(() => spool()?.filamentId === 'GFB00')

  await http('PATCH', '/api/set_spool_details', { tray_id: 0, tray_info_idx: 'GFB99', nozzle_temp_min: -1, nozzle_temp_max: -1 })
  t.match(last(), { nozzle_temp_min: 245, nozzle_temp_max: 275 }, '-1 keeps them, as it says')
  await http('PATCH', '/api/set_spool_details', { ...abs, tray_info_idx: 'GFA00', tray_type: 'PLA-X', nozzle_temp_min: 200, nozzle_temp_max: 210 })
  t.match(last(), { tray_type: 'PLA-X', nozzle_temp_min: 200, nozzle_temp_max: 210 }, 'what is given counts')
})

t.test('an id that is not in the catalogue is refused with the nearest, unless it is of a preset of your own', async t => {
  const { tool, printer, name } = await boot(t, { models: ['X1C'] })
  const describe = (args: object) =>
    tool('set_ams_filament_setting', { name, unit_id: 0, slot_id: 1, user_permission: true, ...args })
  for (const [id, said] of [
    ['GFA0O', /Unknown filament_id 'GFA0O'; did you mean 'GFA0\d'\? .*own_preset/],
    ['gfa00', /did you mean 'GFA00'/],
    ['something else entirely', /Unknown filament_id 'something else entirely'(; did you mean 'GF\w+'\?|\.) The filament catalogue/]
  ] as const) {
    const { text, failed } = await describe({ filament_id: id })
    t.ok(failed, id)
    t.match(text, said)
  }
  t.equal(countOf(printer, 'ams_filament_setting'), 0, 'nothing is sent')
  t.notOk((await describe({ filament_id: 'P12ab67f', filament_type: 'PLA', nozzle_temp_min: 190, nozzle_temp_max: 230 })).failed,
    'an id of the slicer for a preset of somebody')
  t.notOk((await describe({ filament_id: 'my own', own_preset: true, filament_type: 'PLA', nozzle_temp_min: 190, nozzle_temp_max: 230 })).failed)
  t.match(lastOf(printer, 'ams_filament_setting'), { tray_info_idx: 'my own' })
  t.notOk((await describe({ filament_id: 'no_filament' })).failed, 'clearing needs no id')
})

t.test('a slot has one spelling in all tools, and its older ones are taken', async t => {
  const { tool, printer, name, client } = await boot(t, { models: [{ model: 'H2D', speed: SPEED }] })
  const { tools } = await client.listTools()
  const spellings = (key: string) =>
    tools.filter(({ inputSchema: { properties = {} } }) => key in properties).map(({ name }) => name)
  t.same(['place', 'ams_id', 'slot', 'tray'].flatMap(spellings), [])
  t.same(spellings('tray_id'), ['select_extrusion_calibration'], 'as its clients know it')
  const select = (args: object) => tool('select_extrusion_calibration', { name, user_permission: true, ...args })
  for (const [slot, tray] of [[{ unit_id: 0, slot_id: 2 }, 2], [{ slot_id: 1 }, 1], [{ unit_id: 1, slot_id: 0 }, 128],
    [{ unit_id: 128, slot_id: 0 }, 128], [{ slot_id: 254 }, 254]] as const) {
    const answer = await select(slot)
    t.notOk(answer.failed, answer.text)
    const { sequence_id: _, ...sent } = lastOf(printer, 'extrusion_cali_sel') as Record<string, unknown>
    t.notOk((await select({ tray_id: tray })).failed)
    const { sequence_id: __, ...same } = lastOf(printer, 'extrusion_cali_sel') as Record<string, unknown>
    t.same(sent, same, JSON.stringify(slot))
  }
  const count = countOf(printer, 'extrusion_cali_sel')
  t.match((await select({})).text, /'tray_id' is required, or unit_id and slot_id/)
  t.match((await select({ tray_id: 1, slot_id: 1 })).text, /not both/)
  t.match((await select({ unit_id: 0, slot_id: 7 })).text, /slot must be 0 to 3/)
  t.equal(countOf(printer, 'extrusion_cali_sel'), count, 'nothing is sent')
})
