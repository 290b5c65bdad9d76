import { existsSync, readFileSync, statSync } from 'node:fs'
import sharp from 'sharp'
import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { bootProjects } from './boot.js'
import { make3mf } from './make-3mf.js'

const FILE = '/desk-organiser.gcode.3mf'
const imageOf = (uri: string) => sharp(Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64')).metadata()

t.test('reading', async t => {
  const { tool, http, name, opened, folder, printer } = await bootProjects(t)

  t.test('a plate, with and without its pictures', async t => {
    const { value } = await tool('get_project_info', { name, file_path: FILE, plate_num: 2 })
    t.hasStrict(value, { id: FILE, name: 'desk-organiser.gcode.3mf', plate_num: 2, plates: [1, 2, 5] })
    t.match(value.md5, /^[0-9A-F]{32}$/)
    t.same(value.metadata.filament, [{ id: 1, type: 'PLA', color: '#FFFFFF' }, { id: 2, type: 'PLA', color: '#0A2989' }])
    t.same(value.metadata.map.bbox_objects.map(({ id, name }: { id: number, name: string }) => [id, name]),
      [[1071, 'pen cup.stl'], [1118, 'lid "flat".stl'], [1165, 'label.stl'], [1001, 'wipe_tower']])
    t.match(value.metadata, { ams_mapping: ['1', '2'], filament_extruders: [1, 1], physical_extruder_map: [0], external_spool_trays: [255, 255] })
    t.match(value.metadata.thumbnail, /^\[.*get_plate_thumbnail/)
    const full = await tool('get_project_info', { name, file_path: FILE, plate_num: 2, include_images: true })
    t.match(await imageOf(full.value.metadata.topimg), { format: 'png', width: 512, height: 512 })
  })

  t.test('a plate that is not there yields the first', async t => {
    t.equal((await tool('get_project_info', { name, file_path: FILE, plate_num: 3 })).value.plate_num, 1)
    t.match((await http('GET', '/api/get_3mf_props_for_file', { file: FILE, plate: 9 })).body, { plate_num: 1, metadata: { thumbnail: /^data:image\/png/ } })
  })

  t.test('all plates in order', async t => {
    const { value } = await tool('get_all_project_info', { name, file_path: FILE })
    t.same(value.result.map((record: { plate_num: number }) => record.plate_num), [1, 2, 5])
    const { body } = await http('GET', '/api/get_all_3mf_props_for_file', { file: FILE, include_images: 'true' })
    t.match((body as unknown as object[])[2], { plate_num: 5, metadata: { topimg: /^data:/ } })
  })

  t.test('what is not there, and what is no project', async t => {
    const isThere = (path: string) => /notes|lantern/.test(path)
    for (const path of ['/nope.3mf', '/cache/notes.3mf', '/model/lantern.3mf', '/cache']) {
      const sentence = `Could not retrieve project info for '${path}'`
      t.match((await tool('get_project_info', { name, file_path: path })).value, { error: sentence, detail: /./ })
      t.match(await http('GET', '/api/get_all_3mf_props_for_file', { file: path }), { status: 404, body: { reason: sentence } })
      t.match(await http('GET', '/api/get_3mf_props_for_file', { file: path }),
        { status: 404, body: { status: 'error', reason: isThere(path) ? /cannot be read as a project: ./ : /^No file found$/, file: path } })
    }
  })

  t.test('pictures in three sizes', async t => {
    for (const [quality, side] of [['preview', 180], ['standard', 360], ['full', 512], ['finest', 360]] as const) {
      const { value } = await tool('get_plate_thumbnail', { name, file_path: FILE, plate_num: 2, quality })
      t.match(value, { plate_num: 2, width: side, height: side, quality: quality === 'finest' ? 'standard' : quality })
      t.match(await imageOf(value.data_uri), { format: 'jpeg', width: side })
    }
    const { status } = await http('GET', '/api/plate_topview', { file: FILE, plate: 2, quality: 'preview' })
    t.equal(status, 200)
    await printer.card.put('/bare.3mf', make3mf([{ number: 1 }]))
    t.match(await http('GET', '/api/plate_topview', { file: '/bare.3mf' }), { status: 404, body: { reason: 'No topimg image available for plate 1' } })
    t.equal((await tool('get_plate_thumbnail', { name, file_path: '/bare.3mf', plate_num: 4 })).value.error,
      'No thumbnail image available for plate 4')
  })

  t.test('the page with all plates', async t => {
    const { value } = await tool('open_plate_viewer', { name, file_path: FILE, target_plate: 2 })
    t.match(value, { success: true, plates: 3, path: /\.html$/ })
    t.match(opened.at(-1), /^file:.*\.html#plate-2$/)
    const html = readFileSync(value.path, 'utf8')
    for (const id of ['plate-1', 'plate-2', 'plate-5']) t.match(html, `id="${id}"`)
    t.match(html, 'lid &quot;flat&quot;.stl')
    t.notMatch(html, /wipe_tower|<script|src="(?!data:)|href="(?!#)/, 'nothing but itself')
    t.equal(statSync(value.path).mode & 0o777, 0o600)
  })

  t.test('the drawing of a plate', async t => {
    const { value } = await tool('open_plate_layout', { name, file_path: FILE, plate_num: 2 })
    t.match(value, { success: true, plate: 2, objects: 4, unique_parts: 4 })
    t.equal(value.bed_mm, '256x256')
    t.match(await sharp(value.path).metadata(), { format: 'png', width: 1024 })
    // The middle of the pen cup, under the red tint of its box.
    const { data, info } = await sharp(value.path).raw().toBuffer({ resolveWithObject: true })
    const at = ((1024 - 114 * 4) * info.width + 102 * 4) * info.channels
    t.ok((data[at] ?? 0) > 240 && (data[at + 1] ?? 0) > 190, `${data.subarray(at, at + 3).join(' ')}`)
    t.match((await tool('open_plate_layout', { name, file_path: '/bare.3mf' })).value, { error: 'No top-down image available for this plate' })
    t.notOk(existsSync(`${folder}/prnd-plate-layout-x1c-p1.png`))
  })

  t.test('which spools a print would draw from', async t => {
    const { value } = await tool('preview_ams_mapping', { name, file_path: FILE, plate_num: 2 })
    t.match(value, { plate_num: 2, resolved_ams_mapping: [1, 4], ams_mapping_json: '[1, 4]', unmatched: [] })
    t.notOk('error' in value)
    t.same((await http('GET', '/api/preview_ams_mapping', { file: FILE, plate: 2 })).body, value)
    t.match((await http('GET', '/api/preview_ams_mapping', { file: FILE, plate: 5 })), { status: 200, body: { error: /not sliced/ } })
    t.match((await tool('preview_ams_mapping', { name, file_path: '/nope.3mf' })).value, { error: /cannot be read/, filaments: [] })
  })

  t.test('no job, no project', async t => {
    t.match((await tool('get_current_job_project_info', { name })).value, { error: 'no_active_job', gcode_state: '', note: /./ })
    t.match(await http('GET', '/api/get_current_3mf_props'), { status: 404, body: { reason: 'No Job Found', message: 'No Job Found' } })
  })
})

t.test('printing', async t => {
  const { tool, http, name, printer, kernel } = await bootProjects(t, { speed: 20 })
  const sent = () => printer.requests.filter(({ command }) => command === 'project_file')
  const print = (args: object) => tool('print_file', { name, file_path: FILE, plate_num: 2, user_permission: true, ...args })

  t.test('is refused in the words of the preview, and nothing is sent', async t => {
    await printer.card.put('/odd.3mf', make3mf([
      { number: 1, filaments: [{ id: 1, type: 'PPS-CF', color: '#FF00FF' }] },
      { number: 2, filaments: [{ id: 1, type: 'PLA', color: '#FFFFFF' }], metadata: { nozzle_diameters: '0,6' } },
      { number: 3, filaments: [{ id: 1, type: 'PLA', color: '#FFFFFF' }], metadata: { printer_model_id: 'O1D' } }
    ]))
    const reasons = { 1: /No loaded spool fits filament id 1 \(PPS-CF #FF00FF\)/, 2: /0.6 mm nozzle/, 3: /sliced for .*H2D/, 4: /no plate 4/ }
    for (const [plate, reason] of Object.entries(reasons)) {
      const wanted = { file_path: '/odd.3mf', plate_num: Number(plate) }
      const { value: preview } = await tool('preview_ams_mapping', { name, ...wanted })
      const { value, failed } = await print(wanted)
      t.ok(failed)
      t.match(value.error, reason)
      t.same(value, preview)
      const answer = await http('POST', '/api/print_3mf', { filename: '/odd.3mf', platenum: Number(plate), use_ams: true })
      t.match(answer, { status: 400, body: { status: 'error', reason: value.error } })
    }
    t.match(await http('POST', '/api/print_3mf', { filename: FILE, platenum: 2, use_ams: true, ams_mapping: '[1]' }),
      { status: 400, body: { reason: /no tray for filament 2/ } })
    t.match(await http('POST', '/api/print_3mf', { filename: FILE, use_ams: true, ams_mapping: '[999]' }), { status: 400, body: { reason: /ams_mapping/ } })
    t.match(await http('POST', '/api/print_3mf', { filename: FILE }), { status: 400, body: { reason: /use_ams/ } })
    t.match((await tool('print_file', { name, file_path: FILE })).value, { error: /user_permission must be True/ })
    t.equal(sent().length, 0)
  })

  t.test('by hand', async t => {
    t.match((await print({ plate_num: 1, use_ams: false, bed_type: 'textured_plate' })).value,
      { success: true, use_ams: false, ams_mapping: '', bed_type: 'TEXTURED_PLATE', matches: [], outcome: 'started' })
    t.match(sent().at(-1)?.body, {
      use_ams: false, ams_mapping: [-1], ams_mapping2: [{ ams_id: 255, slot_id: 0 }], bed_type: 'textured_plate', param: 'Metadata/plate_1.gcode'
    })
  })

  t.test('without the AMS a mapping is not used, whatever its form, and that is said', async t => {
    const ask = async (mapping: string) =>
      (await http('GET', '/api/preview_ams_mapping', { file: FILE, plate: 2, use_ams: false, ams_mapping: mapping })).body
    for (const mapping of ['[0, 1, -1]', '[1]', '[128, 254]']) {
      t.match((await ask(mapping)).warnings.at(-1), { code: 'mapping_unused', message: /external holder/, needs_accept: false })
    }
    for (const mapping of ['[254]', '[255, -1, 254]', '[-1]']) {
      t.notOk((await ask(mapping)).warnings.some(({ code }: { code: string }) => code === 'mapping_unused'), mapping)
      t.same((await ask(mapping)).resolved_ams_mapping, [255, 255], mapping)
    }
    await tool('stop_print', { name, user_permission: true })
    await eventually(() => kernel.printers.get(name)?.state?.job.gcodeState === 'FAILED')
    const { status, body } = await http('POST', '/api/print_3mf', { filename: FILE, platenum: 1, use_ams: false, ams_mapping: '[1]' })
    t.equal(status, 200)
    t.match(body.warnings.at(-1), { code: 'mapping_unused' })
    t.match(sent().at(-1)?.body, { use_ams: false, ams_mapping: [-1], ams_mapping2: [{ ams_id: 255, slot_id: 0 }] })
  })

  t.test('a second job is refused', async t => {
    const blocked = /^Blocked: 'x1c' is currently (PREPARE|RUNNING)\. print_3mf is not safe while a print is active\./
    t.match(await http('POST', '/api/print_3mf', { filename: FILE, use_ams: true }), { status: 409, body: { reason: blocked } })
    t.match((await print({})).value.error, /^Blocked: .*print_file is not safe/)
    await tool('pause_print', { name, user_permission: true })
    await eventually(() => kernel.printers.get(name)?.state?.job.gcodeState === 'PAUSE')
    t.match((await print({})).value.error, /resume or cancel/)
    t.equal(sent().length, 2)
  })

  t.test('the job tells of its project', async t => {
    t.match((await tool('get_current_job_project_info', { name })).value, { id: FILE, plate_num: 1 })
    t.match((await http('GET', '/api/get_current_3mf_props')).body, { status: 'success', id: FILE, metadata: { topimg: /^data:/ } })
    const session = kernel.printers.resolve(name)
    await eventually(() => kernel.services.projects.ofJob(session).fetched)
    t.match(kernel.services.projects.ofJob(session).info, { id: FILE, plate_num: 1 })
    await tool('stop_print', { name, user_permission: true })
    await eventually(() => session.state?.job.gcodeState === 'FAILED')
    t.match((await tool('get_current_job_project_info', { name })).value, { error: 'no_active_job', note: /No job is in progress/ })
    t.match(await http('GET', '/api/get_current_3mf_props'), { status: 404, body: { reason: 'No Job Found' } }, 'it has ended')
  })

  t.test('an answer that says no, and one that never comes', async t => {
    const lift = printer.faults.refuse('project_file', { reason: 'not today' })
    const answer = await http('POST', '/api/print_3mf', { filename: FILE, use_ams: true })
    t.match(answer, { status: 409, body: { reason: /not today/ } })
    lift()
  })
})

t.test('an error that comes up when the printer has taken the job is its refusal', async t => {
  const { tool, name, printer } = await bootProjects(t, { speed: 20, resolveJob: () => ({ failure: 0x05004002 }) })
  t.match((await tool('print_file', { name, file_path: FILE, plate_num: 2, user_permission: true })).value.error,
    /refused to start the print/)
  t.equal(printer.report().print_error, 0x05004002)
})

t.test('the live page shows the objects of the plate that is printed', async t => {
  const { tool, http, name, kernel } = await bootProjects(t, { model: 'P1S', speed: 20 })
  const session = kernel.printers.resolve(name)
  const { projects } = kernel.services
  t.equal(await projects.layoutOfJob(session), undefined, 'no job')
  t.same(projects.settingsOfJob(session), {})
  const { body: { url } } = await http('POST', '/api/start_stream')
  const look = async (kind: string) => {
    const reply = await fetch(`${url}${kind}`)
    return { status: reply.status, bytes: Buffer.from(await reply.arrayBuffer()) }
  }
  t.equal((await look('layout')).status, 404)
  await tool('print_file', { name, file_path: FILE, plate_num: 2, use_ams: false, accept_mismatch: true, user_permission: true })
  await eventually(() => projects.ofJob(session).info !== null)
  t.match(projects.settingsOfJob(session), { support: 'none', brim: 'full', walls: 2, infillPct: 15 })
  const { value: { path } } = await tool('open_plate_layout', { name, file_path: FILE, plate_num: 2 })
  t.ok((await look('layout')).bytes.equals(readFileSync(path)), 'the drawing of plate 2')
  t.equal(await projects.layoutOfJob(session), await projects.layoutOfJob(session), 'drawn once')
  t.match(await sharp((await look('thumbnail')).bytes).metadata(), { format: 'png', width: 512 })
})

t.test('two nozzles', async t => {
  const { tool, name, printer } = await bootProjects(t, { model: 'H2D' })
  const file = '/gearbox-two-nozzles.gcode.3mf'
  const { value: info } = await tool('get_project_info', { name, file_path: file })
  const { metadata } = info
  t.match(metadata, { filament_extruders: [2, 1], physical_extruder_map: [1, 0], external_spool_trays: [255, 254] })
  t.match((await tool('open_plate_layout', { name, file_path: file })).value, { bed_mm: /^350x320$/, objects: 4, unique_parts: 3 })
  const print = (args: object) => tool('print_file', { name, file_path: file, user_permission: true, ...args })
  const { value } = await print({ use_ams: false })
  t.match(value, { success: true, use_ams: false })
  t.match(printer.requests.at(-1)?.body, {
    use_ams: false, ams_mapping: [-1, -1], ams_mapping2: [{ ams_id: 255, slot_id: 0 }, { ams_id: 254, slot_id: 0 }]
  })
})
