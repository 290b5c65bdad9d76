import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../core/index.js'
import { accessTo, findService, reachable } from '../../../presets/cli/find-service.js'
import { boot } from '../../helpers/boot.js'

/** A configuration whose pool is the one port. */
const configFor = (port: number, api: object = {}) =>
  loadConfig({ ports: { start: port, end: port }, api: { host: '127.0.0.1', ...api } })

async function somebody (t: Test, listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.closeAllConnections(); server.close() })
  return (server.address() as AddressInfo).port
}

t.test('a service is found by its port, in the pool or preferred', async t => {
  const { kernel } = await boot(t, { models: [], listen: true, config: { api: { host: '127.0.0.1' } } })
  const { apiPort } = kernel
  t.equal(await findService(configFor(apiPort)), apiPort)
  const preferring = loadConfig({ ports: { preferred: apiPort, start: 1, end: 1 }, api: { host: '127.0.0.1' } })
  t.equal(await findService(preferring), apiPort)
  const looked: number[] = []
  t.equal(await findService(configFor(apiPort), async port => { looked.push(port); return false }), undefined)
  t.same(looked, [apiPort], 'one that does not suit is passed over')
})

t.test('a service that wants another token stops the search and names the variable', async t => {
  const { kernel } = await boot(t, { models: [], listen: true, config: { api: { host: '127.0.0.1', token: 'the right one' } } })
  const { apiPort } = kernel
  for (const api of [{}, { token: 'a wrong one' }]) {
    await t.rejects(findService(configFor(apiPort, api)), { code: 'PRN_ERR_TOKEN_REFUSED', message: /PRN_API_TOKEN/ })
  }
  t.equal(await findService(configFor(apiPort, { token: 'the right one' })), apiPort)
})

t.test('somebody else is no service of ours, whatever they answer', async t => {
  for (const listener of [
    (_, reply) => { reply.end('hello') },
    (_, reply) => { reply.end('{"api_port":1,"pool_start":1}') },
    (_, reply) => { reply.writeHead(401).end('{"error":"login"}') },
    (_, reply) => { reply.writeHead(401).end() },
    (request, reply) => { request.socket.destroy(); reply.destroy() }
  ] satisfies RequestListener[]) t.equal(await findService(configFor(await somebody(t, listener))), undefined)
  t.equal(await findService(configFor(1)), undefined)
})

t.test('where a service of this machine is reached', async t => {
  t.equal(reachable('0.0.0.0'), '127.0.0.1')
  t.equal(reachable('::'), '127.0.0.1')
  t.equal(reachable('::1'), '[::1]')
  t.same(accessTo(configFor(80, { token: 'long enough' }), 80),
    { base: 'http://127.0.0.1:80', headers: { authorization: 'Bearer long enough' } })
})
