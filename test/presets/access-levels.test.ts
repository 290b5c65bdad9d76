import t from 'tap'
import { io } from 'socket.io-client'
import { WebSocket } from 'ws'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { createKernel, accessOf, accessOfRoute, type Preset, type AccessLevel, type Route } from '../../core/index.js'
import daemon from '../../presets/daemon/index.js'
import standalone from '../../presets/standalone/index.js'
import { boot } from '../helpers/boot.js'
import { testFolder } from '../helpers/folder.js'
import { bootApp } from './standalone/boot.js'

const ELSEWHERE = '192.168.1.77'
const TOKEN = 'a-long-token'
/** The sentence names the ways. */
const WAYS = /only on this machine.*PRN_API_TOKEN.*api\.trustLan: true/

interface Listed { readonly method: string, readonly url: string, readonly access: AccessLevel }

const accessOfBound = (method: string, url: string, route: Route | undefined) =>
  route ? accessOf(route.operation) : accessOfRoute(method, url)

/** A service without printers, and every route it has. */
async function start (preset: Preset, api: object = {}) {
  const kernel = await createKernel(preset, { dataDir: testFolder(t), log: { file: false }, api })
  t.teardown(() => kernel.close())
  const routes: Listed[] = []
  kernel.app.addHook('onRoute', ({ method, url, config = {} }) => {
    for (const one of [method].flat()) routes.push({ method: one, url, access: accessOfBound(one, url, config.route) })
  })
  await kernel.start({ listen: false })
  return { kernel, routes }
}

/** Streams never end: that they begin is enough. */
const ENDLESS = ['/api/live', '/mcp']

for (const preset of [daemon, standalone]) {
  t.test(`${preset.name}: every route, asked from elsewhere, has the access of the table`, async t => {
    const { kernel, routes } = await start(preset)
    const ask = async ({ method, url }: Listed, more: object = {}) =>
      await kernel.app.inject({ method: method as 'GET', url: url.replace(':act', 'test'), remoteAddress: ELSEWHERE, ...more })
    let closed = 0
    for (const route of routes.filter(({ url }) => !ENDLESS.includes(url))) {
      const name = `${route.method} ${route.url}`
      const { statusCode, body } = await ask(route)
      if (route.access === 'trusted') {
        closed++
        t.equal(statusCode, 403, name)
        if (route.method !== 'HEAD') t.match(JSON.parse(body).reason, WAYS, name)
      } else {
        t.notMatch(body, WAYS, name)
      }
    }
    t.ok(closed >= 6, `${closed} are closed`)
    for (const route of routes.filter(({ access, url }) => access === 'trusted' && !url.includes('management'))) {
      const { body } = await ask(route, { remoteAddress: '127.0.0.1' })
      t.notMatch(body, WAYS, `${route.method} ${route.url} from this machine`)
    }
  })

  t.test(`${preset.name}: with the token, or where the network is trusted, nothing is closed`, async t => {
    for (const api of [{ token: TOKEN }, { trustLan: true }]) {
      const { kernel, routes } = await start(preset, api)
      const headers = 'token' in api ? { authorization: `Bearer ${TOKEN}` } : {}
      for (const { method, url, access } of routes) {
        if (access !== 'trusted' || url.includes('management')) continue
        const { body } = await kernel.app.inject({ method: method as 'GET', url, remoteAddress: ELSEWHERE, headers })
        t.notMatch(body, WAYS, `${method} ${url}`)
      }
      if ('token' in api) t.equal((await kernel.app.inject({ url: '/plugins', remoteAddress: ELSEWHERE })).statusCode, 401)
    }
  })
}

t.test('every tool, called from elsewhere, has the access of its operation; each request is judged by itself', async t => {
  const { kernel } = await boot(t, { models: [], listen: true, config: { api: { trustProxy: ['127.0.0.1'] } } })
  const connect = async (headers: Record<string, string>) => {
    const client = new Client({ name: 'test', version: '1.0.0' })
    const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${kernel.apiPort}/mcp`), { requestInit: { headers } })
    await client.connect(transport as Transport)
    t.teardown(() => client.close())
    return { client, transport }
  }
  const far = await connect({ 'x-forwarded-for': ELSEWHERE })
  const near = await connect({})
  const { tools } = kernel.services.mcp.serverContext
  const textOf = (result: object) => JSON.stringify(result)
  const trusted = [...tools.values()].filter(({ binding }) => accessOf(binding.operation) === 'trusted').map(({ binding }) => binding.name)
  for (const { binding: { name } } of tools.values()) {
    const text = textOf(await far.client.callTool({ name, arguments: {} }))
    t[trusted.includes(name) ? 'match' : 'notMatch'](text, WAYS, name)
  }
  t.ok(['add_printer', 'update_printer_credentials', 'remove_printer', 'upload_file', 'download_file', 'send_mqtt_command']
    .every(name => trusted.includes(name)), trusted.join(', '))
  for (const name of trusted) t.notMatch(textOf(await near.client.callTool({ name, arguments: {} })), WAYS, `${name} from here`)
  const stolen = await fetch(`http://127.0.0.1:${kernel.apiPort}/mcp`, {
    method: 'POST',
    headers: {
      'x-forwarded-for': ELSEWHERE,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': near.transport.sessionId ?? ''
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'tools/call', params: { name: 'add_printer', arguments: {} } })
  })
  t.match(await stolen.text(), WAYS, 'the session of somebody here is no proof')
})

t.test('states and events are for everybody, over every socket', async t => {
  const { kernel } = await bootApp(t, { listen: true, config: { api: { trustProxy: ['127.0.0.1'] } } })
  const headers = { 'x-forwarded-for': ELSEWHERE }
  const base = `127.0.0.1:${kernel.apiPort}`
  const socket = io(`http://${base}`, { reconnection: false, transports: ['websocket'], extraHeaders: headers })
  t.teardown(() => { socket.disconnect() })
  await new Promise((resolve, reject) => { socket.once('connect', () => resolve(0)).once('connect_error', reject) })
  const live = new WebSocket(`ws://${base}/api/live`, { headers })
  t.teardown(() => live.terminate())
  await new Promise((resolve, reject) => { live.once('message', resolve).once('error', reject) })
  const events = await fetch(`http://${base}/api/live`, { headers })
  t.equal(events.status, 200)
  await events.body?.cancel()
})

t.test('who is on this machine', async t => {
  const { kernel } = await start(daemon)
  const proxied = (await start(daemon, { trustProxy: ['127.0.0.1'] })).kernel
  const { networkInterfaces } = await import('node:os')
  const own = Object.values(networkInterfaces()).flat().find(address => address?.internal === false && address.family === 'IPv4')
  const ask = async (remoteAddress: string, headers: Record<string, string> = {}, from = kernel) =>
    (await from.app.inject({ url: '/plugins', remoteAddress, headers: { host: 'localhost:49152', ...headers } })).statusCode
  for (const address of ['127.0.0.1', '127.0.1.1', '::1', '::ffff:127.0.0.1']) t.equal(await ask(address), 200, address)
  for (const address of [ELSEWHERE, '10.0.0.1', 'fe80::1%eth0', '::ffff:192.168.1.77']) t.equal(await ask(address), 403, address)
  for (const name of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via', 'x-forwarded-host']) {
    t.equal(await ask('127.0.0.1', { [name]: '127.0.0.1' }), 403, `a proxy that is not believed says ${name}`)
  }
  for (const host of ['192.168.1.5:49152', 'myhost.localhost.example', '8.8.8.8']) {
    t.equal(await ask('127.0.0.1', { host }), 403, `over loopback under the name ${host}`)
  }
  t.equal(await ask('127.0.0.1', {}, proxied), 200, 'a program beside the proxy')
  t.equal(await ask('127.0.0.1', { 'x-forwarded-for': ELSEWHERE }, proxied), 403)
  t.equal(await ask('127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }, proxied), 403, 'a proxy may pass on what it is told')
  t.equal(await ask('127.0.0.1', { 'x-real-ip': ELSEWHERE }, proxied), 403)
  if (own) {
    t.equal(await ask(own.address, { host: `${own.address}:49152` }), 200, 'its own address on the network')
    t.equal(await ask('127.0.0.1', { 'x-forwarded-for': own.address }, proxied), 200)
    t.equal(await ask(own.address, { 'x-forwarded-for': own.address }), 403)
  }
})
