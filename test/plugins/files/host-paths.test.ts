import { chmod, link, mkdir, readFile, readdir, rename, stat, symlink, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { createHostPaths } from '../../../plugins/files/host-paths.js'
import { createQuota } from '../../../plugins/files/quota.js'
import { replaceFile } from '../../../plugins/files/replace-file.js'
import { testFolder } from '../../helpers/folder.js'
import { bootApp } from '../../presets/standalone/boot.js'
import { bootFiles, formOf } from './boot-files.js'

const OUTSIDE = { code: 'PRN_ERR_HOST_PATH_REFUSED' }
const CLOSED = { code: 'PRN_ERR_HOST_PATH_CLOSED' }

t.test('without a configuration only the folder made for it: not the program, not the home, not the current folder', async t => {
  const { tool, kernel, name } = await bootFiles(t, { models: ['X1C'] })
  const yes = { name, user_permission: true }
  await writeFile(join(kernel.dataDir, 'files', 'up.3mf'), 'up')
  t.match((await tool('upload_file', { ...yes, local_path: 'up.3mf', remote_path: '/up.3mf' })).value, { success: true })
  for (const path of [
    join(process.cwd(), 'package.json'), join(process.cwd(), 'replaced.js'), join(homedir(), 'Downloads', 'x.3mf'),
    join(homedir(), '.bashrc'), join(homedir(), '.ssh', 'authorized_keys'), '/etc/passwd', '../secrets/printers.json',
    join(kernel.dataDir, 'secrets', 'printers.json'), kernel.configFile, join(kernel.dataDir, 'certificates.json')
  ]) {
    t.match((await tool('download_file', { ...yes, remote_path: '/up.3mf', local_path: path })).value.error, /outside the folders|hidden file/, path)
    t.match((await tool('upload_file', { ...yes, local_path: path, remote_path: '/s' })).value.error, /outside the folders|hidden file/, path)
  }
  const back = await tool('download_file', { ...yes, remote_path: '/up.3mf', local_path: 'back.3mf' })
  t.match(back.value, { success: true })
  t.equal(await readFile(join(kernel.dataDir, 'files', 'back.3mf'), 'utf8'), 'up')
  t.same((await readdir(join(kernel.dataDir, 'files'))).sort(), ['back.3mf', 'up.3mf'], 'no parts are left')
})

t.test('a folder of the configuration opens neither the service nor what is hidden in it', async t => {
  const root = testFolder(t)
  for (const path of ['data/files/.hidden', 'data/secrets', 'config', 'program/dist', 'prints/sub', '.ssh', 'node_modules/prnd']) {
    await mkdir(join(root, path), { recursive: true })
  }
  const paths = createHostPaths({
    own: join(root, 'data', 'files'),
    open: [root],
    closed: [join(root, 'data'), join(root, 'config'), join(root, 'program'), join(root, 'log.txt')]
  })
  for (const good of ['prints/a.3mf', 'prints/sub/b.3mf', 'data/files/c.3mf']) {
    t.equal(await paths.target(join(root, good)), join(root, good))
  }
  t.equal(await paths.target('c.3mf'), join(root, 'data/files/c.3mf'), 'without a folder')
  for (const bad of [
    'data/x', 'data/secrets/printers.json', 'config/config.json', 'program/dist/main.js', 'log.txt', '.bashrc',
    '.ssh/authorized_keys', 'prints/.env', 'data/files/.hidden/x', 'node_modules/prnd/index.js'
  ]) {
    await t.rejects(paths.target(join(root, bad)), CLOSED, bad)
    await t.rejects(paths.source(join(root, bad)), CLOSED, bad)
  }
  await t.rejects(paths.target('/etc/passwd'), OUTSIDE)
  await symlink(join(root, 'config'), join(root, 'prints', 'link'))
  await symlink(join(root, '.ssh'), join(root, 'prints', 'keys'))
  await t.rejects(paths.target(join(root, 'prints/link/config.json')), CLOSED, 'by a link')
  await t.rejects(paths.target(join(root, 'prints/keys/authorized_keys')), CLOSED, 'by a link')
  await symlink('/etc', join(root, 'prints', 'out'))
  await t.rejects(paths.source(join(root, 'prints/out/passwd')), OUTSIDE)
})

t.test('nothing that can be run is overwritten, nor what has a second name', async t => {
  const root = testFolder(t)
  const paths = createHostPaths({ own: root, open: [], closed: [] })
  await writeFile(join(root, 'run.sh'), '#!/bin/sh')
  await chmod(join(root, 'run.sh'), 0o755)
  await writeFile(join(root, 'twice'), '')
  await link(join(root, 'twice'), join(root, 'other'))
  await t.rejects(paths.target('run.sh'), { code: 'PRN_ERR_BAD_INPUT', message: /is executable/ })
  await t.rejects(paths.target('twice'), { message: /second name/ })
})

t.test('a file is replaced once the new one is whole, and no link is followed', async t => {
  const root = testFolder(t)
  const victim = join(root, 'victim')
  const path = join(root, 'a.3mf')
  await writeFile(victim, 'untouched')
  await writeFile(path, 'old')
  const write = (text: string) => async (sink: () => NodeJS.WritableStream) => {
    const stream = sink()
    await new Promise<void>((resolve, reject) => { stream.once('close', resolve).once('error', reject).end(text) })
  }
  await t.rejects(replaceFile(path, async sink => {
    await write('half')(sink)
    throw new Error('broke off')
  }))
  t.equal(await readFile(path, 'utf8'), 'old', 'what failed leaves the old one')
  await replaceFile(path, async sink => {
    await write('first try')(sink)
    await write('new')(sink)
  })
  t.equal(await readFile(path, 'utf8'), 'new')
  await symlink(victim, join(root, 'link'))
  await t.rejects(replaceFile(join(root, 'link'), write('x')), { code: 'PRN_ERR_NOT_A_FILE' })
  await mkdir(join(root, 'real'))
  await symlink(join(root, 'real'), join(root, 'folder'))
  await t.rejects(replaceFile(join(root, 'folder', 'x'), write('x')), OUTSIDE)
  t.equal(await readFile(victim, 'utf8'), 'untouched')
  t.same(await readdir(join(root, 'real')), [])
  t.same((await readdir(root)).sort(), ['a.3mf', 'folder', 'link', 'real', 'victim'])
})

t.test('the quota counts what is there, what is on its way, and not what is replaced', async t => {
  const root = testFolder(t)
  await writeFile(join(root, 'a'), 'x'.repeat(60))
  const quota = createQuota(async () => root, 100)
  const [one, two] = await Promise.all([quota.reserve('b'), quota.reserve('c')])
  one.take(30)
  t.throws(() => two.take(20), { code: 'PRN_ERR_UPLOADS_FULL', statusCode: 507 })
  await writeFile(join(root, 'b'), 'x'.repeat(30))
  one.end()
  t.throws(() => two.take(20), { code: 'PRN_ERR_UPLOADS_FULL' }, 'now it is there')
  two.take(10)
  two.end()
  const again = await quota.reserve('a')
  again.take(70)
  t.throws(() => again.take(1), { message: /The uploads folder is limited to .* raise plugins.files.uploadsMiB/ })
})

t.test('a full uploads folder says so, and stays as it is', async t => {
  const dataDir = testFolder(t)
  const { kernel } = await bootFiles(t, { models: [], config: { dataDir, plugins: { files: { uploadsMiB: 1 } } } })
  const post = async (name: string, kib: number) =>
    await kernel.app.inject({ method: 'POST', url: '/api/upload_file_to_host', ...formOf(name, Buffer.alloc(kib * 1024)) })
  t.equal((await post('a.3mf', 700)).statusCode, 200)
  const full = await post('b.3mf', 700)
  t.equal(full.statusCode, 507)
  t.match(full.json(), { error: 'uploads_full', reason: /limited to 1 MiB.*plugins\.files\.uploadsMiB/ })
  t.equal((await post('a.3mf', 900)).statusCode, 200, 'in place of itself it fits')
  t.same(await readdir(join(dataDir, 'uploads')), ['a.3mf'])
})

t.test('an upload that was meant as a trial is not stored, wherever the form says so', async t => {
  const dataDir = testFolder(t)
  const { kernel } = await bootFiles(t, { models: [], config: { dataDir } })
  const field = (value: string) => `--x\r\ncontent-disposition: form-data; name="dry_run"\r\n\r\n${value}\r\n`
  const file = '--x\r\ncontent-disposition: form-data; name="myFile"; filename="a.3mf"\r\n\r\nplate\r\n'
  const post = async (parts: string) => (await kernel.app.inject({
    method: 'POST', url: '/api/upload_file_to_host', headers: { 'content-type': 'multipart/form-data; boundary=x' }, payload: `${parts}--x--\r\n`
  })).json() as object
  for (const parts of [field('true') + file, file + field('true'), file + field('')]) {
    t.match(await post(parts), { error: 'bad_input', reason: /has no dry run/ })
  }
  t.same(await readdir(join(dataDir, 'uploads')).catch(() => []), [])
  t.match(await post(field('false') + file), { status: 'success', filename: 'a.3mf' })
  t.same(await readdir(join(dataDir, 'uploads')), ['a.3mf'])
})

t.test('the standalone application keeps no copy beyond the quota', async t => {
  const dataDir = testFolder(t)
  const { get, kernel } = await bootApp(t, { config: { dataDir, plugins: { files: { uploadsMiB: 1 } } } })
  const uploads = join(dataDir, 'uploads')
  await mkdir(uploads, { recursive: true })
  await writeFile(join(uploads, 'large'), Buffer.alloc(1024 ** 2))
  const session = kernel.printers.sessions[0]
  const [file] = session ? (await kernel.services.files.list(session)).filter(({ isFolder }) => !isFolder) : []
  t.match((await get('download_file_from_printer', { src: file?.path ?? '' })).body, { message: /The uploads folder is limited to 1 MiB/ })
  t.same(await readdir(uploads), ['large'])
  await rename(join(uploads, 'large'), join(dataDir, 'large'))
  t.equal((await get('download_file_from_printer', { src: file?.path ?? '' })).status, 200)
  t.equal((await stat(join(uploads, file?.name ?? ''))).size, file?.size)
})
