import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { Type } from 'typebox'
import { privateFolder } from '../../../core/index.js'
import { configurationIn } from '../../../plugins/backup/index.js'
import { openSigningKey } from '../../../plugins/fleet/signing-key.js'
import { backup, restore } from '../../../presets/cli/commands/backup.js'
import { boot } from '../../helpers/boot.js'
import { testFolder } from '../../helpers/folder.js'
import { startPostgres, withoutPostgres } from '../../plugins/database/postgres.js'
import { madeUp } from '../../plugins/history/rows.js'

t.context = { log: console.log, error: console.error }
console.log = () => {}
console.error = () => {}
t.teardown(() => Object.assign(console, t.context))

/** More than are read at once, within three days: each day is summed up. */
const PRINTS = 600
const EVERY_MS = 400_000
const CODE = '31415926'
const TOKEN = 'a-token-of-letters'
const PASSWORD = 'pass-of-words'

/** A folder with a configuration; nothing in it but that. */
async function place (t: Test, database: object) {
  const folder = testFolder(t)
  const file = join(folder, 'config.json')
  const printers = [{
    name: 'off', host: '127.0.0.1', serial: 'S1', accessCode: { file: join(folder, 'code') }, ports: { mqtt: 1 }
  }]
  await writeFile(join(folder, 'code'), CODE)
  const plugins = { database, homeassistant: { broker: `mqtt://me:${PASSWORD}@127.0.0.1:1` } }
  await writeFile(file, JSON.stringify({ dataDir: 'data', api: { host: '127.0.0.1', token: TOKEN }, plugins, printers }))
  return { folder, file, dataDir: join(folder, 'data'), database, backup: join(folder, 'prnd.backup') }
}
type Place = Awaited<ReturnType<typeof place>>

const serve = (t: Test, { dataDir, database }: Place, listen = false) =>
  boot(t, { models: [], listen, config: { dataDir, printers: [], plugins: { database } } })

async function recorded (t: Test, where: Place) {
  const { http, close } = await serve(t, where)
  const prints = (await http('GET', '/api/history/export', { format: 'jsonl' })).text
  const statistics = (await http('GET', '/api/history/statistics')).body
  await close()
  return { prints, statistics }
}

/** A run of a rule that waits. */
const RUN = {
  id: 'run-1',
  rule: 'rule-1',
  rule_name: 'Stop',
  version: 1,
  printer: null,
  occurrence: 'a',
  at: 1,
  began_at: 1,
  ended_at: null,
  state: 'running',
  reason: '',
  fields: '{}',
  chain: '[]',
  owner: 'gone',
  lease_until: 1,
  step: 0,
  step_state: 'waiting',
  wait_until: 4e12,
  trail: '[]'
}

async function fill (t: Test, where: Place, prints = PRINTS) {
  const { kernel, http, close } = await serve(t, where)
  await kernel.services.database.query((db: any) => db.insertInto('rules_runs').values(RUN).execute())
  for (let number = 0; number < prints; number++) {
    for (const row of madeUp(number, Date.UTC(2026, 1), EVERY_MS, 3)) kernel.services.database.put(row)
  }
  await http('PATCH', '/api/history/print-5', { note: 'line\nand "quote"', rating: 3, tags: ['gift'] })
  await http('GET', '/api/history/statistics')
  await http('PATCH', '/api/history/print-6', { result: 'failed' })
  await backup(where.backup, { config: where.file })
  await close()
}

function suite (t: Test, from: () => object, to: () => object): void {
  t.test('what is backed up while the service runs is there again after a restore', async t => {
    const [here, there] = [await place(t, from()), await place(t, to())]
    await fill(t, here)
    const before = await recorded(t, here)
    t.equal(before.prints.trimEnd().split('\n').length, PRINTS)
    await restore(here.backup, { config: there.file })
    t.same(await recorded(t, there), before)
    const { http, close } = await serve(t, there)
    t.match((await http('GET', '/api/rules/runs')).body.runs, [{ state: 'stopped' }], 'what waited does not go on')
    await close()

    await t.rejects(restore(here.backup, { config: there.file }), { code: 'PRN_ERR_DATABASE_NOT_EMPTY' })
    const service = await serve(t, there, true)
    await t.rejects(restore(here.backup, { config: there.file, replace: true }), { code: 'PRN_ERR_FOLDER_IN_USE' })
    await service.http('DELETE', '/api/history/print-7')
    await service.close()
    await restore(here.backup, { config: there.file, replace: true })
    t.same(await recorded(t, there), before)
  })
}

function refusals (t: Test, from: () => object, to: () => object): void {
  t.test('what is newer, cut off or something else is refused, and nothing changes', async t => {
    const [here, there] = [await place(t, from()), await place(t, to())]
    await fill(t, here, 20)
    const lines = gunzipSync(await readFile(here.backup)).toString().trimEnd().split('\n')
    const changed = async (change: (lines: string[]) => string[]) => {
      await writeFile(here.backup, gzipSync(`${change([...lines]).join('\n')}\n`))
      return restore(here.backup, { config: there.file })
    }
    const head = (fields: object) => ([first = '', ...rest]: string[]) =>
      [JSON.stringify({ ...JSON.parse(first), ...fields }), ...rest]
    await t.rejects(changed(head({ versions: { history: 999 } })), { code: 'PRN_ERR_DATABASE_NEWER' })
    await t.rejects(changed(head({ format: 2 })), { code: 'PRN_ERR_BACKUP', message: /use that version or a newer one/ })
    await t.rejects(changed(all => all.slice(0, -1)), { code: 'PRN_ERR_BACKUP', message: /its end is missing/ })
    await t.rejects(changed(all => all.slice(1)), { code: 'PRN_ERR_BACKUP' })
    await writeFile(here.backup, gzipSync(Buffer.concat([Buffer.from(`${lines[0]}\n"`), Buffer.alloc(70_000_000, 'x')])))
    await t.rejects(restore(here.backup, { config: there.file }), { code: 'PRN_ERR_BACKUP', message: /a line is too long/ })
    await writeFile(here.backup, 'something else')
    await t.rejects(restore(here.backup, { config: there.file }), { code: 'PRN_ERR_BACKUP' })
    t.equal((await recorded(t, there)).prints, '')
  })
}

t.test('SQLite', async t => {
  suite(t, () => ({}), () => ({}))
  refusals(t, () => ({}), () => ({}))
})

t.test('PostgreSQL', { skip: withoutPostgres }, async t => {
  const server = await startPostgres(t)
  const postgres = () => ({ url: server.newDatabase() })
  t.test('to SQLite', async t => suite(t, postgres, () => ({})))
  t.test('from SQLite', async t => {
    suite(t, () => ({}), postgres)
    refusals(t, () => ({}), postgres)
  })
})

t.test('codes, tokens and passwords are in a backup only when they are asked for', async t => {
  const here = await place(t, {})
  const textOf = async () => gunzipSync(await readFile(here.backup)).toString()
  await backup(here.backup, { config: here.file })
  const text = await textOf()
  for (const secret of [CODE, TOKEN, PASSWORD]) t.notMatch(text, secret)
  t.match(text, 'mqtt://me@127.0.0.1')
  await t.rejects(backup(here.backup, { config: here.file, codes: true }), { code: 'PRN_ERR_BACKUP_EXISTS' })
  const keys = ['secrets/push.json', 'secrets/plugs.json', 'plugins/health-model/remote.json']
  for (const file of keys) {
    await privateFolder(here.dataDir, ...file.split('/').slice(0, -1))
    await writeFile(join(here.dataDir, file), `"${file} of this machine"`)
  }
  await backup(here.backup, { config: here.file, force: true })
  t.notMatch(await textOf(), /of this machine/)
  await backup(here.backup, { config: here.file, codes: true, force: true })
  t.match(await textOf(), TOKEN)
  for (const file of keys) t.match(await textOf(), `${file} of this machine`)

  const empty = await place(t, {})
  const file = join(empty.folder, 'new.json')
  await t.rejects(restore(here.backup, { config: file }), { code: 'PRN_ERR_CONFIG' })
})

t.test('on a new machine the records go where the configuration of the backup looks for them', async t => {
  const here = await place(t, {})
  await fill(t, here, 5)
  const folder = testFolder(t)
  const there = { ...here, dataDir: join(folder, 'data') }
  t.intercept(process, 'env', { value: { ...process.env, PRN_CONFIG: join(folder, 'new.json'), PRN_DATA_DIR: '' } })
  await t.rejects(restore(here.backup, {}), { message: /It names the data folder .*data\. Read it/ })
  t.notOk(existsSync(there.dataDir))
  await restore(here.backup, {})
  t.same(await recorded(t, there), await recorded(t, here))
})

t.test('settings of plugins are in a backup, and nothing else of their folders', async t => {
  const [here, there] = [await place(t, {}), await place(t, {})]
  const write = async (file: string, text: string) => {
    await privateFolder(here.dataDir, 'plugins', 'bed-watch', 'deep')
    await writeFile(join(here.dataDir, 'plugins', 'bed-watch', file), text)
  }
  await write('settings.json', '{ "warmC": 60 }')
  await write('own.json', '{ "token": 1 }')
  await write('deep/settings.json', '{}')
  await backup(here.backup, { config: here.file })
  const lines = gunzipSync(await readFile(here.backup)).toString().trimEnd().split('\n')
  const bad = '../outside/settings.json'
  const end = JSON.stringify({ end: lines.length })
  await writeFile(here.backup, gzipSync([...lines.slice(0, -1), JSON.stringify({ file: `plugins/${bad}`, text: '{}' }), end].join('\n') + '\n'))
  await restore(here.backup, { config: there.file })
  const stored = (file: string) => join(there.dataDir, 'plugins', file)
  t.equal(await readFile(stored('bed-watch/settings.json'), 'utf8'), '{ "warmC": 60 }')
  for (const file of ['bed-watch/own.json', 'bed-watch/deep', bad]) t.notOk(existsSync(stored(file)), file)
})

t.test('a configuration that an editor began with a mark is backed up; one that cannot be read is not left out', async t => {
  const folder = testFolder(t, { 'marked.json': '\uFEFF{ "dataDir": "data" }' })
  const schema = Type.Object({ dataDir: Type.String() })
  t.match(await configurationIn(join(folder, 'marked.json'), schema), { text: /"dataDir": "data"/ })
  t.same(await configurationIn(join(folder, 'none.json'), schema), { text: undefined, left: [] })
  await t.rejects(configurationIn(folder, schema))
})

t.test('tables of a plugin that is not part of prnd are left out only if that was said', async t => {
  const [here, there] = [await place(t, {}), await place(t, {})]
  await (await serve(t, here)).close()
  await backup(here.backup, { config: here.file })
  const [header = '', ...lines] = gunzipSync(await readFile(here.backup)).toString().trimEnd().split('\n')
  const { versions, ...others } = JSON.parse(header)
  const marked = JSON.stringify({ ...others, versions: { ...versions, shelf: 1 } })
  await writeFile(here.backup, gzipSync(`${[marked, ...lines].join('\n')}\n`))
  await t.rejects(restore(here.backup, { config: there.file }), { message: /not part of prnd: shelf.*--without shelf/ })
  await restore(here.backup, { config: there.file, without: 'shelf' })
  t.ok(existsSync(join(there.dataDir, 'plugins', 'database', 'prnd.sqlite')))
})

t.test("a fleet's key is in no backup: what is restored elsewhere is another service", async t => {
  const here = await place(t, {})
  await (await serve(t, here)).close()
  const fleet = join(here.dataDir, 'plugins', 'fleet')
  const key = await openSigningKey(await privateFolder(here.dataDir, 'plugins', 'fleet'))
  const pem = await readFile(join(fleet, 'key.pem'), 'utf8')
  for (const codes of [false, true]) {
    await backup(here.backup, { config: here.file, codes, force: true })
    const text = gunzipSync(await readFile(here.backup)).toString()
    t.notMatch(text, /PRIVATE KEY|plugins\/fleet/, `codes: ${codes}`)
    for (const line of pem.split('\n').slice(1, 2)) t.notOk(text.includes(line))
  }
  const there = await place(t, {})
  await restore(here.backup, { config: there.file })
  t.notOk(existsSync(join(there.dataDir, 'plugins', 'fleet', 'key.pem')))
  const made = await openSigningKey(await privateFolder(there.dataDir, 'plugins', 'fleet'))
  t.not(made.publicKey, key.publicKey)

  // a file that says it holds one is not believed
  const lines = gunzipSync(await readFile(here.backup)).toString().trim().split('\n')
  const entry = JSON.stringify({ file: 'plugins/fleet/key.pem', text: pem })
  const forged = [...lines.slice(0, -1), entry, JSON.stringify({ end: lines.length })]
  await writeFile(here.backup, gzipSync(`${forged.join('\n')}\n`))
  await restore(here.backup, { config: there.file, replace: true })
  t.equal((await openSigningKey(join(there.dataDir, 'plugins', 'fleet'))).publicKey, made.publicKey)
})
