import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pino from 'pino'
import t, { type Test } from 'tap'
import { evictionsFor } from '../../../../plugins/recording/store.js'
import { newId, openRecordingStore, type RecordingStoreOptions } from '../../../../plugins/recording/store.js'
import { testFolder } from '../../../helpers/folder.js'
import { sample } from '../helpers.js'

async function setUp (t: Test, options: Partial<RecordingStoreOptions> = {}) {
  const dataDir = options.dataDir ?? testFolder(t)
  const removed: string[] = []
  const store = await openRecordingStore({
    dataDir,
    maxBytes: 1_000,
    keepFreeBytes: 0,
    log: pino({ level: 'silent' }),
    onRemoved: ({ id }) => { removed.push(id) },
    ...options
  })
  /** Takes in a video of so many bytes. */
  async function add (bytes: number, minute: number) {
    const id = newId()
    const file = join(await store.workFolder(id), 'video.mp4')
    await writeFile(file, Buffer.alloc(bytes))
    return await store.add(sample({ id, started_at: `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z` }), file)
  }
  return { dataDir, folder: join(dataDir, 'recordings'), store, removed, add }
}

t.test('what is kept is there after a restart, for its owner alone', async t => {
  const { dataDir, folder, store, add } = await setUp(t)
  const older = await add(100, 1)
  const newer = await add(200, 2)
  const failed = await store.add(sample({ status: 'failed', problem: 'no decoder', started_at: '2026-01-01T00:00:00.000Z' }))
  t.same(store.recordings, [newer, older, failed], 'newest first')
  t.match([older, failed], [{ bytes: 100 }, { bytes: 0 }])
  const { store: again } = await setUp(t, { dataDir })
  t.same(again.recordings, [newer, older, failed])
  t.equal((await stat(folder)).mode & 0o777, 0o700)
  t.equal((await stat(join(folder, `${newer.id}.json`))).mode & 0o777, 0o600)
})

t.test('after a crash whole recordings are left, and what is not ours', async t => {
  const { dataDir, folder, add } = await setUp(t)
  const whole = await add(100, 1)
  const [headless, bodiless, damaged, other] = [newId(), newId(), newId(), newId()]
  await writeFile(join(folder, `${headless}.mp4`), 'x')
  await writeFile(join(folder, `${bodiless}.json`), JSON.stringify(sample({ id: bodiless })))
  await writeFile(join(folder, `${damaged}.json`), '{ "id": ')
  await writeFile(join(folder, `${damaged}.mp4`), 'x')
  await writeFile(join(folder, `${other}.json`), JSON.stringify(sample({ id: whole.id })))
  await mkdir(join(folder, `${newId()}.part`))
  await writeFile(join(folder, 'notes.txt'), 'mine')
  const { store } = await setUp(t, { dataDir })
  t.same(store.recordings, [whole])
  t.same((await readdir(folder)).sort(), ['notes.txt', `${whole.id}.json`, `${whole.id}.mp4`].sort())
})

t.test('the oldest go when room is needed, and nothing is taken that does not fit', async t => {
  const { store, add, removed, folder } = await setUp(t)
  const [first, second, third] = [await add(400, 1), await add(300, 2), await add(200, 3)]
  t.ok(await store.reserve('a', 100))
  t.same(removed, [], 'it fits exactly')
  t.ok(await store.reserve('a', 101))
  t.same(removed, [first.id])
  t.notOk(existsSync(join(folder, `${first.id}.mp4`)))
  t.notOk(await store.reserve('a', 1_001))
  t.same(store.recordings, [third, second], 'and nothing is removed in vain')
  store.release('a')
  t.ok(await store.reserve('b', 500))
  t.same(store.recordings, [third, second])
})

t.test('room on the disk is made as well, where there is any to make', async t => {
  let free = 80
  const { store, add } = await setUp(t, { maxBytes: 100_000_000, keepFreeBytes: 100, freeBytes: async () => free })
  for (const minute of [1, 2, 3]) await add(15, minute)
  t.ok(await store.reserve('a', 1))
  t.equal(store.recordings.length, 1, 'no more than needed')
  free = 0
  t.ok(await store.reserve('a', 2), 'it is not asked for every picture')
  t.notOk(await store.reserve('a', 10_000_000))
  t.equal(store.recordings.length, 1, 'and nothing goes in vain')
})

t.test('there are no more than so many, failed ones included', async t => {
  const { store, add, removed } = await setUp(t, { mostRecordings: 2 })
  const [first, second] = [await add(1, 1), await add(1, 2)]
  t.same(removed, [])
  const failed = await store.add(sample({ status: 'failed', started_at: '2026-01-01T00:03:00.000Z' }))
  t.same(removed, [first.id])
  t.same(store.recordings, [failed, second])
})

t.test('one that takes the place of another with its id', async t => {
  const { store, folder } = await setUp(t)
  const failed = await store.add(sample({ status: 'failed', problem: 'no decoder' }))
  const file = join(await store.workFolder(failed.id), 'video.mp4')
  await writeFile(file, 'video')
  await store.add({ ...failed, status: 'ready', problem: null }, file)
  t.match(store.recordings, [{ id: failed.id, status: 'ready', bytes: 5 }])
  t.match(JSON.parse(await readFile(join(folder, `${failed.id}.json`), 'utf8')), { status: 'ready', bytes: 5 })
  t.equal(await store.remove(failed.id), true)
  t.equal(await store.remove(failed.id), false)
})

t.test('what is kept of a failed one counts and makes room, also after a restart, but not while it is tried again', async t => {
  const { store, add, removed, dataDir } = await setUp(t)
  const failed = await store.add(sample({ status: 'failed', bytes: 700, started_at: '2026-01-01T00:01:00.000Z' }))
  const evidence = await add(200, 2)
  t.ok(await store.reserve(failed.id, 750))
  t.same(removed, [], 'its pictures count once')
  store.release(failed.id)
  const { store: again, removed: later } = await setUp(t, { dataDir })
  t.ok(await again.reserve('new', 200))
  t.same(later, [failed.id], 'it goes first')
  t.same(again.recordings, [evidence])
})

t.test('which recordings have to go', async t => {
  const all = [3, 2, 1].map(minute => sample({ bytes: 100, started_at: `2026-01-01T00:0${minute}:00.000Z` }))
  const gone = (maxBytes: number, pendingBytes: number) =>
    evictionsFor(all, { maxBytes, pendingBytes })?.map(({ started_at: at }) => at.slice(15, 16)).join('')
  t.equal(gone(300, 0), '')
  t.equal(gone(300, 1), '1')
  t.equal(gone(300, 150), '12')
  t.equal(gone(300, 300), '123')
  t.equal(gone(300, 301), undefined)
})
