import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { ActiveDetectors } from '../../../plugins/health-model/active-detectors.js'
import { CATALOGUE } from '../../../plugins/health-model/catalogue.data.js'
import { Networks, type NetworksDeps } from '../../../plugins/health-model/networks.js'
import { readRemote } from '../../../plugins/health-model/remote-settings.js'
import type { InferenceClient } from '../../../plugins/health-model/runtime/client.js'
import { checksumOf } from '../../../plugins/health-model/store.js'
import { boot } from '../../helpers/boot-features.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { detectionNetwork } from './onnx-builder.js'

const TOKEN = 'planted-token-of-a-server'
const network = detectionNetwork()
const box = { left: 0.1, top: 0.1, right: 0.4, bottom: 0.5, score: 0.9, label: 'failure' }
const client: InferenceClient = {
  inspect: async () => ({
    inputs: [{ name: 'p', dims: [1, 3, 64, 64] }],
    outputs: [{ name: 'a', dims: [1, 16, 1, 4] }, { name: 'b', dims: [1, 16, 1] }]
  }),
  infer: async () => ({ value: 0.9, boxes: [box], ms: 1, runtime: 'none' }),
  close: () => {}
}

const RUNTIME = { runtime: { node_modules: { 'onnxruntime-node': { 'package.json': '{"version":"1.0.0"}' } } } }

/** Networks in a folder, with a catalogue whose one entry is on a server of the test. */
async function opened (t: Test, more: Partial<NetworksDeps> = {}, content: object = RUNTIME) {
  const folder = testFolder(t, content as never)
  const options = { trust: 1, cameras: {} }
  const connections = { add: () => ({ connected: () => {}, failed: () => {}, remove: () => {} }) }
  const active = new ActiveDetectors({ folder, options, client, connections, maskSecret: () => {}, warn: t.fail })
  await active.reload()
  const networks = new Networks({ folder, options, active, client, trialClient: () => client, warn: t.fail, ...more })
  t.teardown(async () => {
    await networks.close()
    await active.settled()
  })
  const stepIs = (step: string) => eventually(() => networks.task.progress?.step === step)
  const names = () => active.detectors.map(({ name }) => name)
  return { folder, networks, stepIs, names }
}

/** @param sent how the server answers a request */
async function published (t: Test, sent: (reply: import('node:http').ServerResponse) => void, sha256 = checksumOf(network)) {
  let asked = 0
  const server = createServer((_request, reply) => { asked++; sent(reply) })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.closeAllConnections(); server.close() })
  const address = `http://localhost:${(server.address() as AddressInfo).port}/net.onnx`
  return { catalogue: [{ ...CATALOGUE[0]!, address, sha256, bytes: network.length }], asked: () => asked }
}

t.test('a published network is fetched once it was agreed to, and judges without a restart', async t => {
  const { catalogue, asked } = await published(t, reply => { reply.end(network) })
  const { networks, stepIs, names } = await opened(t, { catalogue })
  t.same(names(), ['built-in'])
  await t.rejects(networks.addPublished('obico', false), { code: 'PRN_ERR_BAD_INPUT' })
  await t.rejects(networks.addPublished('other', true), { code: 'PRN_ERR_NO_SUCH_NETWORK' })
  t.equal(asked(), 0)
  await networks.addPublished('obico', true)
  await stepIs('done')
  t.match(networks.task.progress, { name: 'obico', bytes: network.length, total: network.length, problem: null })
  t.same(names(), ['obico'], 'the built-in one steps aside')
  await networks.remove('obico')
  t.same(names(), ['built-in'])
  await t.rejects(networks.remove('built-in'), { code: 'PRN_ERR_BAD_INPUT' })
})

t.test('a file with another checksum is refused, and nothing of it stays', async t => {
  const { catalogue } = await published(t, reply => { reply.end(network) }, '0'.repeat(64))
  const { networks, stepIs, names } = await opened(t, { catalogue })
  await networks.addPublished('obico', true)
  await stepIs('failed')
  t.match(networks.task.progress?.problem, /not the published one/)
  t.same(names(), ['built-in'])
})

t.test('fetching can be cancelled, and nothing else is fetched meanwhile', async t => {
  const { catalogue } = await published(t, reply => { reply.write(network.subarray(0, 100)) })
  const { networks, names } = await opened(t, { catalogue })
  await networks.addPublished('obico', true)
  await eventually(() => networks.task.progress?.bytes === 100)
  await t.rejects(networks.addPublished('obico', true), { code: 'PRN_ERR_NETWORK_TASK' })
  await networks.task.cancel()
  t.match(networks.task.progress, { step: 'cancelled', problem: null })
  t.same(names(), ['built-in'])
})

t.test('files are added by a complete path, and only regular ones are read', async t => {
  const { networks, stepIs, names, folder } = await opened(t)
  await t.rejects(networks.addFrom('net.onnx', {}), { code: 'PRN_ERR_BAD_INPUT' })
  const file = join(folder, 'mine.onnx')
  await writeFile(file, network)
  await networks.addFrom(file, { labels: ['failure'] })
  await stepIs('done')
  t.same(names(), ['mine'])
  await networks.addFrom('/dev/zero', {})
  await stepIs('failed')
  t.match(networks.task.progress?.problem, /is not a file/)
})

t.test('without a runtime nothing is fetched; it is installed in the background, and can be cancelled', async t => {
  const { catalogue, asked } = await published(t, reply => { reply.end(network) })
  const install: NonNullable<NetworksDeps['install']> = async (_folder, { signal } = {}) => {
    await new Promise<void>(resolve => { signal?.addEventListener('abort', () => resolve()) })
    signal?.throwIfAborted()
  }
  const { networks, names } = await opened(t, { catalogue, install }, {})
  await t.rejects(networks.addPublished('obico', true), { code: 'PRN_ERR_NO_NETWORK_RUNTIME' })
  t.equal(asked(), 0)
  await t.rejects(networks.judge(Buffer.from('x'), undefined, new AbortController().signal), { code: 'PRN_ERR_NO_NETWORK_RUNTIME' })
  networks.installRuntime()
  t.match(networks.task.progress, { kind: 'runtime', step: 'installing' })
  await networks.task.cancel()
  t.equal(networks.task.progress?.step, 'cancelled')
  t.same(names(), [])
})

t.test('a picture is judged by every network, with the places', async t => {
  const { networks } = await opened(t)
  const found = await networks.judge(Buffer.from('x'), undefined, new AbortController().signal)
  t.match(found, [{ name: 'built-in', word: 'critical', boxes: [{ label: 'failure', fails: true }] }])
})

const CHANGES = [
  ['POST', '/api/health/networks', { path: '/etc/passwd' }],
  ['POST', '/api/health/networks', { published: { name: 'obico', agree: true } }],
  ['DELETE', '/api/health/networks', { name: 'x' }],
  ['POST', '/api/health/networks/try', { picture: 'AAAA' }],
  ['POST', '/api/health/networks/cancel', {}],
  ['POST', '/api/health/runtime', {}],
  ['POST', '/api/health/remote', { url: 'http://192.0.2.1' }],
  ['DELETE', '/api/health/remote', {}]
] as const

t.test('others on the network see how prints are watched, and can neither change it nor see addresses', async t => {
  const { kernel, http } = await boot(t)
  t.match(await http('POST', '/api/health/remote', { url: 'http://192.0.2.1:3333/?key=7', token: TOKEN }),
    { status: 200, body: { remote: { url: 'http://192.0.2.1:3333/?key=7', has_token: true }, may_change: true } })
  t.equal((await readRemote(join(kernel.dataDir, 'plugins', 'health-model'), t.fail))?.token, TOKEN)
  t.match(kernel.services.healthModels.detectors, [{ name: 'remote' }], 'at once')
  const far = { remoteAddress: '192.168.1.77', headers: { host: '192.168.1.9' } }
  for (const [method, url, payload] of CHANGES) {
    const inQuery = method === 'DELETE' ? { query: payload } : { payload }
    const { statusCode, body } = await kernel.app.inject({ method, url, ...inQuery, ...far } as never)
    t.equal(statusCode, 403, `${method} ${url}: ${body}`)
  }
  const { statusCode, body } = await kernel.app.inject({ method: 'GET', url: '/api/health/networks', ...far })
  t.equal(statusCode, 200)
  t.match(JSON.parse(body), { remote: { url: null, has_token: true }, networks: [{ source: null }], may_change: false })
  t.notMatch(body, TOKEN)
  t.match((await http('DELETE', '/api/health/remote')).body, { remote: null })
  t.same(kernel.services.healthModels.detectors, [])
})
