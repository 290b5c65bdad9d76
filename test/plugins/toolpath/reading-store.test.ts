import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ReadingStore, type PlateId } from '../../../plugins/toolpath/reading-store.js'
import type { Reading } from '../../../plugins/toolpath/reading.js'
import { OngoingWork } from '../../../plugins/toolpath/ongoing-work.js'
import { testFolder } from '../../helpers/folder.js'

const ID: PlateId = { place: 'serial', entry: { path: '/a.3mf', size: 9, modifiedAt: 1 }, plate: 1, model: 'X1C' }
const LAYER = { z: 0, seconds: 0, line: 0, extruded: new Map([[0, { part: 1, prime: 0, flush: 0 }]]) }
const readingOf = (bytes: number): Reading => ({
  plate: { declared: {}, layers: [LAYER] },
  track: { bytes, starts: [8], isWhole: true }
}) as unknown as Reading

t.test('readings survive a restart, and a damaged one is read anew', async t => {
  const folder = testFolder(t)
  const warned: string[] = []
  const open = (maxBytes = 1e6) =>
    new ReadingStore({ folder: async () => folder, maxBytes, warn: message => warned.push(message) })
  const save = (store: ReadingStore, id: PlateId, bytes: number) => store.save(id, bytes, async path => {
    writeFileSync(path, Buffer.alloc(bytes))
    return readingOf(bytes)
  })
  await save(open(), ID, 100)

  const stored = await open().load(ID)
  t.same(stored?.reading, readingOf(100))
  t.same(readFileSync(await open().track(stored!) ?? '').length, 100)

  t.equal(await open().load({ ...ID, plate: 2 }), undefined, 'another plate')
  t.equal(await open().load({ ...ID, model: 'P1S' }), undefined, 'another model')
  t.equal(await open().load({ ...ID, entry: { ...ID.entry, size: 8 } }), undefined, 'another size')
  t.equal(await open().load({ ...ID, entry: { ...ID.entry, changedAt: 2 } }), undefined, 'another time')

  const track = await open().track(stored!) ?? ''
  writeFileSync(track, 'short')
  t.equal(await open().track(stored!), undefined, 'a damaged track')
  const file = readdirSync(folder).find(name => name.endsWith('.reading')) ?? ''
  const bytes = readFileSync(join(folder, file))
  bytes[60]! ^= 1
  writeFileSync(join(folder, file), bytes)
  t.equal(await open().load(ID), undefined, 'a damaged reading')
  t.match(warned, [/is damaged: the plate is read anew$/])
  writeFileSync(join(folder, file), 'prnd reading 0\n')
  t.equal(await open().load(ID), undefined, 'one of another version')
  t.equal(warned.length, 1)

  const store = open()
  await save(store, ID, 100)
  store.forget(ID)
  t.equal(await store.load(ID), undefined)
  await store.save(ID, 100, async path => {
    store.forget(ID)
    writeFileSync(path, 'old')
    return readingOf(3)
  })
  t.equal(await store.load(ID), undefined, 'the file was replaced while it was read')
  await save(store, ID, 100)
  t.ok(await store.load(ID))
  const small = open(20_000)
  for (let plate = 1; plate <= 5; plate++) await save(small, { ...ID, plate }, 6_000)
  t.ok(readdirSync(folder).filter(name => name.endsWith('.track')).length <= 3, 'older ones make room')
})

t.test('work that several callers want is done once, and aborted when all have given up', async t => {
  const shared = new OngoingWork<number>()
  const signals: AbortSignal[] = []
  let finish = (_value: number) => {}
  const work = (signal: AbortSignal) => {
    signals.push(signal)
    return new Promise<number>((resolve, reject) => {
      finish = resolve
      signal.addEventListener('abort', () => reject(new Error('aborted')))
    })
  }
  const [one, other] = [new AbortController(), new AbortController()]
  const first = shared.run('a', work, one.signal)
  const second = shared.run('a', work, other.signal)
  one.abort(new Error('gave up'))
  await t.rejects(first, { message: 'gave up' })
  t.equal(signals[0]?.aborted, false)
  finish(7)
  t.equal(await second, 7)
  const third = shared.run('a', work, other.signal)
  other.abort(new Error('gave up'))
  await t.rejects(third, { message: 'gave up' })
  t.same(signals.map(({ aborted }) => aborted), [false, true])
  await t.rejects(shared.run('b', async () => { throw new Error('failed') }), { message: 'failed' })
})
