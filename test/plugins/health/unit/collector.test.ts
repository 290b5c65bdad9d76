import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { createCollector } from '../../../../plugins/health/collector.js'
import { testFolder } from '../../../helpers/folder.js'

const JPEG = Buffer.from('a picture')

t.test('pictures of a print go to the folder of its outcome', async t => {
  const folder = testFolder(t)
  const collector = createCollector(async () => folder, () => 1_700_000_000_000, t.fail)
  for (let minute = 0; minute < 3; minute++) await collector.keep('../p1s', JPEG, 10 * minute)
  await collector.keep('x1c', JPEG, 50)
  await collector.end('../p1s', 'failing')
  await collector.end('a1', 'good')
  const [print = ''] = await readdir(join(folder, 'collected', 'failing'))
  t.match(print, /^2023-11-14T.*p1s$/)
  t.notMatch(print, /\//)
  t.same((await readdir(join(folder, 'collected', 'failing', print))).sort(), ['00001_0.jpg', '00002_10.jpg', '00003_20.jpg'])
  t.equal((await readdir(join(folder, 'collected', 'running'))).length, 1, 'the other one still prints')
})

t.test('a print during which the service was restarted ends as unknown', async t => {
  const folder = testFolder(t)
  const start = (at: number) => createCollector(async () => folder, () => at, t.fail)
  await start(1_700_000_000_000).keep('p1s', JPEG, 10)
  const after = start(1_700_000_060_000)
  await after.keep('p1s', JPEG, 20)
  await after.end('p1s', 'good')
  const inFolder = (name: string) => readdir(join(folder, 'collected', name))
  t.match(await inFolder('unknown'), [/^2023-11-14T22-13-20.*p1s$/])
  t.match(await inFolder('good'), [/^2023-11-14T22-14-20.*p1s$/])
  t.same(await inFolder('running'), [])
})

t.test('a long print is thinned out from its beginning to its end', async t => {
  const folder = testFolder(t)
  const collector = createCollector(async () => folder, () => 0, t.fail)
  for (let minute = 0; minute < 500; minute++) void collector.keep('p1s', JPEG, minute / 5)
  await collector.end('p1s', 'good')
  const [print = ''] = await readdir(join(folder, 'collected', 'good'))
  const kept = (await readdir(join(folder, 'collected', 'good', print))).sort()
  t.ok(kept.length >= 200 && kept.length < 400, String(kept.length))
  t.same([kept[0], kept.at(-1)], ['00001_0.jpg', '00499_100.jpg'])
})

t.test('the oldest prints go, and what cannot be written is told', async t => {
  const folder = testFolder(t)
  for (let print = 10; print < 60; print++) await mkdir(join(folder, 'collected', 'good', `20${print}-01-01_p1s`), { recursive: true })
  const collector = createCollector(async () => folder, () => 2_000_000_000_000, t.fail)
  await collector.keep('p1s', JPEG, 1)
  await collector.end('p1s', 'good')
  const left = (await readdir(join(folder, 'collected', 'good'))).sort()
  t.equal(left.length, 40)
  t.equal(left.at(-1), '2059-01-01_p1s')
  t.ok(left.some(name => name.startsWith('2033-05')))
  const told: string[] = []
  await writeFile(join(folder, 'file'), '')
  const broken = createCollector(async () => join(folder, 'file'), () => 0, message => told.push(message))
  await broken.keep('p1s', JPEG, 1)
  t.match(told, [/cannot be collected/])
})
