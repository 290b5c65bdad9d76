import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { openPins } from '../../../core/kernel/certificate-pins.js'
import { LOST_PIN } from '../../../core/printer/tls.js'
import { testFolder } from '../../helpers/folder.js'

async function open (t: Test) {
  const dataDir = testFolder(t)
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

const SPOILT = {
  'an empty file': '',
  'half a file': '{"version":1,"finger',
  'a file of a newer version': '{"version":2,"pins":[{"serial":"S1","sha256":"AA:BB"}]}',
  'an empty fingerprint': '{"version":1,"fingerprints":{"S1":""}}'
}
for (const [what, content] of Object.entries(SPOILT)) {
  t.test(`${what} is no reason to trust whoever answers first`, async t => {
    const { path, dataDir, again, warnings } = await open(t)
    await writeFile(path, content)
    t.equal((await again()).get('S1'), LOST_PIN)
    t.equal(warnings.length, 1)
    t.match(warnings[0], /certificates\.json is damaged or from a newer version .*--accept-certificate/)
    const aside = (await readdir(dataDir)).find(name => name.includes('.damaged-')) ?? ''
    t.equal(await readFile(join(dataDir, aside), 'utf8'), content, 'what it was is kept')
    t.equal((await again()).get('S1'), LOST_PIN, 'nor is it after the next start')
    t.equal(warnings.length, 1, 'which has nothing more to say of it')
  })
}

t.test('a printer whose certificate was accepted after the loss is learned, the others are not', async t => {
  const { path, again } = await open(t)
  await writeFile(path, '')
  const pins = await again()
  await pins.drop('S1')
  t.equal(pins.get('S1'), undefined)
  const later = await again()
  t.equal(later.get('S1'), undefined, 'also by a process that comes later')
  later.set('S1', 'AA:BB')
  await later.settled()
  t.equal(pins.get('S1'), 'AA:BB')
  t.equal(pins.get('S2'), LOST_PIN)
  t.equal((await again()).get('S2'), LOST_PIN)
})
