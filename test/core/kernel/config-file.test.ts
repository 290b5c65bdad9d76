import { execFileSync } from 'node:child_process'
import { chmod, readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import t, { type Test } from 'tap'
import { configPath, defaultDataDir, editConfig, readConfig } from '../../../core/kernel/config-file.js'
import { openSecrets } from '../../../core/kernel/secrets.js'
import { findProgram } from '../../helpers/programs.js'
import { testFolder } from '../../helpers/folder.js'

const PRINTER = { name: 'a1', host: '192.0.2.1', serial: '03000a000000001', accessCode: '12345678' }

/** A folder with a configuration file and a data folder. */
async function place (t: Test, content: unknown) {
  const folder = testFolder(t)
  const path = join(folder, 'config.json')
  const data = join(folder, 'data')
  const text = typeof content === 'string' ? content : JSON.stringify(content)
  await writeFile(path, text, { mode: 0o644 })
  const warnings: string[] = []
  const warn = (text: string) => { warnings.push(text) }
  const read = (env = {}) => readConfig(path, { env: { PRN_DATA_DIR: data, ...env }, warn })
  const secrets = async () => (await openSecrets(data, () => {})).get().accessCodes
  return { folder, path, data, warnings, read, secrets, text: () => readFile(path, 'utf8') }
}

const modeOf = async (path: string) => (await stat(path)).mode & 0o777

t.test('the file is the one named, else PRN_CONFIG, else that of the platform', async t => {
  t.equal(configPath('x.json', { PRN_CONFIG: '/y.json' }), resolve('x.json'))
  t.equal(configPath(undefined, { PRN_CONFIG: '/y.json' }), resolve('/y.json'))
  t.match(configPath(undefined, {}), /prnd.*config\.json$/)
  t.match(configPath(undefined, { PRN_CONFIG: '' }), /prnd.*config\.json$/)
  t.equal(defaultDataDir({ PRN_DATA_DIR: '/d' }), '/d')
  t.match(defaultDataDir({}), /prnd/)
})

t.test('a file that was named must exist; the usual one need not', async t => {
  const missing = join(testFolder(t), 'none.json')
  await t.rejects(readConfig(missing, { env: {} }), { code: 'PRN_ERR_CONFIG', message: `there is no file ${missing}` })
  await t.rejects(readConfig(undefined, { env: { PRN_CONFIG: missing } }), { message: `there is no file ${missing}` })
})

t.test('text that is no JSON is refused with its place, and without being repeated', async t => {
  const { read, path } = await place(t, '{\n  "printers": [\n    { "accessCode": "12345678", }\n  ]\n}')
  await t.rejects(read(), {
    code: 'PRN_ERR_CONFIG',
    message: `${path} is not valid JSON: line 3, column 33: a key in double quotes is expected; the comma before it may be one too many`
  })
  await t.rejects((await place(t, '')).read(), { message: /line 1, column 1: a value is expected/ })
})

t.test('a mark that some editors begin a file with is no error', async t => {
  const { read } = await place(t, '\uFEFF{ "defaultPrinter": "a" }')
  t.equal((await read()).config.defaultPrinter, 'a')
})

t.test('what is refused names the file and the key', async t => {
  const { read, path } = await place(t, { api: { hots: 'x' } })
  await t.rejects(read(), { message: `${path}: api: unknown key 'hots'; did you mean 'host'?` })
  const folder = testFolder(t, { folder: {} })
  await t.rejects(readConfig(join(folder, 'folder'), { env: {} }), {
    code: 'PRN_ERR_CONFIG', message: new RegExp(`^${join(folder, 'folder')} cannot be read: it is not a regular file`)
  })
})

t.test('access codes move into the secrets file, which only the owner can read', async t => {
  const { read, path, data, warnings, secrets, text } = await place(t, { printers: [PRINTER, { ...PRINTER, name: 'b', serial: 'S2', accessCode: 'abcdefgh' }] })
  const { config, exists } = await read()
  t.ok(exists)
  t.same(await secrets(), { '03000A000000001': '12345678', S2: 'abcdefgh' })
  t.notMatch(await text(), /accessCode|12345678|abcdefgh/)
  t.notMatch(JSON.stringify(config), /12345678|abcdefgh/, 'nor does the configuration in memory have them')
  t.equal(await modeOf(join(data, 'secrets')), 0o700)
  t.equal(await modeOf(join(data, 'secrets', 'printers.json')), 0o600)
  t.equal(await modeOf(path), 0o644, 'the mode of the file stays')
  t.same(warnings, [])
  const before = await text()
  t.same((await read()).config, config)
  t.equal(await text(), before, 'the second start changes nothing')
})

t.test('a code written into the file later replaces the stored one', async t => {
  const { read, path, secrets } = await place(t, { printers: [PRINTER] })
  await read()
  await writeFile(path, JSON.stringify({ printers: [{ ...PRINTER, serial: '03000A000000001', accessCode: '87654321' }] }))
  await read()
  t.same(await secrets(), { '03000A000000001': '87654321' })
})

t.test('keys keep their order, references and everything else stay', async t => {
  const written = {
    plugins: { print: false },
    printers: [
      { serial: 'S1', name: 'x', accessCode: { env: 'CODE' }, host: 'h' },
      { host: 'h', accessCode: '12345678', serial: 'S2', name: 'y' },
      { host: 'h', serial: 'S3', name: 'z', accessCode: { file: 'code.txt' } }
    ],
    api: { host: '127.0.0.1' }
  }
  const { read, text } = await place(t, written)
  await read()
  const [first, second, third] = written.printers
  const { accessCode: _moved, ...rest } = second as object & { accessCode: unknown }
  t.equal(await text(), JSON.stringify({ ...written, printers: [first, rest, third] }, null, 2) + '\n')
})

t.test('a file that cannot be written is warned about and works', async t => {
  // Beside a file with the longest possible name none with a longer one can be made, not even by root.
  const folder = testFolder(t)
  const path = join(folder, `${'x'.repeat(250)}.json`)
  await writeFile(path, JSON.stringify({ printers: [PRINTER] }))
  const warnings: string[] = []
  const env = { PRN_DATA_DIR: join(folder, 'data') }
  const { config } = await readConfig(path, { env, warn: text => warnings.push(text) })
  t.equal(warnings.length, 1)
  t.equal(warnings[0]?.slice(0, path.length + 35), `access codes stay in ${path}: ENAMETOOLONG`)
  t.match(await readFile(path, 'utf8'), /12345678/)
  t.match(config.printers, [{ name: 'a1', accessCode: '12345678' }])
  t.same((await openSecrets(join(folder, 'data'), () => {})).get().accessCodes, {}, 'there is no second copy')
})

t.test('a data folder that cannot be made leaves the codes where they are', async t => {
  const { folder, path, text } = await place(t, { printers: [PRINTER] })
  await writeFile(join(folder, 'in-the-way'), '')
  const warnings: string[] = []
  const env = { PRN_DATA_DIR: join(folder, 'in-the-way', 'data') }
  const { config } = await readConfig(path, { env, warn: text => warnings.push(text) })
  t.match(warnings, [new RegExp(`^access codes stay in ${path}: ENOTDIR`)])
  t.equal(config.printers[0]?.accessCode, '12345678')
  t.match(await text(), /12345678/)
})

t.test('relative paths in the file start at its folder, those of the environment at the working folder', async t => {
  const { path, folder } = await place(t, {
    dataDir: 'data', log: { file: '../x.log' }, printers: [{ ...PRINTER, accessCode: { file: 'code' }, tls: { ca: '/abs/ca.pem' } }]
  })
  const { config } = await readConfig(path, { env: {} })
  t.match(config, {
    dataDir: join(folder, 'data'),
    log: { file: join(dirname(folder), 'x.log') },
    printers: [{ accessCode: { file: join(folder, 'code') }, tls: { ca: '/abs/ca.pem' } }]
  })
  t.equal((await readConfig(path, { env: { PRN_DATA_DIR: 'here' } })).config.dataDir, 'here')
})

t.test('an edit changes what it changes and keeps order and mode', async t => {
  const { path, text } = await place(t, { plugins: {}, printers: [], api: {} })
  await chmod(path, 0o640)
  await editConfig(path, tree => { (tree.printers as unknown[]).push({ name: 'n', host: 'h', serial: 's' }) })
  t.equal(await text(), JSON.stringify({ plugins: {}, printers: [{ name: 'n', host: 'h', serial: 's' }], api: {} }, null, 2) + '\n')
  t.equal(await modeOf(path), 0o640)
})

t.test('an edit that would spoil the file is refused, and nothing is written', async t => {
  const { path, text, folder } = await place(t, { printers: [PRINTER] })
  const before = await text()
  await t.rejects(editConfig(path, tree => { tree.printres = [] }), {
    code: 'PRN_ERR_CONFIG', message: `${path}: unknown key 'printres'; did you mean 'printers'?`
  })
  await t.rejects(editConfig(path, () => { throw new Error('the caller thought better of it') }), { message: /thought better/ })
  t.equal(await text(), before)
  t.same(await readdir(folder), ['config.json'])
})

t.test('the first edit makes the file, for its owner only', async t => {
  const path = join(testFolder(t), 'new', 'config.json')
  await editConfig(path, tree => { tree.defaultPrinter = 'a' })
  t.equal(await readFile(path, 'utf8'), '{\n  "defaultPrinter": "a"\n}\n')
  t.equal(await modeOf(path), 0o600)
})

t.test('edits at the same time all take effect', async t => {
  const { path, read } = await place(t, { printers: [] })
  const add = (at: number) => editConfig(path, tree => {
    (tree.printers as unknown[]).push({ name: `p${at}`, host: 'h', serial: `S${at}` })
  })
  const bad = editConfig(path, tree => { tree.nonsense = 1 })
  await Promise.all([...Array.from({ length: 8 }, (_, at) => add(at)), t.rejects(bad)])
  t.equal((await read()).config.printers.length, 8)
})

const mkfifo = findProgram('mkfifo')
t.test('a configuration that is a pipe is refused, not waited for', { skip: mkfifo ? false : 'mkfifo is not installed' },
  async t => {
    const path = join(testFolder(t), 'config.json')
    execFileSync(mkfifo ?? '', [path])
    await t.rejects(readConfig(path, { env: {} }), { code: 'PRN_ERR_CONFIG', message: /config\.json cannot be read: it is not a regular file/ })
  })

t.test('a token that others can read is warned of', { skip: process.platform === 'win32' ? 'no modes' : false }, async t => {
  const path = join(testFolder(t, { 'config.json': '{"api":{"token":"a long secret"}}' }), 'config.json')
  const warnings: string[] = []
  const read = () => readConfig(path, { env: {}, warn: text => warnings.push(text) })
  await chmod(path, 0o600)
  await read()
  t.same(warnings, [])
  await chmod(path, 0o644)
  await read()
  t.match(warnings, [/holds the token and can be read by others.*chmod 600/])
  t.notMatch(warnings.join(), 'a long secret')
  await writeFile(path, '{}')
  await read()
  t.equal(warnings.length, 1, 'there is nothing to hide')
})
