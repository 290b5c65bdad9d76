import t, { type Test } from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { bootProjects } from './boot.js'

const FILE = '/desk-organiser.gcode.3mf'
const GEARBOX = '/gearbox-two-nozzles.gcode.3mf'

const codesOf = ({ warnings = [] }: Readonly<Record<string, any>>): string[] =>
  warnings.map(({ code }: { code: string }) => code)

/** A virtual printer, and a plate of a project on its card. */
async function begin (t: Test, model: 'P1S' | 'X1C' | 'H2D', file: string, plate = 1) {
  const booted = await bootProjects(t, { model, speed: 20 })
  const { tool, http, name, printer, kernel } = booted
  const wanted = { name, file_path: file, plate_num: plate }
  const session = kernel.printers.resolve(name)
  return {
    printer,
    tool,
    name,
    session,
    sent: () => printer.requests.filter(({ command }) => command === 'project_file'),
    preview: async (args: object = {}) => (await tool('preview_ams_mapping', { ...wanted, ...args })).value,
    previewRoute: async (mapping: string) =>
      (await http('GET', '/api/preview_ams_mapping', { file, plate, ams_mapping: mapping })).body,
    print: (args: object) => tool('print_file', { ...wanted, user_permission: true, ...args }),
    printRoute: (args: object) => http('POST', '/api/print_3mf', { filename: file, platenum: plate, use_ams: true, ...args }),
    spool: (slot: number, fields: object) => printer.patch({ ams: { ams: [{ id: '0', tray: [{ id: String(slot), ...fields }] }] } })
  }
}

t.test('red PETG on a plate for white PLA', async t => {
  const { sent, preview, previewRoute, print, printRoute } = await begin(t, 'P1S', FILE)
  const mismatch = /Filament 1 is PLA, but AMS A · slot 3 holds PETG HF\./
  const words = ['Filament 1 (PLA Basic, white #FFFFFF) → AMS A · slot 3 (PETG HF, crimson #EB3A3A)']

  const shown = await preview({ ams_mapping: [2] })
  t.match(shown, { resolved_ams_mapping: [2], ams_mapping_json: '[2]', matches: [], unmatched: [], error: mismatch })
  t.same(codesOf(shown), ['material_mismatch', 'colour_distance'])
  t.match(shown.warnings, [
    { code: 'material_mismatch', filament: 1, tray: 2, message: mismatch, needs_accept: true },
    { code: 'colour_distance', filament: 1, tray: 2, needs_accept: true }
  ])
  t.same(shown.mapping_words, words)
  t.same(await previewRoute('[2]'), shown, 'tool and route say the same')

  const { value, failed } = await print({ ams_mapping: '[2]' })
  t.ok(failed)
  const { detail, ...rest } = value
  t.same(rest, shown, 'and so does the print')
  t.match(detail, /Map it to another tray, load the right filament, or repeat with accept_mismatch true/)
  t.match(await printRoute({ ams_mapping: '[2]' }), {
    status: 409,
    body: { status: 'error', error: 'filament_mismatch', reason: shown.error, detail, warnings: shown.warnings, mapping_words: words }
  })
  t.match((await printRoute({ ams_mapping: '[2]', accept_mismatch: false })).status, 409)
  t.equal(sent().length, 0, 'nothing was sent')

  const messages = shown.warnings.map(({ message }: { message: string }) => message)
  const before = { ams_mapping: '[2]', accept_mismatch: true, accept_warnings: messages.slice(0, 1) }
  t.match(await printRoute(before), { status: 409, body: { error: 'filament_mismatch' } },
    'what was accepted when there was one warning does not lift another')
  t.match(await printRoute({ ams_mapping: '[2]', accept_mismatch: true, accept_warnings: [] }), { status: 409 })
  for (const wrong of ['no list', '{}', [1]]) t.match(await printRoute({ accept_warnings: wrong }), { status: 400 })
  t.equal(sent().length, 0, 'still nothing was sent')
  t.match(await printRoute({ ams_mapping: '[2]', accept_warnings: JSON.stringify(messages), dry_run: true }),
    { status: 200 }, 'all that is shown')

  const accepted = await printRoute({ ams_mapping: '[2]', accept_mismatch: true })
  t.match(accepted, { status: 200, body: { status: 'success', warnings: shown.warnings, mapping_words: words } })
  t.match(sent().at(-1)?.body, { ams_mapping: [2] })
})

t.test('a mapping that fits says so, and where a spool is another line of the plastic', async t => {
  const { preview, print } = await begin(t, 'X1C', FILE, 2)
  const words = [
    'Filament 1 (PLA Basic, white #FFFFFF) → AMS A · slot 2 (PLA Matte, white #FFFFFF)',
    'Filament 2 (PLA Basic, midnightblue #0A2989) → AMS B · slot 1 (PLA Basic, midnightblue #0A2989)'
  ]
  const message = 'Filament 1 is PLA Basic, but AMS A · slot 2 holds PLA Matte, another variant of it.'
  const figures = { wanted: 'PLA Basic', holds: 'PLA Matte' }
  const warnings = [{ code: 'material_variant', filament: 1, tray: 1, message, figures, needs_accept: false }]
  const shown = await preview()
  t.match(shown, { resolved_ams_mapping: [1, 4], mapping_words: words, matches: [{ label: 'Type Match' }, { label: 'Excellent Match' }] })
  t.same(shown.warnings, warnings)
  const { value } = await print({})
  t.same(value.warnings, warnings)
  t.same(value.mapping_words, words)
})

t.test('a spool that was chosen by its colour is refused for its material', async t => {
  const { preview, printRoute, print, spool, session, sent } = await begin(t, 'P1S', FILE)
  spool(1, { tray_type: 'PETG', tray_sub_brands: 'PETG HF', tray_info_idx: 'GFG02' })
  await eventually(() => session.state?.spools[1]?.type === 'PETG')
  spool(0, { tray_type: 'ABS', tray_info_idx: 'GFB00' })
  await eventually(() => session.state?.spools[0]?.type === 'ABS')
  t.match(await preview(), { resolved_ams_mapping: [1], matches: [{ label: 'Color Match Only' }], error: /PETG HF/ })
  t.match(await printRoute({}), { status: 409, body: { error: 'filament_mismatch', matches: [{ label: 'Color Match Only' }] } })
  t.equal(sent().length, 0)
  t.match((await print({ accept_mismatch: true })).value, { success: true, ams_mapping: '[1]', warnings: [{ code: 'material_mismatch' }] })
})

t.test('the wrong nozzle of two', async t => {
  const { preview, printRoute, print, sent } = await begin(t, 'H2D', GEARBOX)
  const shown = await preview({ ams_mapping: [1, 0] })
  t.same(shown.warnings.map(({ code, filament, tray }: Record<string, unknown>) => [code, filament, tray]),
    [['material_variant', 1, 1], ['nozzle_side_mismatch', 2, 0], ['colour_distance', 2, 0]])
  t.match(shown.error, /Filament 2 is for the left nozzle, but AMS A · slot 1 feeds the right one/)
  t.match(await printRoute({ ams_mapping: '[1, 0]' }), { status: 409, body: { error: 'filament_mismatch', detail: /left nozzle/ } })
  t.match(codesOf((await printRoute({ ams_mapping: '[1, 128]' })).body), ['material_variant', 'material_mismatch', 'colour_distance'])
  t.equal(sent().length, 0)
  const { value } = await print({ ams_mapping: [1, 0], accept_mismatch: true })
  t.match(value, { success: true, ams_mapping: '[1, 0]', warnings: shown.warnings })
})

t.test('without the AMS the external spool is judged', async t => {
  const { printRoute, print, printer, session, sent } = await begin(t, 'P1S', FILE)
  printer.patch({ vt_tray: { id: '254', tray_type: 'PETG', tray_color: 'FF0000FF', tray_info_idx: 'GFG99' } })
  await eventually(() => session.state?.spools.find(({ id }) => id === 254)?.type === 'PETG')
  t.match(await printRoute({ use_ams: false }), { status: 409, body: { detail: /Filament 1 is PLA, but the external holder holds PETG/ } })
  t.equal(sent().length, 0)
  printer.patch({ vt_tray: { id: '254', tray_type: '', tray_color: '00000000', tray_info_idx: '' } })
  await eventually(() => session.state?.spools.find(({ id }) => id === 254)?.type === '')
  const { value } = await print({ use_ams: false })
  t.match(value, { success: true, use_ams: false, warnings: [{ code: 'external_holder', filament: 1, tray: 255, needs_accept: false }] })
  t.same(value.mapping_words, ['Filament 1 (PLA Basic, white #FFFFFF) → the external holder (unknown material)'])
})

t.test('what only warns: an unknown material, little left, a running dryer', async t => {
  const { preview, spool, session, tool, name, print } = await begin(t, 'H2D', FILE)
  spool(1, { tray_type: '', tray_sub_brands: '', tray_color: '00000000', tray_info_idx: '' })
  await eventually(() => session.state?.spools[1]?.type === '')
  t.match(await preview({ ams_mapping: [1] }), { warnings: [{ code: 'unknown_material', tray: 1 }] })
  spool(1, { tray_type: 'PLA', tray_color: 'FFFFFFFF', tray_info_idx: 'GFA00', remain: 2 })
  await eventually(() => session.state?.spools[1]?.remainingPercent === 2)
  t.match(await preview({ ams_mapping: [1] }), { warnings: [{ code: 'not_enough_filament', message: /46\.5 g .* 20 g/ }] })
  await tool('start_ams_dryer', { name, unit_id: 0, target_temp: 50, duration_hours: 4, user_permission: true })
  await eventually(() => session.state?.ams.units[0]?.dryer?.state !== 'OFF')
  const warned = await preview({ ams_mapping: [1] })
  t.same(codesOf(warned), ['not_enough_filament', 'dryer_running'])
  t.notOk('error' in warned)
  t.match((await print({ ams_mapping: [1] })).value, { success: true, warnings: warned.warnings })
})

t.test('a tray that holds nothing is refused, whatever is accepted', async t => {
  const { printRoute, preview, sent } = await begin(t, 'P1S', FILE)
  for (const [mapping, code, reason] of [
    ['[3]', 'empty_tray', /tray 3, AMS A · slot 4, which is empty/], ['[9]', 'unknown_tray', /tray 9, which is not there/],
    ['[-1, 0]', 'filament_unmapped', /no tray for filament 1/]
  ] as const) {
    const answer = await printRoute({ ams_mapping: mapping, accept_mismatch: true })
    t.match(answer, { status: 400, body: { error: 'plate_refused', reason, warnings: [{ code }] } }, code)
    t.match(await preview({ ams_mapping: mapping }), { error: reason })
  }
  t.match(await preview({ ams_mapping: '[999]' }), { error: /^ams_mapping must be/ })
  t.equal(sent().length, 0)
})
