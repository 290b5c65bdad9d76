import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { openPins } from '../../core/pins.js'

async function open (t: Test) {
  const dataDir = t.testdir()
  const path = join(dataDir, 'certificates.json')
  const warnings: string[] = []
  const again = () => openPins(dataDir, text => warnings.push(text))
  const stored = async () => JSON.parse(await readFile(path, 'utf8')).fingerprints
  return { dataDir, path, warnings, again, stored, pins: await again() }
}

t.test('what is learned is known at once and after a restart', async t => {
  const { pins, again, stored } = await open(t)
  t.equal(pins.get('S1'), undefined)
  pins.set('S1', 'AA:BB')
  t.equal(pins.get('S1'), 'AA:BB')
  await pins.settled()
  t.same(await stored(), { S1: 'AA:BB' })
  t.equal((await again()).get('S1'), 'AA:BB')
})

t.test('several printers learned at once are all kept', async t => {
  const { pins, stored } = await open(t)
  for (let at = 0; at < 20; at++) pins.set(`S${at}`, `F${at}`)
  await pins.settled()
  t.equal(Object.keys(await stored()).length, 20)
})

t.test('dropping forgets one and keeps the others', async t => {
  const { pins, stored } = await open(t)
  pins.set('S1', 'A')
  pins.set('S2', 'B')
  await pins.drop('S1')
  t.equal(pins.get('S1'), undefined)
  t.same(await stored(), { S2: 'B' })
  await t.resolves(pins.drop('unknown'))
})

t.test('a certificate accepted by another process counts without a restart', async t => {
  const { pins, again, stored } = await open(t)
  pins.set('S1', 'old')
  pins.set('S2', 'B')
  await pins.settled()
  const other = await again()
  await other.drop('S1')
  t.equal(pins.get('S1'), undefined)
  other.set('S1', 'new')
  await other.settled()
  t.equal(pins.get('S1'), 'new')
  pins.set('S3', 'C')
  await pins.settled()
  t.same(await stored(), { S1: 'new', S2: 'B', S3: 'C' }, 'and is not undone by the next write')
})

t.test('a file that goes or is spoilt while the service runs forgets nothing', async t => {
  const { pins, path } = await open(t)
  pins.set('S1', 'A')
  await pins.settled()
  await writeFile(path, '{"version":1,')
  t.equal(pins.get('S1'), 'A')
  await writeFile(path, '{"version":1,"fingerprints":{"S1":5}}')
  t.equal(pins.get('S1'), 'A')
  await rm(path)
  t.equal(pins.get('S1'), 'A')
})

t.test('a file that cannot be written is warned of, and the pin holds in memory', async t => {
  const { pins, dataDir, warnings } = await open(t)
  await rm(dataDir, { recursive: true })
  await writeFile(dataDir, 'in the way')
  pins.set('S1', 'A')
  await pins.settled()
  t.equal(pins.get('S1'), 'A')
  t.match(warnings, [/^the certificate of S1 could not be stored: /])
  await rm(dataDir)
})

t.test('a damaged file is set aside at the start', async t => {
  const { path, again, warnings } = await open(t)
  await writeFile(path, 'no json')
  t.equal((await again()).get('S1'), undefined)
  t.match(warnings, [/certificates\.json is damaged/])
})
