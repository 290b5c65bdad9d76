import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { loadConfig, readServiceFile } from '../../../core/index.js'
import { IDENTITY_PATH } from '../../../plugins/http/index.js'
import { findService, reachable } from '../../../presets/cli/find-service.js'
import { boot } from '../../helpers/boot.js'
import { testFolder } from '../../helpers/folder.js'
import { freePort } from '../../helpers/ports.js'

const withoutIpv6 = Object.values(networkInterfaces()).flat().some(one => one?.address === '::1') ? false : 'there is no ::1'

/** A configuration whose pool is the one port. */
const configFor = (port: number, dataDir: string, api: object = {}) =>
  loadConfig({ dataDir, ports: { start: port, end: port }, api: { host: '127.0.0.1', ...api } })

async function somebody (t: Test, listener: RequestListener, port = 0): Promise<number> {
  const server = createServer(listener).listen(port, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.closeAllConnections(); server.close() })
  return (server.address() as AddressInfo).port
}

t.test('a service is found by its data folder, its preferred port, or in the pool', async t => {
  const { kernel } = await boot(t, { models: [], listen: true, config: { api: { host: '127.0.0.1' } } })
  const { apiPort, dataDir } = kernel
  const elsewhere = testFolder(t)
  t.match(await findService(configFor(1, dataDir)), { port: apiPort, proven: true })
  t.match(await findService(configFor(apiPort, elsewhere)), { port: apiPort, proven: false })
  const preferring = { dataDir: elsewhere, ports: { preferred: apiPort, start: 1, end: 1 }, api: { host: '127.0.0.1' } }
  t.match(await findService(loadConfig(preferring)), { port: apiPort })
  const looked: number[] = []
  const suits = async ({ port }: { port: number }) => { looked.push(port); return false }
  t.equal(await findService(configFor(apiPort, dataDir), suits), undefined)
  t.same(looked, [apiPort], 'one that does not suit is passed over')
})

t.test('a demonstration is found after the service of the data folder, and can be passed over', async t => {
  const dataDir = testFolder(t)
  const api = { host: '127.0.0.1', token: 'the right one' }
  const { kernel: demo } = await boot(t, { models: [], listen: true, config: { dataDir: join(dataDir, 'demo'), api } })
  const config = configFor(demo.apiPort, dataDir, api)
  const found = await findService(config)
  t.match(found, { port: demo.apiPort, proven: true, isDemo: true })
  t.equal((await found?.fetch(`${found.base}/api/printers`))?.status, 200, 'the token is sent')
  t.equal(await findService(config, async ({ isDemo }) => !isDemo), undefined)
  t.equal(await findService(configFor(demo.apiPort, dataDir, { token: 'another one' })), undefined, 'it stops nobody')
  const { kernel } = await boot(t, { models: [], listen: true, config: { dataDir, api } })
  t.match(await findService(config), { port: kernel.apiPort, isDemo: false })
})

t.test('only where somebody listens is asked', async t => {
  const fetches = t.capture(globalThis, 'fetch', globalThis.fetch)
  const config = (port: number, host: string) => configFor(port, testFolder(t), { host })
  t.equal(await findService(config(await freePort(), '127.0.0.1')), undefined)
  t.same(fetches(), [])
  const asked: (string | undefined)[] = []
  const port = await somebody(t, ({ url }, reply) => { asked.push(url); reply.end('{}') })
  t.equal(await findService(config(port, '0.0.0.0')), undefined)
  t.same(asked, ['/api/server_info'])
})

t.test('a service that listens on an address of version 6 is found', { skip: withoutIpv6 }, async t => {
  const { kernel } = await boot(t, { models: [], listen: true, config: { api: { host: '::1' } } })
  t.match(await findService(configFor(kernel.apiPort, kernel.dataDir, { host: '::1' })), { port: kernel.apiPort, proven: true })
})

t.test('a service that wants another token stops the search and names the variable', async t => {
  const { kernel } = await boot(t, { models: [], listen: true, config: { api: { host: '127.0.0.1', token: 'the right one' } } })
  const { apiPort, dataDir } = kernel
  for (const api of [{}, { token: 'a wrong one' }]) {
    await t.rejects(findService(configFor(apiPort, dataDir, api)), { code: 'PRN_ERR_TOKEN_REFUSED', message: /PRN_API_TOKEN/ })
  }
  const found = await findService(configFor(apiPort, dataDir, { token: 'the right one' }))
  t.match(found, { port: apiPort, proven: true })
  t.equal((await found?.fetch(`${found.base}/api/printers`))?.status, 200, 'the token is sent')
})

t.test('wrong tokens from this machine do not lock its commands out, and a wrong one is still named', async t => {
  const { kernel } = await boot(t, { models: [], listen: true, config: { api: { host: '127.0.0.1', token: 'the right one' } } })
  const { apiPort, dataDir } = kernel
  const authorization = 'Bearer wrong'
  const guess = () => fetch(`http://127.0.0.1:${apiPort}/api/printers`, { headers: { authorization } })
  for (let at = 0; at < 300; at++) await (await guess()).arrayBuffer()
  t.equal((await guess()).status, 429)
  t.match(await findService(configFor(apiPort, dataDir, { token: 'the right one' })), { port: apiPort, proven: true })
  await t.rejects(findService(configFor(apiPort, dataDir, { token: 'a wrong one' })), { code: 'PRN_ERR_TOKEN_REFUSED' })
})

t.test('the token is sent to nobody who does not use the data folder', async t => {
  const token = 'the right one'
  const { kernel } = await boot(t, { models: [], listen: true, config: { api: { host: '127.0.0.1', token } } })
  const heard: string[] = []
  const relay = await somebody(t, async (request, reply) => {
    heard.push(JSON.stringify(request.headers))
    const { body, status } = await relayed(kernel.apiPort, request.url ?? '')
    reply.writeHead(status, { 'content-type': 'application/json' }).end(body)
  })
  const impostor = await somebody(t, (request, reply) => {
    heard.push(JSON.stringify(request.headers))
    reply.writeHead(request.headers.authorization === undefined ? 401 : 200)
      .end('{"status":"error","error":"unauthorized","proof":"0000","api_port":1,"pool_start":1}')
  })
  const { dataDir } = kernel
  await writeFile(join(dataDir, 'service.json'),
    JSON.stringify({ ...await readServiceFile(dataDir), port: impostor })) // as a killed service would have left it
  for (const port of [relay, impostor]) {
    await t.rejects(findService(configFor(port, dataDir, { token })), { code: 'PRN_ERR_NOT_PROVEN', message: /no token was sent/ })
  }
  await t.rejects(findService(configFor(kernel.apiPort, testFolder(t), { token })),
    { code: 'PRN_ERR_NOT_PROVEN', message: /PRN_DATA_DIR/ }, 'to one of another data folder neither')
  t.ok(heard.length > 3)
  t.notMatch(heard.join(), token)
})

async function relayed (port: number, path: string) {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`)
  return { status: reply.status, body: await reply.text() }
}

t.test('a program that takes the port of a service that ended does not get its token', async t => {
  const token = 'the right one'
  const { kernel } = await boot(t, { models: [], listen: true, config: { api: { host: '127.0.0.1', token } } })
  const { apiPort, dataDir } = kernel
  const left = await readServiceFile(dataDir)
  const found = await findService(configFor(apiPort, dataDir, { token }))
  await kernel.close()
  const ask = async () => await found?.fetch(`${found.base}/api/printers`)
  await t.rejects(ask(), { cause: { code: 'ECONNREFUSED' } })
  await writeFile(join(dataDir, 'service.json'), JSON.stringify(left))
  const heard: string[] = []
  await somebody(t, (request, reply) => { heard.push(JSON.stringify(request.headers)); reply.end('{"proof":"00"}') }, apiPort)
  await t.rejects(ask(), { cause: { code: 'ECONNREFUSED' } })
  t.equal(heard.length, 1)
  t.notMatch(heard.join(), token)
})

t.test('somebody else is no service of ours, whatever they answer', async t => {
  const dataDir = testFolder(t)
  for (const listener of [
    (_, reply) => { reply.end('hello') },
    (_, reply) => { reply.end('{"api_port":1,"pool_start":1}') },
    (_, reply) => { reply.writeHead(401).end('{"error":"login"}') },
    (_, reply) => { reply.writeHead(401).end() },
    (request, reply) => { request.socket.destroy(); reply.destroy() }
  ] satisfies RequestListener[]) t.equal(await findService(configFor(await somebody(t, listener), dataDir)), undefined)
  t.equal(await findService(configFor(1, dataDir)), undefined)
})

t.test('who says nothing is asked once', async t => {
  const { kernel: { dataDir } } = await boot(t, { models: [], listen: true, config: { api: { host: '127.0.0.1' } } })
  const asked: (string | undefined)[] = []
  const port = await somebody(t, ({ url = '' }) => { asked.push(url.replace(/\?.*/, '')) })
  const left = { ...await readServiceFile(dataDir), port: undefined }
  await writeFile(join(dataDir, 'service.json'), JSON.stringify(left)) // nobody of ours is awaited there: for a second only
  t.equal(await findService(configFor(port, dataDir)), undefined)
  t.same(asked, [IDENTITY_PATH])
})

t.test('where a service of this machine is reached', async t => {
  t.equal(reachable('0.0.0.0'), '127.0.0.1')
  t.equal(reachable('::'), '127.0.0.1')
  t.equal(reachable('::1'), '[::1]')
})
