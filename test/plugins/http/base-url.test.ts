import { request } from 'node:http'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../core/kernel/config.js'
import { boot } from '../../helpers/boot-features.js'
import { answerOf, initialize, listening, LATEST } from '../mcp/connect.js'

const LAN = '192.168.1.9:8080'
const linkOf = async (t: Test, api: object, host: string) => {
  const { kernel } = await boot(t, { models: [], config: { api, printers: [] } })
  const reply = await kernel.app.inject({ url: '/api/server_info', headers: { host } })
  return reply.statusCode === 200 ? reply.json<{ api_url: string }>().api_url : reply.statusCode
}

t.test('addresses in answers begin with what the caller asked for', async t => {
  t.equal(await linkOf(t, {}, LAN), `http://${LAN}/api`)
  t.equal(await linkOf(t, { allowedHosts: ['prnd.example'] }, 'prnd.example'), 'http://prnd.example/api')
  t.equal(await linkOf(t, {}, '[fe80::1]:8080'), 'http://[fe80::1]:8080/api')
  for (const here of ['localhost:1234', '127.0.0.1', '[::1]:1234']) {
    t.match(await linkOf(t, {}, here), /^http:\/\/localhost:\d+\/api$/, `${here} stays localhost`)
  }
  t.equal(await linkOf(t, {}, 'evil.example'), 403, 'a host that is not ours is in no address')
})

t.test('or with the address that the operator names', async t => {
  const publicUrl = 'https://printers.example.org/'
  t.equal(await linkOf(t, { publicUrl }, LAN), 'https://printers.example.org/api')
  t.equal(await linkOf(t, { publicUrl }, 'localhost'), 'https://printers.example.org/api')
  for (const wrong of ['printers.example.org', 'ftp://x', 'https://a/b', 'https://user@x', '']) {
    t.throws(() => loadConfig({ api: { publicUrl: wrong } }), { message: /^api\.publicUrl .*https:\/\/printers/ }, wrong)
  }
})

/** One request under another host than the one that is connected to. */
const askAs = (host: string, url: string, headers: object, body: object) => new Promise<Response>((resolve, reject) => {
  request(url, {
    method: 'POST',
    headers: { host, accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers }
  }, reply => {
    let text = ''
    reply.on('data', chunk => { text += chunk })
    reply.on('end', () => resolve(new Response(text, { headers: reply.headers as Record<string, string> })))
  }).on('error', reject).end(JSON.stringify(body))
})

t.test('an agent from elsewhere is told addresses that it can reach; each request counts for itself', async t => {
  const { url, begin } = await listening(t, { models: ['P1S'] })
  const session = { 'mcp-session-id': await begin(), 'mcp-protocol-version': LATEST }
  const call = async (host: string, name: string, args: object) => {
    const params = { name, arguments: args }
    const reply = await askAs(host, url, session, { ...initialize(), method: 'tools/call', params })
    return (await answerOf(reply)).result
  }
  const link = async (host: string) =>
    (await call(host, 'get_monitoring_data', { name: 'p1s' })).content[0].text as string
  t.match(await link(LAN), `http://${LAN}/api/monitoring_data?printer=p1s`)
  t.match(await link('localhost:9'), `http://localhost:${new URL(url).port}/api/monitoring_data?printer=p1s`)

  const started = JSON.parse((await call(LAN, 'start_stream', { name: 'p1s', user_permission: true })).content[0].text)
  t.equal(started.url, `http://192.168.1.9:${started.port}/`)
  t.equal(started.shared_url, `http://${LAN}/stream/p1s/`)
})
