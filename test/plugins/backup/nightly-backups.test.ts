import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { checkRoom } from '../../../plugins/backup/nightly-backups.js'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { startPostgres, withoutPostgres } from '../database/postgres.js'

const DAY_MS = 86_400_000
/** By the clock of the machine. */
const MORNING = new Date(2026, 10, 29, 8, 30).getTime()

t.test('a backup is made every day, tried, and the oldest is deleted', async t => {
  let now = MORNING
  const dataDir = testFolder(t)
  const { kernel, http } = await boot(t, { models: ['P1S'], config: { dataDir }, dependencies: { now: () => now } })
  const folder = join(dataDir, 'backups')
  const files = () => readdir(folder).catch(() => [])
  const state = async () => (await http('GET', '/api/backup')).body.nightly
  t.match(await state(), { on: false, hour: 3, keep: 14, newest: null, problem: null, folder })
  t.match(await http('PATCH', '/api/backup/nightly', { hour: 24 }), { status: 400 })
  await http('PATCH', '/api/backup/nightly', { on: true, hour: 9, keep: 2 })
  t.same(await files(), [], 'not yet')
  await http('PATCH', '/api/backup/nightly', { hour: 8 })
  t.same(await files(), ['prnd-2026-11-29.backup'])
  t.match(gunzipSync(await readFile(join(folder, 'prnd-2026-11-29.backup'))).toString(), /"table":"audit_entries"/)
  t.equal((await stat(join(folder, 'prnd-2026-11-29.backup'))).mode & 0o077, 0)
  t.match((await state()).newest, { file: 'prnd-2026-11-29.backup', size: Number, made_at: Number })

  await writeFile(join(folder, 'prnd-untried.backup.0123abcd.part'), 'of a service that was killed')
  await writeFile(join(folder, 'prnd-mine.backup'), 'of a person')
  for (const day of ['01', '02', '03']) await writeFile(join(folder, `prnd-2036-01-${day}.backup`), 'of a clock that was ahead')
  for (let day = 0; day < 3; day++) {
    now += DAY_MS
    await kernel.services.nightlyBackups.look()
    await kernel.services.nightlyBackups.look()
  }
  t.same((await files()).filter(name => !name.includes('2036')),
    ['prnd-2026-12-01.backup', 'prnd-2026-12-02.backup', 'prnd-mine.backup'])
  t.equal((await files()).length, 6, 'what a wrong clock has named is kept, and counts for nothing')
  t.match((await state()).newest, { file: 'prnd-2026-12-02.backup' })
  t.same(await readdir(join(dataDir, 'plugins', 'backup')), ['settings.json'], 'the trial leaves nothing')
})

t.test('it is not tried where that could fill the disk', async t => {
  const folder = testFolder(t, { 'one.backup': 'x'.repeat(1024 ** 2) })
  await t.rejects(checkRoom(join(folder, 'one.backup'), 270 * 1024 ** 2), { message: /271 MiB must be free.*270 are/ })
  await t.resolves(checkRoom(join(folder, 'one.backup'), 271 * 1024 ** 2))
})

t.test('one that cannot be restored, or written, is reported and tried again', async t => {
  let now = MORNING
  const [dataDir, folder] = [testFolder(t), join(testFolder(t), 'disk')]
  const targets = { phone: { type: 'webhook', url: 'http://127.0.0.1:9/' } }
  const config = { dataDir, plugins: { backup: { folder }, notify: { targets } } }
  const { kernel, http } = await boot(t, { models: ['P1S'], config, dependencies: { now: () => now } })
  const told = async () => (await http('GET', '/api/messages')).body.messages
    .filter(({ alert }: { alert: string }) => alert === 'backup_failed')
  const state = async () => (await http('GET', '/api/backup')).body.nightly
  const { body } = await http('PATCH', '/api/backup/nightly', { on: true, hour: 0 })
  t.match(body, { newest: null, problem: `there is no folder ${folder}` }, 'a disk that is away is not replaced by a folder')
  await eventually(async () => (await told()).length === 1)
  t.match(await told(), [{ target: 'phone', text: `there is no folder ${folder}. It is tried again every hour.` }])
  const { connections } = (await http('GET', '/api/connections')).body
  t.match(connections.at(-1), { name: 'backup', status: 'failed' })
  await http('PATCH', '/api/backup/nightly', { on: false })
  t.notMatch((await http('GET', '/api/connections')).body.connections, [{}, {}, {}], 'one that is switched off is not listed')
  await http('PATCH', '/api/backup/nightly', { on: true })
  await mkdir(folder)
  const { database } = kernel.services
  const tryLoad = t.intercept(database, 'tryLoad', { value: async () => { throw new Error('row 7 is odd') } })
  now += 1_800_000
  await kernel.services.nightlyBackups.look()
  t.match((await state()).problem, /no folder/, 'within the hour nothing is tried')
  now += 1_800_000
  await kernel.services.nightlyBackups.look()
  t.match(await state(), { newest: null, problem: 'row 7 is odd' })
  t.same(await readdir(folder), ['prnd-untried.backup'])
  t.equal((await told()).length, 1, 'once a day')
  tryLoad.restore()
  now += 3_600_000
  await kernel.services.nightlyBackups.look()
  t.match(await state(), { newest: { file: 'prnd-2026-11-29.backup' }, problem: null })
  t.same(await readdir(folder), ['prnd-2026-11-29.backup'])
})

t.test('what a newer version wrote cannot be tried; that of PostgreSQL can', { skip: withoutPostgres }, async t => {
  const server = await startPostgres(t)
  const dataDir = testFolder(t)
  const config = { dataDir, plugins: { database: { url: server.newDatabase() } } }
  const { kernel, http } = await boot(t, { models: ['P1S'], config })
  const { body } = await http('PATCH', '/api/backup/nightly', { on: true, hour: 0 })
  t.match(body, { newest: { file: String }, problem: null })
  const none = async function * () {}
  const dump = { versions: { history: 999 }, rows: none(), onRows () {} }
  await t.rejects(kernel.services.database.tryLoad(testFolder(t), dump), { code: 'PRN_ERR_DATABASE_NEWER' })
})

t.test('a folder without a root is refused', async t => {
  await t.rejects(boot(t, { models: [], config: { plugins: { backup: { folder: 'backups' } } } }), { message: /absolute path/ })
})
