import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { formOf } from '../../plugins/files/boot-files.js'
import { bootApp } from './boot.js'
import { testFolder } from '../../helpers/folder.js'

interface Node { readonly id: string, readonly name: string, readonly children?: readonly Node[] }

const find = (tree: Node, id: string): Node | undefined =>
  tree.id === id ? tree : tree.children?.map(child => find(child, id)).find(node => node !== undefined)
const all = (tree: Node): Node[] => [tree, ...(tree.children ?? []).flatMap(all)]

t.test('the card: cached, listed anew, projects only', async t => {
  const app = await bootApp(t)
  await app.printer.card.put('/old.bin', 'x')
  const left = (await app.get('delete_sdcard_file', { file: '/old.bin' })).body as unknown as Node
  t.equal(left.id, '/', 'the card is listed for the answer')
  t.notOk(find(left, '/old.bin'))
  const { body } = await app.get('get_sdcard_contents')
  t.match(body, { name: '/', id: '/' })
  t.ok(all(body as unknown as Node).every(({ id, children }) => (children !== undefined) === id.endsWith('/')))
  t.same((await app.get('refresh_sdcard_contents')).body, { status: 'success' })
  t.same((await app.get('refresh_sdcard_3mf_files')).body, { status: 'success' })
  const projects = all((await app.get('get_sdcard_3mf_files')).body as unknown as Node).filter(({ id }) => !id.endsWith('/'))
  t.ok(projects.length > 0)
  t.ok(projects.every(({ id }) => /\.3mf$/i.test(id)))
})

t.test('a file from the host to the card, renamed, fetched and deleted', async t => {
  const dataDir = testFolder(t)
  const app = await bootApp(t, { config: { dataDir } })
  const sent = await app.kernel.app.inject({ method: 'POST', url: '/api/upload_file_to_host', ...formOf('../../part.bin', 'hello card') })
  t.match(sent.json(), { status: 'success' })
  t.equal(await readFile(join(dataDir, 'uploads', 'part.bin'), 'utf8'), 'hello card', 'no way out of the folder')

  t.ok(find((await app.get('make_sdcard_directory', { dir: '/mine' })).body as unknown as Node, '/mine/'))
  const up = await app.get('upload_file_to_printer', { src: 'part.bin', dest: '/mine/part.bin' })
  t.match(find(up.body as unknown as Node, '/mine/part.bin'), { name: 'part.bin', size: 10 })
  const moved = await app.get('rename_sdcard_file', { src: '/mine/part.bin', dest: '/mine/moved.bin' })
  t.ok(find(moved.body as unknown as Node, '/mine/moved.bin'))

  for (const method of ['GET', 'POST'] as const) {
    const got = await app.kernel.app.inject({ method, url: '/api/download_file_from_printer', query: { src: '/mine/moved.bin' } })
    t.equal(got.statusCode, 200)
    t.equal(got.body, 'hello card')
    t.match(got.headers, { 'content-type': 'application/octet-stream', 'content-disposition': /filename="moved\.bin"/ })
  }
  t.equal(await readFile(join(dataDir, 'uploads', 'moved.bin'), 'utf8'), 'hello card', 'a copy stays')

  t.notOk(find((await app.get('delete_sdcard_file', { file: '/mine/' })).body as unknown as Node, '/mine/'))
})

t.test('projects: their properties, and the job\'s', async t => {
  const app = await bootApp(t)
  const tree = (await app.get('get_sdcard_3mf_files')).body as unknown as Node
  const file = all(tree).find(({ id }) => /grün.*\.3mf$/.test(id))?.id ?? ''
  const { status, body } = await app.get('get_3mf_props_for_file', { file })
  t.equal(status, 200)
  t.match(body, { id: file, plate_num: 1, plates: [1], metadata: { thumbnail: /^data:image\/png;base64,/, map: { bbox_objects: [{ val: [/\d/, /\d/, /\d/, /\d/] }] } } })
  t.match(body.metadata.filament[0], { id: 2, type: /\w/, color: /^#/ })
  const missing = await app.get('get_3mf_props_for_file', { file: '/none.3mf' })
  t.match(missing, { status: 404, body: { status: 'error', reason: 'No file found', message: 'No file found', file: '/none.3mf' } })
  t.match(await app.get('get_current_3mf_props'), { status: 404, body: { status: 'error', reason: 'No Job Found' } })

  const print = { filename: file, platenum: 0, plate: 'TEXTURED_PLATE', use_ams: 'yes', bl: 'true', tl: 'True' }
  const refused = await app.get('print_3mf', print)
  t.match(refused, { status: 500, body: { status: 'error', message: /Filament 2 is PETG, but the external holder holds PLA/ } })
  t.match(refused.body, { reason: refused.body.message, detail: /accept_mismatch/, warnings: [{ code: 'material_mismatch' }] })
  const wire = await app.wire('print_3mf', { ...print, accept_mismatch: 'true' })
  t.match(wire, [{ command: 'project_file', param: 'Metadata/plate_1.gcode', bed_type: 'textured_plate', bed_leveling: true, flow_cali: false, timelapse: false, use_ams: false }])
  const now = await app.get('get_current_3mf_props')
  t.match(now, { status: 200, body: { status: 'success', id: file } })
})
