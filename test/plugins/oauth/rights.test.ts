import t from 'tap'
import type { Kernel } from '../../../core/index.js'
import { addUser, ADDRESS, ask, connect, consent, register, requestOf, verifierOf, refresh, RESOURCE, rpc, start, statusOf } from './oauth.js'

const HOUR_MS = 3_600_000

/** Names of printers and tools that a token reaches. */
async function reach (kernel: Kernel, token: string) {
  const { body, status } = await rpc(kernel, token, 'tools/list')
  if (status !== 200) return status
  const tools = body.result.tools.map(({ name }: any) => name) as string[]
  const { text } = await rpc(kernel, token, 'resources/list')
  return { acts: tools.includes('pause_print'), printers: ['p1s', 'x1c'].filter(name => text.includes(`printers/${name}`)) }
}

t.test('a grant follows what its person may do, at once', async t => {
  const { kernel } = await start(t, { models: ['P1S', 'X1C'] })
  const bob = await addUser(kernel, 'bob', 'operate')
  const { store } = kernel.services.people
  const { access, client, refresh: kept } = await connect(kernel, bob)
  const some = await connect(kernel, bob, { printers: ['x1c'] })
  t.same(await reach(kernel, access), { acts: true, printers: ['p1s', 'x1c'] })
  t.same(await reach(kernel, some.access), { acts: true, printers: ['x1c'] })
  await store.changeUser('bob', { printers: ['p1s'] }, true)
  t.same(await reach(kernel, access), { acts: true, printers: ['p1s'] })
  t.same(await reach(kernel, some.access), { acts: true, printers: [] })
  await store.changeUser('bob', { role: 'view', printers: null }, true)
  t.same(await reach(kernel, access), { acts: false, printers: ['p1s', 'x1c'] })
  await store.changeUser('bob', { role: 'administrate' }, true)
  t.same(await reach(kernel, access), { acts: true, printers: ['p1s', 'x1c'] })
  const { text } = await rpc(kernel, access, 'tools/call', { name: 'send_raw_request', arguments: {} })
  t.notMatch(text, '"ok"', 'nobody administrates by a grant')
  await store.removeUser('bob', true)
  t.equal(await reach(kernel, access), 401)
  t.match((await refresh(kernel, client, kept)).body, { error: 'invalid_grant' })
})

t.test('a grant ends when it was chosen to end', async t => {
  let now = Date.now()
  const { kernel, cookie } = await start(t, { dependencies: { now: () => now } })
  const hour = await connect(kernel, cookie, { lasts: 'hour' })
  const week = await connect(kernel, cookie, { lasts: 'week' })
  now += HOUR_MS - 1
  for (const { access } of [hour, week]) t.equal(await statusOf(kernel, access), 200)
  now += 1
  for (const { access } of [hour, week]) t.equal(await statusOf(kernel, access), 401, 'access tokens last an hour')
  t.match((await refresh(kernel, hour.client, hour.refresh)).body, { error: 'invalid_grant' })
  now += 7 * 24 * HOUR_MS - HOUR_MS - 60_000
  const { body } = await refresh(kernel, week.client, week.refresh)
  t.equal(body.expires_in, 60, 'and none of them longer than its grant')
  t.equal(await statusOf(kernel, body.access_token), 200)
  now += 60_000
  t.equal(await statusOf(kernel, body.access_token), 401)
  await kernel.services.oauth.tidy(false)
  t.same(kernel.services.oauth.snapshot, { grants: [], tokens: [] }, 'nothing of it is left')
})

t.test('a grant that nobody uses ends after three months', async t => {
  let now = Date.now()
  const { kernel, cookie } = await start(t, { dependencies: { now: () => now } })
  const { client, refresh: kept } = await connect(kernel, cookie, { lasts: 'revoked' })
  now += 91 * 24 * HOUR_MS
  t.match((await refresh(kernel, client, kept)).body, { error: 'invalid_grant' })
})

t.test('grants are known again after a restart, and nothing is stored of a person who is gone', async t => {
  const { kernel, cookie } = await start(t)
  const bob = await addUser(kernel, 'bob', 'operate')
  const { access } = await connect(kernel, cookie)
  await connect(kernel, bob)
  const { oauth, people } = kernel.services
  await oauth.grants.read()
  t.equal(await statusOf(kernel, access), 200)
  const key = await people.store.addKey({
    name: 'dash', role: 'view', printers: undefined, expiresAt: undefined, owner: people.find('bob').id
  })
  const headers = { authorization: `Bearer ${key}`, origin: ADDRESS }
  t.same((await ask(kernel, '/api/oauth/grants', { headers })).body.grants, [], 'a key of a user is not the user')
  const query = { name: 'grant of bob to Agent' }
  t.equal((await ask(kernel, '/api/oauth/grants', { method: 'DELETE', query, headers })).status, 404)
  const request = requestOf(await register(kernel), verifierOf())
  for (const current of ['', 'another password']) {
    t.match(await consent(kernel, cookie, request, { current }), { status: 403, body: { error: 'wrong_password' } }, 'a browser that was left open')
  }
  await people.store.removeUser('bob', true)
  await kernel.services.database.change<any, unknown>(db => db.updateTable('oauth_grants').set({ created_at: 1 }).execute())
  await oauth.tidy(true)
  t.same(oauth.snapshot.grants.map(({ name }) => name), ['grant of alice to Agent'])
  t.equal(await statusOf(kernel, access), 200)
})

t.test('an open stream ends with its grant', async t => {
  const { kernel, cookie } = await start(t, { listen: true, config: { api: { host: '127.0.0.1', publicUrl: RESOURCE.replace('/mcp', '') } } })
  const { access } = await connect(kernel, cookie)
  const url = `http://127.0.0.1:${kernel.apiPort}/mcp`
  const headers = { authorization: `Bearer ${access}`, accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
  const initialize = {
    jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
  }
  const begun = await fetch(url, { method: 'POST', headers, body: JSON.stringify(initialize) })
  await begun.text()
  const session = { ...headers, 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '', 'mcp-protocol-version': '2025-11-25' }
  const stream = await fetch(url, { headers: session })
  t.equal(stream.status, 200)
  const ended = t.rejects(stream.text())
  const { status } = await ask(kernel, '/api/oauth/grants', {
    method: 'DELETE', query: { name: 'grant of alice to Agent' }, headers: { cookie, origin: 'http://localhost:49152' }
  })
  t.equal(status, 200)
  await ended
  t.equal((await fetch(url, { headers: session })).status, 401)
})

t.test('a grant prints no more than its person chose', async t => {
  const models = [{ model: 'X1C' as const, name: 'x1c', sdCard: { samples: true }, reportEveryMs: 50 }]
  const { kernel, cookie, printer } = await start(t, { models })
  const { access } = await connect(kernel, cookie, { budget: { prints: { most: 0, per: 'life' } } })
  const { body: me } = await rpc(kernel, access, 'tools/call', { name: 'who_am_i', arguments: {} })
  t.match(JSON.stringify(me), /"left\\*":0/)
  const file = { file_path: '/calibration-cube.gcode.3mf', use_ams: true, accept_mismatch: true, user_permission: true }
  const { text } = await rpc(kernel, access, 'tools/call', { name: 'print_file', arguments: { name: 'x1c', ...file } })
  t.match(text, /budget/)
  t.same(printer.requests.filter(({ command }) => command === 'project_file'), [])
  const { body } = await ask(kernel, '/api/oauth/grants', { headers: { cookie } })
  t.match(body.grants, [{ budget: { prints: { most: 0, left: 0, per: 'life' } } }])
  const raw = await rpc(kernel, access, 'tools/call', {
    name: 'send_gcode', arguments: { name: 'x1c', gcode: 'G28', user_permission: true }
  })
  t.match(raw.text, /has a budget/, 'nor by another way')
})
