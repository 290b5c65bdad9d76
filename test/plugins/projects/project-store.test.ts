import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createProjectReader } from '../../../plugins/projects/project-reader.js'
import type { CachedProject } from '../../../plugins/projects/cached-project.js'
import { createProjectStore } from '../../../plugins/projects/project-store.js'
import { createTestCard, entryOf, sessionOf } from './card.js'
import { make3mf } from './make-3mf.js'
import { testFolder } from '../../helpers/folder.js'

const session = sessionOf('X1C')
const PROJECT = make3mf([{ number: 1, filaments: [{ id: 1, type: 'PLA', color: '#FFFFFF' }] }, { number: 3 }])

/** A program that starts anew with every call of `desk`, and the card that it reads. */
function scene (t: Test, mostBytes = 1e6) {
  const folder = testFolder(t)
  const card = createTestCard({ '/a.3mf': PROJECT })
  const warnings: string[] = []
  const end = new AbortController()
  const store = () => createProjectStore({
    folder: async () => folder, mostBytes, signal: end.signal, warn: message => warnings.push(message)
  })
  const reader = () => createProjectReader(() => card.files, store())
  return { folder, card, warnings, end, store, reader, files: () => readdirSync(folder) }
}

const record = (reader: ReturnType<typeof createProjectReader>, plate = 1, images = true) =>
  reader.open(session, '/a.3mf', project => project.record(project.nearest(plate), images))

t.test('after a restart nothing is fetched that was read before', async t => {
  const { reader, card, files, folder } = scene(t)
  const first = await record(reader())
  const { bytes } = card
  t.ok(bytes > 0)
  t.same(await record(reader()), first)
  t.equal(card.bytes, bytes, 'not a byte')
  t.equal(files().length, 1)
  t.equal(statSync(join(folder, files()[0] ?? '')).mode & 0o777, 0o600)
  const other = await record(reader(), 3)
  t.equal(other.plate_num, 3)
  t.ok(card.bytes > bytes, 'another plate is fetched')
  const after = card.bytes
  t.same(await record(reader(), 3), other)
  t.same(await record(reader()), first)
  t.equal(card.bytes, after, 'and both are known')
})

t.test('another size, time, path or printer is another file', async t => {
  const { reader, card } = scene(t)
  await record(reader())
  const fetches = async (work: () => Promise<unknown>) => {
    const before = card.reads
    await work()
    return card.reads > before
  }
  card.content.set('/a.3mf', make3mf([{ number: 1 }]))
  t.ok(await fetches(() => record(reader())), 'size')
  card.content.set('/a.3mf', PROJECT)
  t.ok(await fetches(() => record(reader())), 'the later one has taken the place of the earlier')
  t.notOk(await fetches(() => record(reader())))
  card.content.set('/b.3mf', PROJECT)
  t.ok(await fetches(() => reader().open(session, '/b.3mf', project => project.record(1, true))), 'path')
  t.ok(await fetches(() => reader().open(sessionOf('H2D'), '/a.3mf', project => project.record(1, true))), 'printer')
  const late = { ...entryOf('/a.3mf', PROJECT.length), modifiedAt: 5 }
  t.ok(await fetches(() => reader().read(session, late, project => project.record(1, true))), 'time')
  await reader().forget(session, '/a.3mf')
  t.ok(await fetches(() => reader().read(session, late, project => project.record(1, true))), 'forgotten')
})

t.test('damaged entries are set aside, whatever is wrong with them, and those of other versions passed over', async t => {
  const { reader, card, files, folder, warnings } = scene(t)
  const first = await record(reader())
  const path = join(folder, files()[0] ?? '')
  const good = readFileSync(path)
  const forged = Buffer.concat([good.subarray(0, 14), Buffer.from('\0\0')])
  const noObject = (body: Buffer) =>
    Buffer.concat([good.subarray(0, 14), createHash('sha256').update(body).digest(), body])
  const harms = [Buffer.alloc(0), good.subarray(0, 20), good.subarray(0, good.length - 1), Buffer.alloc(500), forged,
    Buffer.concat([good, Buffer.from('x')]), noObject(Buffer.from('no value')), Buffer.from('{"json":true}')]
  for (const [at, harm] of harms.entries()) {
    writeFileSync(path, harm)
    const before = card.reads
    t.same(await record(reader()), first, `${at}`)
    t.ok(card.reads > before)
    t.equal(warnings.length, at + 1)
    t.match(warnings.at(-1), /is damaged .* set aside as .*\.damaged/)
  }
  t.equal(files().length, 2, 'one is kept')
  writeFileSync(path, Buffer.from('prn project 9\nwho knows'))
  t.same(await record(reader()), first)
  t.equal(warnings.length, harms.length, 'an upgrade is no damage')
})

t.test('it takes no more than its room: what was used last stays', async t => {
  const { store, files, folder } = scene(t, 100_000)
  const item = (path: string): CachedProject => ({
    source: { entry: entryOf(path, 9), md5: '', project: { plates: [1] } as never },
    plates: new Map(),
    images: new Map([['thumbnail 1', Buffer.alloc(20_000, path)]])
  })
  const kept = store()
  for (let at = 0; at < 12; at++) {
    await kept.save(`k${at}`, item(`/${at}`))
    for (const name of files()) if (statSync(join(folder, name)).mtimeMs > 1e12) utimesSync(join(folder, name), at, at)
  }
  t.ok(files().reduce((sum, name) => sum + statSync(join(folder, name)).size, 0) <= 100_000)
  t.equal(await kept.load('k0', entryOf('/0', 9)), undefined)
  const back = await kept.load('k11', entryOf('/11', 9))
  t.ok(back?.images.get('thumbnail 1')?.equals(Buffer.alloc(20_000, '/11')))
  t.ok(Buffer.isBuffer(back?.images.get('thumbnail 1')))
  await kept.save('large', { ...item('/large'), images: new Map([['x', Buffer.alloc(30_000)]]) })
  t.equal(await kept.load('large', entryOf('/large', 9)), undefined, 'one may not push out the others')
})

t.test('a folder that cannot be written spoils nothing', async t => {
  const warnings: string[] = []
  const card = createTestCard({ '/a.3mf': PROJECT })
  const folder = testFolder(t, { file: '' })
  const store = createProjectStore({
    folder: async () => join(folder, 'file'), mostBytes: 1e6, signal: new AbortController().signal, warn: text => warnings.push(text)
  })
  t.match(await record(createProjectReader(() => card.files, store)), { plate_num: 1 })
  t.match(warnings, [/cannot be read/, /cannot be stored/])
})

t.test('nothing is written once the program ends', async t => {
  const { reader, end, files } = scene(t)
  end.abort()
  await record(reader())
  t.same(files(), [])
})
