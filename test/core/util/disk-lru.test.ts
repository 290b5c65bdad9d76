import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import t, { type Test } from 'tap'
import { createDiskLru } from '../../../core/util/disk-lru.js'
import { testFolder } from '../../helpers/folder.js'

function scene (t: Test, maxBytes = 100) {
  const folder = join(testFolder(t), 'cache')
  const open = () => createDiskLru({ folder: async () => folder, maxBytes })
  const put = (cache: ReturnType<typeof open>, name: string, bytes = 40) =>
    cache.add(name, bytes, async path => writeFileSync(path, name.padEnd(bytes)))
  const files = () => existsSync(folder) ? readdirSync(folder).sort() : []
  /** As if it had been used so many seconds after the epoch. */
  const usedAt = (name: string, seconds: number) => utimesSync(join(folder, name), seconds, seconds)
  return { folder, open, put, files, usedAt }
}

t.test('a file is found again, also after a restart', async t => {
  const { open, put, folder } = scene(t)
  const cache = open()
  t.equal(await cache.use('a'), undefined)
  t.equal(await put(cache, 'a'), join(folder, 'a'))
  t.equal(await open().use('a'), join(folder, 'a'))
  t.equal(readFileSync(await cache.pathOf('a'), 'utf8'), 'a'.padEnd(40))
  await put(cache, 'a', 10)
  t.equal(readFileSync(join(folder, 'a'), 'utf8').length, 10, 'replaced')
  await cache.remove('a')
  t.equal(await cache.use('a'), undefined)
  await cache.remove('a')
})

t.test('those used longest ago make room', async t => {
  const { open, put, files, usedAt } = scene(t)
  const cache = open()
  await put(cache, 'a')
  await put(cache, 'b')
  usedAt('a', 1)
  usedAt('b', 2)
  await cache.use('a')
  await put(cache, 'c')
  t.same(files(), ['a', 'c'])
  usedAt('a', 1)
  await put(cache, 'small', 20)
  t.same(files(), ['a', 'c', 'small'], 'exactly full')
  await put(cache, 'large', 100)
  t.same(files(), ['large'])
})

t.test('a failed write leaves nothing, and the file of that name stays', async t => {
  const { open, put, files, folder } = scene(t)
  const cache = open()
  await put(cache, 'a', 10)
  await t.rejects(cache.add('a', 10, async path => {
    writeFileSync(path, 'half')
    t.match(basename(path), /^a\.[0-9a-f]{8}\.part$/)
    throw new Error('broken off')
  }), { message: 'broken off' })
  t.same(files(), ['a'])
  t.equal(readFileSync(join(folder, 'a'), 'utf8').length, 10)
})

t.test('unfinished files are not counted, and go when the service begins anew', async t => {
  const { open, put, files, folder } = scene(t)
  const cache = open()
  await put(cache, 'a', 60)
  writeFileSync(join(folder, 'b.12345678.part'), 'x'.repeat(90))
  await put(cache, 'c')
  t.same(files(), ['a', 'b.12345678.part', 'c'], 'a running cache leaves them to whoever writes them')
  await open().sweep()
  t.same(files(), ['a', 'c'])
  writeFileSync(join(folder, 'd.12345678.part'), '')
  await put(open(), 'e', 0)
  t.same(files(), ['a', 'c', 'e'], 'the first write sweeps too')
})
