import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { checkPrintable, howToSlice } from '../../../plugins/projects/printable.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { bootProjects } from './boot.js'
import { make3mf } from './make-3mf.js'

const WHITE = [{ id: 1, type: 'PLA', color: '#FFFFFF' }] as const
const boxes = (count: number) => ({
  bbox_objects: Array.from({ length: count }, (_, at) => ({ id: at, name: `part ${at}`, bbox: [at, 0, at + 0.5, 1] }))
})
const objects = (count: number) => Array.from({ length: count }, (_, at) => ({ id: 100 + at, name: `part ${at}` }))

t.test('plates with high numbers, build plates and broken files', async t => {
  const { http, tool, name, printer } = await bootProjects(t, { model: 'P1S', speed: 20 })
  await printer.card.put('/high.gcode.3mf', make3mf([{ number: 1, filaments: WHITE }, { number: 31, filaments: WHITE }]))
  await printer.card.put('/higher.gcode.3mf', make3mf([{ number: 36, filaments: WHITE }]))
  await printer.card.put('/bed.gcode.3mf', make3mf([
    { number: 1, filaments: WHITE, map: { bbox_objects: [], bed_type: 'cool_plate' } }, { number: 2, filaments: WHITE }
  ], { curr_bed_type: 'Textured PEI Plate' }))
  await printer.card.put('/broken.3mf', 'no archive')
  await printer.card.put('/vase.stl', 'solid')
  const sent = () => printer.requests.filter(({ command }) => command === 'project_file').length
  const print = (filename: string, args: object = {}) => http('POST', '/api/print_3mf', { filename, use_ams: true, ams_mapping: '[1]', ...args })

  const limit = /Plate 31 of '\/high\.gcode\.3mf' cannot be started here: only plates 1 to 30 are read/
  t.match(await print('/high.gcode.3mf', { platenum: 31 }), { status: 400, body: { reason: limit } })
  t.match((await tool('preview_ams_mapping', { name, file_path: '/high.gcode.3mf', plate_num: 31 })).value, { error: limit })
  t.match(await print('/high.gcode.3mf', { platenum: 7 }), { status: 400, body: { reason: /has no plate 7/ } })
  t.match((await http('GET', '/api/get_all_3mf_props_for_file', { file: '/higher.gcode.3mf' })).body, { detail: /all its plates have numbers above 30/ })

  t.match(await print('/broken.3mf'), { status: 400, body: { reason: /cannot be read as a project: not a readable 3MF/ } })
  t.match(await print('/vase.stl'), { status: 400, body: { reason: /is a model without toolpaths: open it in the slicer, slice it/ } })
  t.match(await http('GET', '/api/get_3mf_props_for_file', { file: '/broken.3mf' }),
    { status: 404, body: { reason: /'\/broken\.3mf' cannot be read as a project: not a readable 3MF/ } })
  t.equal(sent(), 0)

  const bedOf = async (plate: number) => (await http('GET', '/api/get_3mf_props_for_file', { file: '/bed.gcode.3mf', plate })).body.metadata.bed_type
  t.same([await bedOf(1), await bedOf(2)], ['cool_plate', 'textured_plate'], 'each plate, else as the project says')
  const preview = async (args: object) =>
    (await http('GET', '/api/preview_ams_mapping', { file: '/bed.gcode.3mf', ams_mapping: '[1]', ...args })).body
  const saysOf = (body: Record<string, any>) => body.warnings.filter(({ code }: { code: string }) => code === 'bed_type')
  t.equal((await preview({})).bed_type, 'cool_plate')
  const other = { code: 'bed_type', message: /Plate 1 is sliced for the cool plate, and the printer is told to use the hot plate/, needs_accept: false }
  t.match(saysOf(await preview({ bed_type: 'hot_plate' })), [other])
  for (const bed of ['auto', 'cool_plate']) t.same(saysOf(await preview({ bed_type: bed })), [], bed)
  const { status, body } = await print('/bed.gcode.3mf', { plate: 'hot_plate' })
  t.equal(status, 200)
  t.match(saysOf(body), [other])
})

t.test('objects are skipped on plates that firmware can skip on', async t => {
  const { http, printer, kernel, name } = await bootProjects(t, { model: 'P1S', speed: 200 })
  const session = kernel.printers.resolve(name)
  const skip = async (count: number) => {
    const file = `many-${count}`
    await printer.card.put(`/${file}.gcode.3mf`, make3mf([{ number: 1, filaments: WHITE, map: boxes(count), objects: objects(count) }]))
    printer.startJob({ name: file, minutes: 60_000, layers: 20, objects: objects(count).map(({ id }) => id) })
    await eventually(() => kernel.services.projects.ofJob(session).info?.name === `${file}.gcode.3mf`)
    await eventually(() => session.state?.job.gcodeState === 'RUNNING', 30_000)
    const answer = await http('POST', '/api/skip_objects', { objects: '100,101,102' })
    printer.stopJob()
    await eventually(() => session.state?.job.gcodeState === 'FAILED')
    return answer
  }
  t.match(await skip(65), { status: 400, body: { reason: /has 65 objects, and printers skip only on plates of up to 64: all 65 go on/ } })
  t.equal(printer.requests.filter(({ command }) => command === 'skip_objects').length, 0)
  t.match(await skip(64), { status: 200 })
})

t.test('a printer that does not say which plate it prints: a project of one plate needs no word', async t => {
  const { tool, printer, kernel, name } = await bootProjects(t, { model: 'A1', speed: 5 })
  const session = kernel.printers.resolve(name)
  printer.startJob({ name: 'calibration-cube', minutes: 600 })
  await eventually(() => kernel.services.projects.ofJob(session).info !== null)
  printer.patch({ plate_idx: 0, gcode_file: 'calibration-cube.gcode.3mf' })
  await eventually(() => session.state?.job.plate === -1)
  t.match((await tool('get_job_info', { name })).value, { plate_num: 1 })
})

t.test('what is to be printed is looked into before a card has it', async t => {
  const { http, printer, kernel } = await bootProjects(t, { model: 'P1S' })
  const put = async (name: string, content: Buffer | string, args: object = {}) => {
    const boundary = 'x'
    const form = Buffer.concat([
      Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="myFile"; filename="${name}"\r\n\r\n`),
      Buffer.from(content), Buffer.from(`\r\n--${boundary}--\r\n`)
    ])
    await kernel.app.inject({
      method: 'POST', url: '/api/upload_file_to_host', headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, payload: form
    })
    return await http('POST', '/api/upload_file_to_printer', { src: name, dest: `/${name}`, ...args })
  }
  const unsliced = make3mf([{ number: 1, sliced: false }])
  t.match(await put('broken.3mf', 'no archive', { to_print: true }), { status: 400, body: { reason: /'broken\.3mf' is broken: .*Export it again/ } })
  t.match(await put('raw.3mf', unsliced, { to_print: true }), { status: 400, body: { reason: /'raw\.3mf' is not sliced: slice it/ } })
  for (const name of ['broken.3mf', 'raw.3mf']) t.equal(await printer.card.get(`/${name}`), undefined, `${name} is not on the card`)
  t.match(await put('good.gcode.3mf', make3mf([{ number: 1, filaments: WHITE }]), { to_print: true }), { status: 200 })
  t.match(await put('raw.3mf', unsliced), { status: 200 }, 'a card may hold anything')
})

t.test('what to do with a file that is no sliced project', async t => {
  t.match(howToSlice('vase.STL'), /is a model without toolpaths: open it in the slicer, slice it, and export/)
  t.match(howToSlice('vase.step'), /is a model without toolpaths/)
  t.match(howToSlice('vase.gcode'), /holds bare toolpaths.*export the sliced file/)
  t.match(howToSlice('notes.txt'), /is no sliced project: its name must end in \.3mf/)
  t.equal(howToSlice('vase.gcode.3mf'), undefined)
  const path = join(testFolder(t), 'a.gcode.3mf')
  await writeFile(path, make3mf([{ number: 31, filaments: WHITE }]))
  await t.rejects(checkPrintable(path, 'a.gcode.3mf'), { code: 'PRN_ERR_PLATE_REFUSED' })
})
