import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { addModel } from '../../../plugins/health-model/add-model.js'
import { CATALOGUE } from '../../../plugins/health-model/catalogue.data.js'
import { consentText, publishedNamed, sourcesIn } from '../../../plugins/health-model/sources.js'
import { checksumOf, storedModels } from '../../../plugins/health-model/store.js'
import { add } from '../../../presets/cli/commands/health.js'
import { testFolder } from '../../helpers/folder.js'
import { detectionNetwork } from './onnx-builder.js'

const [obico] = CATALOGUE
const client = {
  inspect: async () => ({
    inputs: [{ name: 'p', dims: [1, 3, 64, 64] }],
    outputs: [{ name: 'a', dims: [1, 16, 1, 4] }, { name: 'b', dims: [1, 16, 1] }]
  }),
  infer: async () => ({ value: 0, boxes: [], ms: 1, runtime: 'none' })
}

t.test('a published network is stored only with the checksum that was published', async t => {
  const network = detectionNetwork()
  const server = createServer((_request, reply) => { reply.end(network) })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const folder = testFolder(t)
  const source = `http://localhost:${(server.address() as AddressInfo).port}/net.onnx`
  const { signal } = new AbortController()
  const from = (expected: string) =>
    addModel({ folder, client, source, signal, expected, overrides: { ...obico!.overrides, name: 'obico', licence: 'AGPL-3.0' } })
  await t.rejects(from('0'.repeat(64)), /not the published one/)
  t.same(await storedModels(folder, t.fail), [])
  t.match(await from(checksumOf(network)), { name: 'obico', licence: 'AGPL-3.0', labels: ['failure'], fit: 'stretch' })
})

t.test('nothing is fetched without consent, and consent shows licence, size and address', async t => {
  const text = consentText(obico!).join('\n')
  t.match(text, /AGPL-3\.0/)
  t.match(text, /193 MiB/)
  t.ok(text.includes(obico!.address))
  let asked = 0
  const unreachable = [{ ...obico!, address: 'https://prnd.invalid/net.onnx' }]
  const config = join(testFolder(t), 'config.json')
  await writeFile(config, JSON.stringify({ dataDir: testFolder(t) }))
  await add('obico', { config }, async () => { asked++; return false }, unreachable)
  t.equal(asked, 1, 'and a refusal ends it: fetching would have failed')
})

t.test('entries of the catalogue are complete, and names are told from files', async t => {
  for (const { name, address, sha256, bytes } of CATALOGUE) {
    t.match(sha256, /^[0-9a-f]{64}$/)
    t.match(address, /^https:\/\//)
    t.ok(bytes > 0 && publishedNamed(name.toUpperCase()))
  }
  t.equal(publishedNamed('./obico'), undefined)
})

t.test('a folder stands for the networks in it', async t => {
  const folder = testFolder(t)
  await mkdir(join(folder, 'empty'))
  for (const name of ['b.onnx', 'a.ONNX', 'notes.txt']) await writeFile(join(folder, name), '')
  t.same(await sourcesIn(folder), [join(folder, 'a.ONNX'), join(folder, 'b.onnx')])
  t.same(await sourcesIn('https://example.org/x.onnx'), ['https://example.org/x.onnx'])
  await t.rejects(sourcesIn(join(folder, 'empty')), /no \.onnx file/)
})
