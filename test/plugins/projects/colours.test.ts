import t, { type Test } from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { bootProjects } from './boot.js'

const FILE = '/desk-organiser.gcode.3mf'
const SWAPPED = [4, 1]
const RIGHT = [1, 4]

/** White and blue PLA are wanted; tray 1 holds the white spool, tray 4 the blue one. */
async function begin (t: Test, model: 'X1C' | 'H2D' = 'X1C') {
  const booted = await bootProjects(t, { model, speed: 20 })
  const { http, tool, name, printer, kernel } = booted
  return {
    http,
    name,
    printer,
    kernel,
    sent: () => printer.requests.filter(({ command }) => command === 'project_file').length,
    route: (args: object) => http('POST', '/api/print_3mf', { filename: FILE, platenum: 2, use_ams: true, ...args }),
    print: (args: object) => tool('print_file', { name, file_path: FILE, plate_num: 2, user_permission: true, ...args })
  }
}

t.test('two swapped colours of one material are asked about before anything is sent', async t => {
  const { route, print, sent, http } = await begin(t)
  const colours = { code: 'colour_distance', needs_accept: true }
  const detail = /Filament 1 is #FFFFFF, but .*Filament 2 .*accept_mismatch/
  const refused = { error: 'filament_mismatch', detail, warnings: [colours, { code: 'material_variant' }, colours] }
  t.match(await route({ ams_mapping: JSON.stringify(SWAPPED) }), { status: 409, body: refused })
  const { value, failed } = await print({ ams_mapping: SWAPPED })
  t.ok(failed)
  t.match(value, { detail, warnings: refused.warnings })
  t.match((await http('GET', '/api/preview_ams_mapping', { file: FILE, plate: 2, ams_mapping: JSON.stringify(SWAPPED) })).body,
    { error: /^Nothing was sent/, warnings: refused.warnings })
  t.equal(sent(), 0)
  t.match(await route({ ams_mapping: JSON.stringify(SWAPPED), accept_mismatch: true }),
    { status: 200, body: { warnings: refused.warnings } })
  t.equal(sent(), 1)
})

t.test('colours that fit are not asked about', async t => {
  const { route, sent } = await begin(t)
  t.match(await route({ ams_mapping: JSON.stringify(RIGHT) }), { status: 200, body: { warnings: [{ code: 'material_variant', needs_accept: false }] } })
  t.equal(sent(), 1)
})

t.test('a spool that was chosen for its material alone, and the one on the holder', async t => {
  const { route, sent, printer, kernel, name, http } = await begin(t)
  const session = kernel.printers.resolve(name)
  const green = { id: '0', tray_color: '00FF00FF', cols: ['00FF00FF'] }
  printer.patch({ ams: { ams: [{ id: '1', tray: [green] }] } })
  await eventually(() => session.state?.spools.some(({ rgba }) => rgba === '00FF00FF'))
  t.match(await route({}), { status: 409, body: { error: 'filament_mismatch', matches: [{}, { label: /Match/ }], warnings: [{ code: 'material_variant' }, colour()] } })
  const red = { id: '255', tray_type: 'PLA', tray_color: 'FF0000FF', tray_info_idx: 'GFA00' }
  printer.patch({ vir_slot: [red], vt_tray: red })
  await eventually(() => session.state?.spools.some(({ amsId, rgba }) => amsId < 0 && rgba === 'FF0000FF'))
  t.match(await route({ use_ams: false, platenum: 1 }), { status: 409, body: { detail: /external holder holds #FF0000/ } })
  t.match((await http('GET', '/api/preview_ams_mapping', { file: FILE, plate: 1, use_ams: false })).body, { error: /external holder holds #FF0000/ })
  t.equal(sent(), 0)
})

const colour = () => ({ code: 'colour_distance' })

t.test('the queue chooses colours by its own wish', async t => {
  const { kernel, name, sent } = await begin(t)
  const print = kernel.operations.get('projects.print')
  if (!print) return t.fail('there is no such operation')
  const start = (input: object) => kernel.call(print, {
    file: FILE, plate: 2, plateType: 'auto', useAms: true, mapping: SWAPPED, leveling: false, flow: false, timelapse: false, ...input
  }, { printer: name, surface: 'queue' })
  await t.rejects(start({}), { code: 'PRN_ERR_FILAMENT_MISMATCH' })
  t.equal(sent(), 0)
  await start({ anyColor: true })
  t.equal(sent(), 1, 'a job for any colour')
})
