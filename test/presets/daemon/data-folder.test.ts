import { execFileSync } from 'node:child_process'
import { lstat, mkdir, readdir, readFile, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import t, { type Test } from 'tap'
import { createKernel, readConfig } from '../../../core/index.js'
import { backup, restore } from '../../../presets/cli/commands/backup.js'
import daemon from '../../../presets/daemon/index.js'
import { ask } from '../../../presets/testing/http-request.js'
import { openLogFile } from '../../../core/kernel/log-file.js'
import { boot } from '../../helpers/boot.js'
import { findProgram } from '../../helpers/programs.js'
import { testFolder } from '../../helpers/folder.js'

// What is not ours must survive whatever it is put in place of a file of ours, and no start may wait for a pipe.

const VICTIM = 'root:x:0:0:root:/root:/bin/bash\n'
const mkfifo = findProgram('mkfifo')
const withoutPipes = mkfifo === undefined ? 'needs mkfifo' : false
const makePipe = (path: string) => execFileSync(mkfifo ?? '', [path])

t.context = { log: console.log, error: console.error }
console.log = () => {}
console.error = () => {}
t.teardown(() => Object.assign(console, t.context))

/** Runs a service once, so that every file of its data folder is there, and stops it. */
async function ranOnce (t: Test) {
  const folder = testFolder(t)
  const dataDir = join(folder, 'data')
  const config = { dataDir, log: {}, plugins: { health: {}, relay: false } }
  const { http, printer, close } = await boot(t, { config, listen: true })
  await http('PATCH', '/api/user_prefs', { theme: 'dark' })
  t.ok(printer.serial)
  await close()
  const files = (await readdir(dataDir, { recursive: true, withFileTypes: true }))
    .filter(entry => entry.isFile()).map(entry => relative(dataDir, join(entry.parentPath, entry.name)))
  return { folder, dataDir, config, files: [...new Set([...files, 'service.json', 'user_prefs.json', 'secrets/printers.json'])].sort() }
}
type Place = Awaited<ReturnType<typeof ranOnce>>

const CODES = new Set(['PRN_ERR_CONFIG', 'PRN_ERR_NOT_A_FILE', 'PRN_ERR_PLUGIN_SETUP', 'PRN_ERR_LINK_LEADS_OUT'])

/** Starts and stops it. @returns what a start that ended said */
async function start ({ dataDir, config }: Place): Promise<{ code: string, message: string } | undefined> {
  const kernel = await createKernel(daemon, { printers: [], ...config, dataDir }, {
    configFile: join(dataDir, 'config.json'), warn: () => {}, logEcho: process.stdout
  }).catch((error: unknown) => error as Error & { code: string })
  if (kernel instanceof Error) return kernel
  try {
    await kernel.start({ listen: true })
    await ask(kernel, 'GET', '/api/dump_log')
    return undefined
  } catch (error) {
    return error as Error & { code: string }
  } finally {
    await kernel.close()
  }
}

/** Puts something in place of each file in turn, and the file back afterwards. */
async function inPlaceOfEach (t: Test, place: Place, put: (path: string) => Promise<void>,
  check: (file: string, path: string) => Promise<void>): Promise<void> {
  for (const file of place.files) {
    const path = join(place.dataDir, file)
    await mkdir(dirname(path), { recursive: true })
    const kept = await rename(path, `${place.folder}/kept`).then(() => true, () => false)
    await put(path)
    const said = await start(place)
    if (said !== undefined) {
      t.ok(CODES.has(said.code), `${file}: ${said.code} ${said.message}`)
      t.match(said.message, file.split('/').at(-1) ?? '', `${file} is named`)
    }
    await check(file, path)
    await rm(path, { recursive: true, force: true })
    if (kept) await rename(`${place.folder}/kept`, path)
  }
}

t.test('a link in place of a file of ours leaves what it leads to as it was', async t => {
  const place = await ranOnce(t)
  const victim = join(place.folder, 'victim')
  await writeFile(victim, VICTIM)
  await inPlaceOfEach(t, place, path => symlink(victim, path), async (file, path) => {
    t.equal(await readFile(victim, 'utf8'), VICTIM, `${file}: the other file is as it was`)
    t.ok((await lstat(path)).isSymbolicLink(), `${file}: the link stays`)
  })
})

t.test('a link to nowhere makes nothing there', async t => {
  const place = await ranOnce(t)
  const nowhere = join(place.folder, 'nowhere')
  await inPlaceOfEach(t, place, path => symlink(nowhere, path), async file => {
    await t.rejects(lstat(nowhere), { code: 'ENOENT' }, file)
  })
})

t.test('a pipe in place of a file of ours is not waited for and not replaced', { skip: withoutPipes }, async t => {
  const place = await ranOnce(t)
  await inPlaceOfEach(t, place, async path => { makePipe(path) }, async (file, path) => {
    t.ok((await lstat(path)).isFIFO(), `${file}: the pipe stays`)
  })
})

t.test('a file that is not one of ours is set aside, and never emptied', async t => {
  const place = await ranOnce(t)
  for (const file of place.files.filter(name => name.endsWith('.json'))) {
    const path = join(place.dataDir, file)
    await writeFile(path, VICTIM)
    await start(place)
    const names = await readdir(dirname(path))
    const texts = await Promise.all(names.filter(name => join(dirname(path), name).startsWith(path))
      .map(name => readFile(join(dirname(path), name), 'utf8')))
    t.ok(texts.includes(VICTIM), `${file} is kept under another name`)
    for (const name of names.filter(name => name.includes('.damaged-'))) await unlink(join(dirname(path), name))
    await rm(path, { force: true })
  }
})

t.test('folders of ours that links lead out of the data folder to are not used', async t => {
  const place = await ranOnce(t)
  const elsewhere = testFolder(t, { 'printers.json': VICTIM, 'prnd.sqlite': VICTIM, 'journal.json': VICTIM })
  const before = await lstat(elsewhere)
  for (const name of ['secrets', 'plugins', 'plugins/database']) {
    const path = join(place.dataDir, name)
    await rename(path, join(place.folder, 'kept'))
    await symlink(elsewhere, path)
    t.match(await start(place), { message: /is a link that leads out of the data folder/ }, name)
    await unlink(path)
    await rename(join(place.folder, 'kept'), path)
  }
  t.same((await readdir(elsewhere)).sort(), ['journal.json', 'printers.json', 'prnd.sqlite'])
  t.equal((await lstat(elsewhere)).mode, before.mode)
})

t.test('a data folder and recordings may lie elsewhere', async t => {
  const place = await ranOnce(t)
  const elsewhere = testFolder(t)
  await rename(place.dataDir, join(place.folder, 'real'))
  await symlink(join(place.folder, 'real'), place.dataDir)
  await rm(join(place.dataDir, 'recordings'), { recursive: true })
  await symlink(elsewhere, join(place.dataDir, 'recordings'))
  t.equal(await start(place), undefined)
})

async function configured (t: Test) {
  const folder = testFolder(t, { 'config.json': JSON.stringify({ dataDir: 'data', printers: [] }) })
  return { folder, file: join(folder, 'config.json'), dataDir: join(folder, 'data'), to: join(folder, 'prnd.backup') }
}

t.test('a backup replaces files only', async t => {
  const { folder, file, to } = await configured(t)
  const victim = join(folder, 'victim')
  await writeFile(victim, VICTIM)
  const others: Record<string, (path: string) => Promise<unknown>> = {
    'a link': path => symlink(victim, path),
    'a folder': path => mkdir(path),
    ...(mkfifo && { 'a pipe': async path => makePipe(path) })
  }
  for (const [what, put] of Object.entries(others)) {
    await put(to)
    await t.rejects(backup(to, { config: file, force: true }), { code: 'PRN_ERR_NOT_A_FILE', message: new RegExp(what) })
    await t.rejects(backup(to, { config: file }), { code: 'PRN_ERR_BACKUP_EXISTS' })
    t.notOk((await lstat(to)).isFile(), what)
    await rm(to, { recursive: true })
    await put(`${to}.part`)
    await backup(to, { config: file, force: true })
    await rm(`${to}.part`, { recursive: true })
    await rm(to)
  }
  t.equal(await readFile(victim, 'utf8'), VICTIM)
  await t.rejects(backup('/dev/null', { config: file, force: true }), { code: 'PRN_ERR_NOT_A_FILE', message: /a device/ })
})

t.test('a restore writes through no link and into no pipe', async t => {
  const here = await configured(t)
  await mkdir(here.dataDir)
  await writeFile(join(here.dataDir, 'user_prefs.json'), JSON.stringify({ theme: 'dark' }))
  await backup(here.to, { config: here.file })
  const victim = join(here.folder, 'victim')
  await writeFile(victim, VICTIM)
  const prefs = join(here.dataDir, 'user_prefs.json')
  for (const put of [() => symlink(victim, prefs), ...(mkfifo ? [async () => makePipe(prefs)] : [])]) {
    await unlink(prefs)
    await put()
    await t.rejects(restore(here.to, { config: here.file }), { code: 'PRN_ERR_NOT_A_FILE', message: /user_prefs\.json/ })
  }
  t.equal(await readFile(victim, 'utf8'), VICTIM)
  if (mkfifo) {
    const pipe = join(here.folder, 'pipe')
    makePipe(pipe)
    await t.rejects(restore(pipe, { config: here.file }), { code: 'PRN_ERR_NOT_A_FILE', message: /a pipe/ })
  }
})

t.test('the log rotates over files only, and is never emptied through a link', async t => {
  const folder = testFolder(t, { victim: VICTIM })
  const [victim, path] = [join(folder, 'victim'), join(folder, 'prnd.log')]
  const line = `${'x'.repeat(99)}\n`
  const fill = async (warn: (text: string) => void = () => {}) => {
    const file = openLogFile(path, { mostBytes: 200, retryMs: 0, warn })
    for (let at = 0; at < 10; at++) file.write(line)
    await file.truncate()
    await file.close()
  }
  await symlink('/dev/null', path)
  await fill(text => t.fail(text))
  t.ok((await lstat(path)).isSymbolicLink(), 'a device stays')
  t.notOk((await readdir(folder)).includes('prnd.log.1'))
  await unlink(path)

  await symlink(victim, path)
  const said: string[] = []
  await fill(text => said.push(text))
  t.match(said, [/prnd\.log is a link to another file\. Name that file itself as log\.file/])
  t.equal(await readFile(victim, 'utf8'), VICTIM)
  await unlink(path)

  await symlink(victim, `${path}.1`)
  await fill()
  t.ok((await lstat(`${path}.1`)).isSymbolicLink(), 'the older name, too')
  t.equal(await readFile(victim, 'utf8'), VICTIM)
})

t.test('a configuration that holds no settings ends the start with words, and no code is lost', async t => {
  for (const [text, kind] of Object.entries({ null: 'null', '[]': 'a list', '"x"': 'a string', 5: 'a number', true: 'a boolean' })) {
    const { file } = await configured(t)
    await writeFile(file, text)
    await t.rejects(readConfig(file), { code: 'PRN_ERR_CONFIG', message: new RegExp(`must hold an object.*holds ${kind}$`) })
    t.equal(await readFile(file, 'utf8'), text)
  }
})

t.test('a pipe that the configuration names ends the start with words', { skip: withoutPipes }, async t => {
  const folder = testFolder(t)
  const pipe = join(folder, 'pipe')
  makePipe(pipe)
  const printer = { name: 'a', host: '127.0.0.1', serial: 'S1', accessCode: 'x' }
  for (const config of [
    { printers: [{ ...printer, accessCode: { file: pipe } }] },
    { printers: [{ ...printer, tls: { mode: 'ca', ca: pipe } }] },
    { plugins: { homeassistant: { broker: 'mqtts://127.0.0.1:1', ca: pipe } } }
  ]) {
    const said = await start({ folder, dataDir: join(folder, 'data'), config, files: [] } as never)
      .catch((error: Error) => error)
    t.match(said, { message: /pipe' is a pipe, where a file is expected/ }, JSON.stringify(config))
  }
})
