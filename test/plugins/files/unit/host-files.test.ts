import t from 'tap'
import { existsSync } from 'node:fs'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Rights } from '../../../../core/index.js'
import { createHostFiles } from '../../../../plugins/files/host-files.js'
import { createHostPaths } from '../../../../plugins/files/host-paths.js'
import { testFolder } from '../../../helpers/folder.js'

const NOW = 1_800_000_000_000
const DAY_MS = 86_400_000

const person = (id: string, printers: string[] | undefined = ['a']): Rights =>
  ({ id, name: 'ben', role: 'operate', printers: printers && new Set(printers) })

const start = (dataDir: string, mostBytes = 1_000, mostOwnBytes = 100) => createHostFiles({
  dataDir,
  paths: createHostPaths({ own: join(dataDir, 'files'), open: [], closed: [dataDir] }),
  closed: [dataDir],
  mostBytes,
  mostOwnBytes,
  now: () => NOW
})

/** Puts a file as old as wanted where an upload of its name lies. */
async function put (folder: string, name: string, size: number, daysOld: number): Promise<void> {
  await writeFile(join(folder, name), Buffer.alloc(size))
  const at = new Date(NOW - daysOld * DAY_MS)
  await utimes(join(folder, name), at, at)
}

t.test('a place is found by the id: names do not matter, and rights without one still have a place', async t => {
  const files = start(testFolder(t))
  t.equal(files.of(person('1')), files.of({ ...person('1'), name: 'other' }))
  t.not(files.of(person('1')), files.of(person('2')))
  t.not(files.of({ name: 'x', role: 'view', printers: new Set() }), files.of())
  for (const caller of ['local', 'token', 'network', undefined, { ...person('1'), printers: undefined }] as const) {
    t.equal(files.of(caller), files.of(), 'all printers: the shared uploads')
  }
})

t.test('the oldest files of a place give way, those of others stay', async t => {
  const files = start(testFolder(t))
  const mine = files.of(person('1'))
  const theirs = files.of(person('2'))
  await put(await mine.folder(), 'old', 40, 3)
  await put(await mine.folder(), 'new', 40, 1)
  await put(await theirs.folder(), 'their', 90, 5)
  const room = await mine.reserve('next')
  room.take(50)
  t.same(await readdir(await mine.folder()), ['new'])
  t.same(await readdir(await theirs.folder()), ['their'])
  t.throws(() => room.take(20), { code: 'PRN_ERR_OWN_FILES_FULL' }, 'a file alone is bounded too')
  room.end()
})

t.test('all places together are bounded, what is on its way included', async t => {
  const files = start(testFolder(t), 150)
  await put(await files.of(person('1')).folder(), 'a', 50, 1)
  const [one, two] = await Promise.all([files.of(person('2')).reserve('b'), files.of(person('3')).reserve('c')])
  one.take(50)
  two.take(50)
  t.throws(() => two.take(1), { code: 'PRN_ERR_OWN_FILES_FULL' })
  one.end()
  two.take(1)
})

t.test('what waits for a month goes, and nothing else', async t => {
  const dataDir = testFolder(t)
  const files = start(dataDir)
  const folder = await files.of(person('1')).folder()
  await put(folder, 'old', 1, 31)
  await put(folder, 'new', 1, 29)
  await mkdir(join(dataDir, 'uploads'))
  await put(join(dataDir, 'uploads'), 'shared', 1, 400)
  await files.removeOld()
  t.same(await readdir(folder), ['new'])
  t.ok(existsSync(join(dataDir, 'uploads', 'shared')))
})

t.test('names with a dot at the beginning count as others do', async t => {
  const files = start(testFolder(t))
  const own = files.of(person('1'))
  await put(await own.folder(), '.hidden', 45, 1)
  const room = await own.reserve('next')
  t.throws(() => room.take(60), { code: 'PRN_ERR_OWN_FILES_FULL' })
})
