import { get } from 'node:http'
import { readFile, writeFile, mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { bootFiles, formOf } from './boot-files.js'
import { testFolder } from '../../helpers/folder.js'

t.test('the tree: whole, projects only, cached, refreshed', async t => {
  const { http, tool, printer, name } = await bootFiles(t)
  await printer.card.put('/cache/B part.gcode.3mf', 'bb')
  await printer.card.put('/cache/a.3mf', 'a')
  await printer.card.put('/notes.txt', 'n')
  t.equal((await http('GET', '/api/get_sdcard_contents', { printer: name, cached: true })).text, 'null')
  for (const args of [{}, { path: '/cache' }, { search: 'a' }, { limit: 5 }, { only_3mf: true }]) {
    t.match((await tool('list_sdcard_files', { name, cached: true, ...args })).value,
      { error: 'Failed to retrieve SD card contents', detail: /without cached/ }, 'no listing yet is no empty card')
  }
  const { body } = await http('GET', '/api/get_sdcard_contents', { printer: name })
  t.match(body, { id: '/', name: '/' })
  t.same(body.children.map(({ id }: { id: string }) => id), ['/cache/', '/image/', '/ipcam/', '/language/', '/logger/',
    '/model/', '/recorder/', '/timelapse/', '/notes.txt', '/verify_job'], 'folders first')
  t.match(body.children[0].children, [{ id: '/cache/a.3mf', name: 'a.3mf', size: 1 }, { name: 'B part.gcode.3mf', size: 2 }])
  t.ok(Math.abs(body.children[0].children[0].timestamp - Date.now() / 1000) < 120)
  const projects = (await http('GET', '/api/get_sdcard_3mf_files', { printer: name })).body
  t.notOk(JSON.stringify(projects).includes('notes.txt'))
  t.ok(projects.children.some(({ id, children }: any) => id === '/image/' && children.length === 0), 'empty folders stay')
  await printer.card.remove('/notes.txt')
  t.match((await http('GET', '/api/get_sdcard_contents', { printer: name, cached: true })).text, 'notes.txt')
  t.same((await http('POST', '/api/refresh_sdcard_contents', { printer: name })).body, { status: 'success' })
  t.notMatch((await http('GET', '/api/get_sdcard_contents', { printer: name, cached: true })).text, 'notes.txt')
  t.same((await tool('refresh_sdcard', { name, mode: '3mf' })).value, { success: true, mode: '3mf', printer: name })
  t.match((await tool('refresh_sdcard', { name, mode: 'all' })).value, { error: "Unknown mode 'all'. Must be 'full' or '3mf'." })
  t.match((await tool('list_sdcard_files', { name, path: '/cache/' })).failed, false)
  t.same((await tool('list_sdcard_files', { name, path: '/nix' })).value, { error: 'Path not found: /nix', path: '/nix' })
})

t.test('the state document shows the last listings, and notifications of it do not', async t => {
  const { http, kernel, printer, name } = await bootFiles(t)
  await printer.card.put('/notes.txt', 'n')
  await printer.card.put('/a.3mf', 'a')
  const documentOf = async () => (await http('GET', '/api/printer', { printer: name })).body
  t.match(await documentOf(), { _sdcard_contents: null, _sdcard_3mf_files: null }, 'none yet')
  const { body: all } = await http('GET', '/api/get_sdcard_contents', { printer: name })
  const { body: projects } = await http('GET', '/api/get_sdcard_3mf_files', { printer: name })
  const { _sdcard_contents: contents, _sdcard_3mf_files: files } = await documentOf()
  t.same(contents, all)
  t.same(files, projects)
  t.match((await http('GET', '/api/health_check', { printer: name })).body.printer, { _sdcard_contents: { id: '/' } })
  const session = kernel.printers.get(name)
  if (!session) throw new Error('no session')
  const { state } = kernel.services
  t.equal(state.document(session), state.document(session), 'the same object as long as nothing changes')
  t.match(state.withoutListings(session), { _sdcard_contents: null })
  await http('DELETE', '/api/delete_sdcard_file', { printer: name, file: '/notes.txt' })
  t.notMatch(JSON.stringify((await documentOf())._sdcard_contents), 'notes.txt', 'what is deleted is gone from it')
})

t.test('one entry, by path and by name', async t => {
  const { http, tool, printer, name } = await bootFiles(t)
  await printer.card.put('/model/x.3mf', 'xx')
  const entry = { id: '/model/x.3mf', name: 'x.3mf', size: 2 }
  t.match((await http('GET', '/api/find_3mf_by_id', { printer: name, id: '/model/x.3mf' })).body, { entry })
  t.match((await http('GET', '/api/find_3mf_by_name', { printer: name, name: 'x.3mf' })).body, { entry })
  t.same((await http('GET', '/api/find_3mf_by_name', { printer: name, name: 'X.3mf' })).body, { error: 'Not found: X.3mf' })
  t.match(await http('GET', '/api/find_3mf_by_id', { printer: name }), { status: 400, body: { reason: 'id parameter required' } })
  const root = { entry: { id: '/', name: '/' } }
  for (const [path, key] of [['find_3mf_by_id', 'id'], ['find_3mf_by_name', 'name']] as const) {
    t.match((await http('GET', `/api/${path}`, { printer: name, [key]: '/' })).body, root, 'the card itself')
  }
  t.match((await http('GET', '/api/get_file_info', { printer: name, file: 'x.3mf' })).body, { file: entry })
  t.match(await http('GET', '/api/get_file_info', { printer: name, file: '/y' }), { status: 404, body: { reason: 'File not found: /y' } })
  t.match((await tool('get_3mf_entry_by_id', { name, target_id: '/model/' })).value, { entry: { children: [entry] } })
  t.match((await tool('get_3mf_entry_by_name', { name, target_name: 'x.3mf' })).value, { entry })
  t.same((await tool('get_3mf_entry_by_name', { name, target_name: 'z' })).value, { error: 'Not found: z' })
  t.same((await tool('get_file_info', { name, file_path: 'z' })).value, { error: 'File not found: z' })
})

t.test('folders, names, deletion', async t => {
  const { http, tool, printer, name } = await bootFiles(t)
  const yes = { name, user_permission: true }
  t.match((await tool('create_folder', { name, path: '/jobs' })).value.error, /^Error: user_permission must be True/)
  t.match((await tool('create_folder', { ...yes, path: '/jobs/öl und "so"/' })).value.error, /holds one of/)
  t.match((await tool('create_folder', { ...yes, path: '/jobs/öl 🙂' })).value, { success: true, path: '/jobs/öl 🙂', contents: { id: '/' } })
  t.match((await http('POST', '/api/make_sdcard_directory', { printer: name, dir: 'jobs/öl 🙂' })).body, { id: '/' }, 'is there already')
  await printer.card.put('/jobs/öl 🙂/a.3mf', 'a')
  await http('POST', '/api/refresh_sdcard_contents', { printer: name })
  t.same((await tool('rename_sdcard_file', { ...yes, src_path: '/jobs/öl 🙂/a.3mf', dest_path: '/b.3mf' })).value,
    { success: true, src_path: '/jobs/öl 🙂/a.3mf', dest_path: '/b.3mf' })
  await printer.card.put('/c.3mf', 'c')
  t.match(await http('PATCH', '/api/rename_sdcard_file', { printer: name, src: '/c.3mf', dest: '/b.3mf' }),
    { status: 400, body: { reason: '/b.3mf already exists' } })
  t.match((await tool('delete_file', { ...yes, remote_path: '/b.3mf' })).value.success, true)
  const deleted = (await http('DELETE', '/api/delete_sdcard_file', { printer: name, file: '/jobs/' })).body
  t.notOk(deleted.children.some(({ id }: { id: string }) => id === '/jobs/' || id === '/b.3mf'))
  t.same((await printer.card.files()).filter(path => path.includes('3mf')), ['/c.3mf'])
  for (const file of [undefined, '/', '']) {
    t.match(await http('DELETE', '/api/delete_sdcard_file', { printer: name, ...(file !== undefined && { file }) }),
      { status: 400, body: { reason: 'file is required' } })
  }
  t.match(await http('DELETE', '/api/delete_sdcard_file', { printer: name, file: '/no' }), { status: 404 })
})

t.test('to the host, to the printer, and back', async t => {
  const { http, kernel, printer, name } = await bootFiles(t)
  const content = Buffer.alloc(300_000, 'prnd')
  const sent = await kernel.app.inject({ method: 'POST', url: '/api/upload_file_to_host', ...formOf('../../my part.3mf', content) })
  t.same(sent.json(), { status: 'success', filename: 'my part.3mf' })
  const put = await http('POST', '/api/upload_file_to_printer', { printer: name, src: 'my part.3mf', dest: '/cache/my part.3mf' })
  t.match(put.body, { id: '/' })
  t.same(await printer.card.get('/cache/my part.3mf'), content)
  const got = await kernel.app.inject({ method: 'GET', url: '/api/download_file_from_printer', query: { printer: name, src: '/cache/my part.3mf' } })
  t.equal(got.statusCode, 200)
  t.equal(got.headers['content-length'], '300000')
  t.match(got.headers['content-disposition'], 'filename="my part.3mf"')
  t.ok(got.rawPayload.equals(content))
  for (const src of ['/', '../x', '/cache/../x', '/cache/', '/cache/.', '']) {
    t.match(await http('GET', '/api/download_file_from_printer', { printer: name, src }), { status: 400, body: { reason: 'invalid src filename' } })
    t.match(await http('POST', '/api/upload_file_to_printer', { printer: name, src, dest: '/x' }), { status: 400, body: { reason: 'invalid src filename' } })
  }
  t.match(await http('GET', '/api/download_file_from_printer', { printer: name, src: '/no.3mf' }), { status: 404, body: { reason: 'File not found: /no.3mf' } })
  t.match(await http('POST', '/api/upload_file_to_printer', { printer: name, src: 'no.3mf', dest: '/x' }), { status: 404, body: { reason: 'File not found: no.3mf' } })
  const { transfers } = (await http('GET', '/api/file_transfers', { printer: name })).body
  t.match(transfers, [
    { direction: 'download', status: 'done', bytes: 300_000 }, { direction: 'upload', status: 'done', bytes: 300_000, total: 300_000 }
  ])
})

t.test('a caller that hangs up once it has all bytes has downloaded the file', async t => {
  const { kernel, printer, name, http } = await bootFiles(t, { listen: true })
  await printer.card.put('/a.3mf', Buffer.alloc(300_000, 'prnd'))
  const latest = async () => (await http('GET', '/api/file_transfers', { printer: name })).body.transfers[0]
  const take = (enough: number) => new Promise<void>((resolve, reject) => {
    get(`http://127.0.0.1:${kernel.apiPort}/api/download_file_from_printer?printer=${name}&src=/a.3mf`, reply => {
      if (reply.statusCode !== 200) reject(new Error(`answered with ${reply.statusCode}`))
      let count = 0
      reply.on('error', () => {}).on('data', (chunk: Buffer) => {
        if ((count += chunk.length) < enough) return
        reply.destroy()
        resolve()
      })
    }).once('error', reject)
  })
  printer.card.bytesPerSecond = 100_000
  await take(1)
  await eventually(async () => (await latest()).status !== 'running')
  t.match(await latest(), { status: 'cancelled', total: 300_000 }, 'one that hangs up before has not')
  printer.card.bytesPerSecond = Infinity
  printer.card.fault({ command: 'RETR', delayMs: 60_000 }) // the server's last word
  await eventually(() => take(300_000).then(() => true)) // the server may not have noticed yet that the first one left
  await eventually(async () => (await latest()).status !== 'running')
  t.match(await latest(), { status: 'done', bytes: 300_000, total: 300_000 })
  t.notOk('error' in await latest())
})

t.test('a cancelled upload tells its caller so', async t => {
  const { kernel, http, printer, name } = await bootFiles(t)
  await kernel.app.inject({ method: 'POST', url: '/api/upload_file_to_host', ...formOf('a.3mf', Buffer.alloc(500_000)) })
  printer.card.bytesPerSecond = 50_000
  const running = async () => (await http('GET', '/api/file_transfers', { printer: name })).body.transfers
    .find(({ status }: { status: string }) => status === 'running')
  const upload = http('POST', '/api/upload_file_to_printer', { printer: name, src: 'a.3mf', dest: '/a.3mf' })
  await eventually(async () => (await running())?.bytes > 0)
  await http('DELETE', '/api/file_transfers', { id: (await running()).id })
  t.match(await upload, { status: 409, body: { reason: 'The transfer was cancelled', error: 'transfer_cancelled' } })
})

t.test('an upload makes the folders that are missing', async t => {
  const { kernel, http, printer, name } = await bootFiles(t)
  await kernel.app.inject({ method: 'POST', url: '/api/upload_file_to_host', ...formOf('a.3mf', 'content') })
  const put = (dest: string) => http('POST', '/api/upload_file_to_printer', { printer: name, src: 'a.3mf', dest })
  t.match(await put('/jobs/today/a.3mf'), { status: 200, body: { id: '/' } })
  t.equal(String(await printer.card.get('/jobs/today/a.3mf')), 'content')
  t.match(await put('/jobs/today/.part.3mf'), { status: 200 })
  t.match((await http('GET', '/api/get_file_info', { printer: name, file: '/jobs/today/.part.3mf' })).body, { file: { size: 7 } }, 'listed')
  t.match(await put('/jobs/today'), { status: 400, body: { reason: /^\/jobs\/today is a folder on the card: name the file in it too/ } })
  t.match(await put('/jobs/today/a.3mf/b.3mf'), { status: 400, body: { reason: /^\/jobs\/today\/a\.3mf is a file on the card/ } })
})

t.test('files of any name are sent', async t => {
  const { kernel, printer, name } = await bootFiles(t)
  const src = '/cache/so "a" : *?.3mf'
  await printer.card.put(src, 'odd')
  const got = await kernel.app.inject({ method: 'GET', url: '/api/download_file_from_printer', query: { printer: name, src } })
  t.equal(got.statusCode, 200, got.payload)
  t.equal(got.payload, 'odd')
  t.match(got.headers['content-disposition'], 'filename="so _a_ : *?.3mf"; filename*=UTF-8\'\'so%20%22a%22%20%3A%20%2a%3F.3mf')
})

t.test('what cannot be taken from a browser', async t => {
  const dataDir = testFolder(t)
  const { kernel } = await bootFiles(t, { config: { dataDir, plugins: { files: { uploadMiB: 1 } } } })
  const post = async (form: object, method: 'POST' | 'GET' = 'POST') =>
    await kernel.app.inject({ method, url: '/api/upload_file_to_host', ...form })
  t.match((await post(formOf('big.3mf', Buffer.alloc(1024 ** 2 + 1)))).statusCode, 413)
  for (const name of ['..', '.', '', ' ', 'a:b', 'x'.repeat(256)]) {
    t.match((await post(formOf(name, 'x'))).json(), { reason: /invalid filename|no file in request/ }, name)
  }
  t.match((await post(formOf('a.3mf', 'x', 'other'))).json(), { reason: 'no file in request' })
  t.match((await post({}, 'GET')).json(), { status: 'error', reason: 'no file in request' })
  t.match((await post({ payload: { a: 1 } })).statusCode, 400)
  t.match((await post({ payload: 'abc', headers: { 'content-type': 'nonsense' } })).json(),
    { error: 'unsupported_media_type', reason: 'The content type of the body must be one of: multipart/form-data' })
  for (const type of ['application/octet-stream', 'text/plain', 'application/x-3mf', 'application/x-www-form-urlencoded']) {
    const answer = await post({ payload: 'abc', headers: { 'content-type': type } })
    t.equal(answer.statusCode, 400, type)
    t.match(answer.json(), { reason: 'no file in request', detail: /multipart\/form-data, in the field myFile/ })
  }
  for (const [type, payload] of [['multipart/form-data', 'abc'], ['multipart/form-data; boundary=x', '--x\r\nabc']] as const) {
    const answer = await post({ payload, headers: { 'content-type': type } })
    t.equal(answer.statusCode, 400, type)
    t.match(answer.json(), { detail: /in the field myFile/ })
  }
  t.same(await readdir(join(dataDir, 'uploads')).catch(() => []), [], 'no parts are left')
})

t.test('host paths of tools are limited', async t => {
  const folder = testFolder(t, { allowed: {}, secret: 'key' })
  const allowed = join(folder, 'allowed')
  const { tool, printer, name } = await bootFiles(t, { config: { dataDir: join(folder, 'data'), plugins: { files: { hostFolders: [allowed] } } } })
  const yes = { name, user_permission: true }
  await writeFile(join(allowed, 'up.3mf'), 'up')
  await symlink(join(folder, 'secret'), join(allowed, 'link'))
  await mkdir(join(allowed, 'sub'))
  t.match((await tool('upload_file', { ...yes, local_path: join(allowed, 'up.3mf'), remote_path: '/up.3mf' })).value,
    { success: true, remote_path: '/up.3mf', contents: { id: '/' } })
  const down = join(allowed, 'sub', 'down.3mf')
  t.match((await tool('download_file', { ...yes, remote_path: '/up.3mf', local_path: down })).value, { success: true, local_path: down })
  t.equal(await readFile(down, 'utf8'), 'up')
  for (const path of [join(folder, 'secret'), join(allowed, 'link'), join(allowed, '..', 'secret'), '/etc/passwd', '/etc/nothing']) {
    t.match((await tool('upload_file', { ...yes, local_path: path, remote_path: '/s' })).value.error, /is outside the folders/, path)
    t.match((await tool('download_file', { ...yes, remote_path: '/up.3mf', local_path: path })).value.error, /is outside the folders/, path)
  }
  t.equal(await readFile(join(folder, 'secret'), 'utf8'), 'key')
  t.match((await tool('download_file', { ...yes, remote_path: '/no', local_path: down })).value.error, 'File not found: /no')
  t.equal(await readFile(down, 'utf8'), 'up')
  t.match((await tool('upload_file', { ...yes, local_path: join(allowed, 'no'), remote_path: '/s' })).value.error, /^File not found/)
  t.same((await printer.card.files()).filter(path => path === '/s'), [])
})

t.test('a card that fails: words of each interface, and the session lives on', async t => {
  const { http, tool, printer, name, kernel } = await bootFiles(t)
  const yes = { name, user_permission: true }
  await http('POST', '/api/refresh_sdcard_contents', { printer: name })
  printer.card.fault({ command: 'LIST', reply: '522 SSL connection failed: session reuse required' })
  t.match(await http('GET', '/api/get_sdcard_contents', { printer: name }), { status: 502, body: { status: 'error', reason: 'SD card listing failed' } })
  t.equal((await http('GET', '/api/get_sdcard_contents', { printer: name, cached: true })).text, 'null', 'what is not known is not told')
  t.match((await tool('list_sdcard_files', { name })).value, { error: 'Failed to retrieve SD card contents' })
  t.match((await tool('create_folder', { ...yes, path: '/x' })).value, { success: true, contents: null }, 'made, though not listed')
  printer.card.clearFaults()
  printer.card.readOnly = true
  t.match((await tool('create_folder', { ...yes, path: '/y' })).value.error, /^Error creating folder on 'x1c': /)
  t.match(await http('POST', '/api/make_sdcard_directory', { printer: name, dir: '/y' }), { status: 502, body: { reason: /^folder creation failed: / } })
  printer.card.eject()
  await eventually(() => kernel.printers.get(name)?.state?.device.storage === false)
  t.match((await tool('list_sdcard_files', { name })).value, { error: 'Failed to retrieve SD card contents', detail: /no SD card/ })
  printer.card.fault({ command: 'CONNECT', resets: true })
  t.match((await http('GET', '/api/get_sdcard_contents', { printer: name })).status, 502)
  t.equal(kernel.printers.get(name)?.service, 'CONNECTED')
  t.equal(kernel.printers.get(name)?.live, true)
})

t.test('paths that lead elsewhere or break lines are refused before anything is sent', async t => {
  const { http, printer, name } = await bootFiles(t)
  for (const bad of ['/../x', '/a\r\nDELE /b', '/a\0b', '/a/../../b', `/${'x'.repeat(256)}`, '/a\ud800']) {
    t.match((await http('POST', '/api/make_sdcard_directory', { printer: name, dir: bad })).status, 400, JSON.stringify(bad))
    t.match((await http('PATCH', '/api/rename_sdcard_file', { printer: name, src: '/verify_job', dest: bad })).status, 400)
  }
  t.ok((await printer.card.files()).includes('/verify_job'))
  const longest = `/${'ü'.repeat(127)}x`
  t.match((await http('POST', '/api/make_sdcard_directory', { printer: name, dir: longest })).body, { id: '/' }, '255 bytes')
})

t.test('progress, live messages, and a cancelled transfer', async t => {
  const folder = testFolder(t, { 'big.3mf': 'x'.repeat(2_000_000) })
  const { client, http, printer, name, kernel } = await bootFiles(t, {
    config: { dataDir: join(folder, 'data'), plugins: { files: { hostFolders: [folder] } } }
  })
  const told: number[] = []
  const args = { name, user_permission: true, local_path: join(folder, 'big.3mf'), remote_path: '/big.3mf' }
  printer.card.bytesPerSecond = 2_000_000
  await client.callTool({ name: 'upload_file', arguments: args }, undefined, { onprogress: ({ progress }) => { told.push(progress) } })
  t.ok(told.length > 1, `${told.length} reports`)
  t.same(told, [...told].sort((a, b) => a - b), 'growing')
  t.equal(told.at(-1), 2_000_000)
  printer.card.bytesPerSecond = 100_000
  const statuses: string[] = []
  t.teardown(kernel.services.files.transfers.watch(({ status }) => statuses.push(status)))
  const upload = http('POST', '/api/make_sdcard_directory', { printer: name, dir: '/d' })
    .then(async () => await client.callTool({ name: 'upload_file', arguments: { ...args, remote_path: '/slow.3mf' } }))
  const running = async () => (await http('GET', '/api/file_transfers', { printer: name })).body.transfers
    .find(({ status }: { status: string }) => status === 'running')
  await eventually(async () => (await running())?.bytes > 0)
  t.match(await http('DELETE', '/api/file_transfers', { id: (await running()).id }), { status: 200 })
  t.match(await upload, { isError: true })
  t.match((await http('GET', '/api/file_transfers')).body.transfers[0], { status: 'cancelled', path: '/slow.3mf' })
  t.equal(statuses.at(-1), 'cancelled')
  t.notOk((await printer.card.files()).includes('/slow.3mf'), 'nothing of it stays')
  t.match(await http('DELETE', '/api/file_transfers', { id: 'x' }), { status: 404 })
})
