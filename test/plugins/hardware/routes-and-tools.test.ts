import t from 'tap'
import { boot, type Booted } from '../../helpers/boot-features.js'
import { eventually } from '../../helpers/eventually.js'

const NAMES = ['a1-mini', 'p1s', 'x1c', 'h2d'] as const
const all = { models: ['A1_MINI', 'P1S', 'X1C', 'H2D'] as const }

const settings = async ({ http }: Booted, printer: string) =>
  (await http('GET', '/api/get_detector_settings', { printer })).body

t.test('which detectors each model supports', async t => {
  const booted = await boot(t, all)
  const supported = Object.fromEntries(await Promise.all(NAMES.map(async name => {
    const detectors = Object.entries(await settings(booted, name))
    const { value } = await booted.tool('get_detector_settings', { name })
    t.same(value, Object.fromEntries(detectors), `${name}: the tool says the same`)
    const names = detectors.filter(([, { supported }]) => supported === true).map(([detector]) => detector)
    return [name, names.sort()] as const
  })))
  const legacy = ['air_print_detect', 'nozzle_blob_detect']
  for (const name of NAMES) {
    const support = booted.kernel.printers.get(name)?.capabilities
    const expected = legacy.filter(key => key === 'air_print_detect'
      ? support?.hasAirPrintDetectSupport
      : support?.hasNozzleBlobDetectSupport)
    t.same(supported[name]?.filter(key => legacy.includes(key)), expected, name)
  }
  const own = (name: string) => supported[name]?.filter(key => !legacy.includes(key))
  t.same(own('a1-mini'), ['buildplate_marker_detector'])
  t.same(own('p1s'), [])
  t.same(own('h2d'), ['airprinting_detector', 'buildplate_marker_detector', 'nozzleclumping_detector',
    'purgechutepileup_detector', 'spaghetti_detector'])
  t.match(await settings(booted, 'h2d'), {
    spaghetti_detector: { enabled: true, sensitivity: 'medium', supported: true },
    nozzle_blob_detect: { enabled: Boolean, supported: Boolean },
    air_print_detect: { enabled: Boolean, supported: Boolean }
  })
  t.notOk('sensitivity' in (await settings(booted, 'h2d')).buildplate_marker_detector)
})

t.test('a setting shows at once, and still when the printer reports it', async t => {
  const booted = await boot(t, { models: ['H2D'] })
  const { http, kernel, name } = booted
  await http('PATCH', '/api/set_spaghetti_detector', { enabled: true, sensitivity: 'high' })
  t.match((await settings(booted, name)).spaghetti_detector, { enabled: true, sensitivity: 'high' })
  await eventually(() => kernel.printers.get(name)?.state?.detectors.spaghetti.sensitivity === 'high')
  await http('PATCH', '/api/set_spaghetti_detector', { enabled: false, sensitivity: 'low' })
  t.match((await settings(booted, name)).spaghetti_detector, { enabled: false, sensitivity: 'high' },
    'switched off it keeps its sensitivity')
  await eventually(() => kernel.printers.get(name)?.state?.detectors.spaghetti.enabled === false)
  t.equal(kernel.printers.get(name)?.state?.detectors.spaghetti.sensitivity, 'high')
})

t.test('print options pile up for each printer, without those it refused', async t => {
  const { http, printers: [x1c, h2d] } = await boot(t, { models: ['X1C', 'H2D'] })
  const set = async (printer: string, option: string, enabled: boolean) =>
    (await http('PATCH', '/api/set_print_option', { printer, option, enabled })).status
  const heard = (printer = x1c) => {
    const { command, sequence_id: _, ...options } = printer?.requests.findLast(({ body }) => body.command === 'print_option')?.body ?? {}
    return options
  }
  t.equal(await set('x1c', 'sound_enable', true), 200)
  const lift = x1c?.faults.refuse('print_option', { reason: 'no' })
  t.equal(await set('x1c', 'sound_enable', false), 409)
  t.equal(await set('x1c', 'auto_switch_filament', true), 409)
  lift?.()
  t.equal(await set('x1c', 'auto_recovery', false), 200)
  t.same(heard(), { sound_enable: true, auto_recovery: false, option: 0 })
  t.equal(await set('h2d', 'auto_recovery', true), 200)
  t.same(heard(h2d), { auto_recovery: true, option: 1 }, 'another printer begins anew')
  await Promise.all([set('h2d', 'sound_enable', true), set('h2d', 'auto_switch_filament', true)])
  t.same(heard(h2d), { auto_recovery: true, option: 1, sound_enable: true, auto_switch_filament: true },
    'also when two are under way')
})

t.test('the nozzle of the active extruder, with the flow it has', async t => {
  const { http, tool, printers, kernel } = await boot(t, all)
  for (const name of NAMES.slice(0, 3)) {
    t.equal((await http('PATCH', '/api/set_nozzle_details', { printer: name, nozzle_diameter: 0.6, nozzle_type: 'hardened_steel' })).status, 200)
    await eventually(() => kernel.printers.get(name)?.state?.extruders[0]?.nozzle.diameterMm === 0.6)
    t.match((await tool('get_nozzle_info', { name })).value.nozzles, [{ extruder_id: -1, diameter_mm: 0.6, nozzle_type: 'HARDENED_STEEL' }])
  }
  await http('PATCH', '/api/set_nozzle_details', { printer: 'h2d', nozzle_diameter: 0.6, nozzle_type: 'hardened_steel' })
  t.match(printers[3]?.requests.at(-1)?.body, { command: 'set_nozzle', id: 0, diameter: 0.6, type: 'HH01' })
  await eventually(() => kernel.printers.get('h2d')?.state?.extruders.find(({ id }) => id === 0)?.nozzle.diameterMm === 0.6)
  t.match((await tool('get_nozzle_info', { name: 'h2d' })).value.nozzles.find(({ extruder_id: id }: any) => id === 0),
    { diameter_mm: 0.6, flow_type: 'HIGH_FLOW', encoded_id: 'HH01-0.6' })
})

t.test('tools: swapping, and what stands in the way', async t => {
  const { http, tool, kernel } = await boot(t, { models: [{ model: 'H2D', speed: 20 }, 'P1S'] })
  const swap = (name: string, args = {}) => tool('swap_tool', { name, user_permission: true, ...args })
  t.equal((await swap('h2d')).text, "Tool selection command sent: extruder 1 now active on 'h2d'.")
  await eventually(() => kernel.printers.get('h2d')?.state?.activeTray.tool === 1)
  t.equal((await swap('h2d', { extruder_id: 1 })).text, "Tool selection command sent: extruder 1 now active on 'h2d'.")
  t.equal((await swap('p1s')).text, "Error: 'p1s' has a single extruder.")
  t.match((await swap('h2d', { extruder_id: 2 })).text, /^Error: extruder must be <= 1/)
  await http('PATCH', '/api/set_nozzle_details', { printer: 'h2d', nozzle_diameter: 0.4, nozzle_type: 'stainless_steel' })
  await eventually(() => kernel.printers.get('h2d')?.state?.extruders.find(({ id }) => id === 1)?.nozzle.material === 'STAINLESS_STEEL',
    5_000)
  t.pass('the left one was active')
})

t.test('nozzles are read again', async t => {
  const { http, tool, printers: [h2d, x1c] } = await boot(t, { models: ['H2D', 'X1C'] })
  t.same((await http('POST', '/api/refresh_nozzles', { printer: 'h2d' })).body, { status: 'success' })
  t.equal(h2d?.requests.at(-1)?.body.command, 'refresh_nozzle')
  t.equal((await tool('refresh_nozzles', { name: 'x1c', user_permission: true })).text, "Nozzle refresh command sent to 'x1c'.")
  t.equal(x1c?.requests.at(-1)?.body.command, 'pushall', 'a model that cannot check them reports them')
})

t.test('switched on without a sensitivity, a detector keeps the one it had', async t => {
  const booted = await boot(t, { models: ['H2D'] })
  const { http, tool, name, kernel } = booted
  const now = () => kernel.printers.get(name)?.state?.detectors.spaghetti.sensitivity
  await http('PATCH', '/api/set_spaghetti_detector', { enabled: true, sensitivity: 'high' })
  await eventually(() => now() === 'high')
  await http('PATCH', '/api/set_spaghetti_detector', { enabled: true })
  t.match((await settings(booted, name)).spaghetti_detector, { enabled: true, sensitivity: 'high' })
  const { text } = await tool('set_spaghetti_detection', { name, enabled: true, user_permission: true })
  t.equal(text, `Spaghetti detector enabled (sensitivity: high) on '${name}'.`)
  await http('PATCH', '/api/set_spaghetti_detector', { enabled: false })
  await http('PATCH', '/api/set_spaghetti_detector', { enabled: true })
  t.match((await settings(booted, name)).spaghetti_detector, { enabled: true, sensitivity: 'high' }, 'off and on again')
})

t.test('what a printer lacks is refused before anything is sent', async t => {
  const { http, printers } = await boot(t, all)
  const sent = () => printers.map(({ requests }) => requests.length)
  const before = sent()
  for (const [name, path, params, reason] of [
    ['p1s', 'set_spaghetti_detector', { enabled: true }, "'p1s' has no spaghetti detector"],
    ['a1-mini', 'set_airprinting_detector', { enabled: true }, "'a1-mini' has no air-printing detector"],
    ['x1c', 'set_nozzleclumping_detector', { enabled: true }, "'x1c' has no nozzle-clumping detector"],
    ['p1s', 'set_buildplate_marker_detector', { enabled: true }, "'p1s' has no build-plate marker detector"],
    ['a1-mini', 'set_first_layer_inspection', { enabled: true }, "'a1-mini' has no first layer inspection"],
    ['x1c', 'set_print_option', { option: 'air_print_detect', enabled: true }, "'x1c' has no option air_print_detect"]
  ] as const) {
    t.match(await http('PATCH', `/api/${path}`, { printer: name, ...params }),
      { status: 400, body: { status: 'error', error: 'unsupported', reason } }, `${name} ${path}`)
  }
  t.same(sent(), before)
})
