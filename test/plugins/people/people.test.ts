import { rm } from 'node:fs/promises'
import t, { type Test } from 'tap'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { WebSocket } from 'ws'
import database from '../../../plugins/database/index.js'
import people from '../../../plugins/people/index.js'
import { hashPassword } from '../../../plugins/people/passwords.js'
import { featuresWith } from '../../helpers/boot-features.js'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { ask, ELSEWHERE, localPass, logIn, PASSWORD } from './people.js'

t.test('without users nothing is asked of anybody; the first user closes the service, the last opens it again', async t => {
  const { kernel } = await boot(t, { models: [], listen: true })
  t.equal((await ask(kernel, 'GET', '/api/printers', undefined, { from: ELSEWHERE })).status, 200)
  t.equal((await ask(kernel, 'GET', '/login')).status, 404, 'there is nothing to log in for')
  t.equal((await ask(kernel, 'GET', '/api/people/users', undefined, { from: ELSEWHERE })).body.error, 'trusted_only')
  for (const lesser of [{ role: 'operate' }, { role: 'administrate', printers: ['x1c'] }]) {
    const refused = await ask(kernel, 'POST', '/api/people/users', { name: 'Ben', password: PASSWORD, ...lesser })
    t.match(refused, { status: 409, body: { error: 'first_administrator' } }, 'somebody must be able to manage the others')
  }
  const live = new WebSocket(`ws://127.0.0.1:${kernel.apiPort}/api/live`)
  const closed = new Promise<void>(resolve => { live.once('close', () => resolve()).on('error', () => {}) })
  await new Promise(resolve => live.once('open', resolve))
  const made = await ask(kernel, 'POST', '/api/people/users', { name: 'Anna', role: 'administrate', password: PASSWORD })
  t.match(made.body, { name: 'Anna', role: 'administrate', printers: null, has_password: true })
  t.notMatch(made.text, /argon2/, 'the hash is nobody’s')
  await closed
  t.pass('what was open without a login ends')
  for (const from of ['127.0.0.1', ELSEWHERE]) t.equal((await ask(kernel, 'GET', '/api/printers', undefined, { from })).status, 401, from)
  for (const key of ['', 'Bearer', '0', 'prnd_', 'undefined']) {
    t.equal((await ask(kernel, 'GET', '/api/printers', undefined, { headers: { authorization: `Bearer ${key}` } })).status, 401, `'${key}'`)
  }
  const key = await localPass(kernel)
  t.equal((await ask(kernel, 'GET', '/api/people/users', undefined, { key })).body.users.length, 1, 'the command line is let in')
  t.equal((await ask(kernel, 'DELETE', '/api/people/users?name=anna', undefined, { key })).status, 200)
  t.equal((await ask(kernel, 'GET', '/api/printers', undefined, { from: ELSEWHERE })).status, 200)
})

t.test('a login: new number each time, strict cookie, ended by logout, password, removal', async t => {
  const { kernel } = await boot(t, { models: [] })
  const { store } = kernel.services.people
  await ask(kernel, 'POST', '/api/people/users', { name: 'Anna', role: 'administrate', password: PASSWORD })
  const me = async (cookie: string) => await ask(kernel, 'GET', '/api/people/me', undefined, { cookie, from: ELSEWHERE })

  const planted = `${kernel.services.http.access.people?.cookieName}=planted-by-somebody`
  const first = await logIn(kernel, 'ANNA', PASSWORD, { cookie: planted })
  t.equal(first.status, 303)
  t.match(first.set, /; HttpOnly; SameSite=Strict/)
  t.notMatch(first.cookie, /planted/, 'what a browser brings along is never taken over')
  t.equal((await me(planted)).status, 401)
  t.match((await me(first.cookie)).body, { name: 'Anna', role: 'administrate' })
  const second = await logIn(kernel, 'Anna', PASSWORD)
  t.not(second.cookie, first.cookie)
  const stored = JSON.stringify(await store.read())
  t.notMatch(stored, first.cookie.split('=')[1] ?? '?', 'the database does not hold what the cookie holds')

  await ask(kernel, 'POST', '/logout', undefined, { cookie: first.cookie })
  await eventually(async () => (await me(first.cookie)).status === 401)
  t.equal((await me(second.cookie)).status, 200, 'the other login goes on')

  t.equal((await ask(kernel, 'POST', '/api/people/me/password', { current: 'wrong', password: 'another password' }, { cookie: second.cookie })).status, 403)
  t.equal((await ask(kernel, 'POST', '/api/people/me/password', { current: PASSWORD, password: 'another password' }, { cookie: second.cookie })).status, 200)
  t.equal((await me(second.cookie)).status, 401)
  t.equal((await logIn(kernel, 'Anna', PASSWORD, { from: '10.0.0.1' })).status, 401)
  const third = await logIn(kernel, 'Anna', 'another password')
  t.equal((await me(third.cookie)).status, 200)
  t.equal((await ask(kernel, 'DELETE', '/api/people/users?name=Anna', undefined, { cookie: third.cookie })).body.error, 'last_administrator')
  await store.addUser('Ben', 'view', undefined, null)
  await store.removeUser('Anna', true)
  t.equal((await me(third.cookie)).status, 401, 'the cookie of somebody who was removed')
  t.equal((await logIn(kernel, 'Ben', '', { from: '10.0.0.2' })).status, 401, 'nobody logs in without a password')
})

t.test('the login page: no other places, no other sites, no telling of names, no guessing', async t => {
  const { kernel } = await boot(t, { models: [] })
  await ask(kernel, 'POST', '/api/people/users', { name: 'Anna', role: 'administrate', password: PASSWORD })
  for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example/', 'javascript:alert(1)', '/\u0000']) {
    t.equal((await logIn(kernel, 'Anna', PASSWORD, { next, from: '10.0.0.3' })).location, '/login', next)
  }
  t.equal((await logIn(kernel, 'Anna', PASSWORD, { next: '/queue?x=1' })).location, '/queue?x=1')
  for (const headers of [{ origin: 'http://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
    t.equal((await logIn(kernel, 'Anna', PASSWORD, { headers: headers as never })).status, 403, JSON.stringify(headers))
  }
  const wrong = await logIn(kernel, 'Anna', 'a wrong password', { from: '10.0.0.4' })
  const unknown = await logIn(kernel, 'Nobody', 'a wrong password', { from: '10.0.0.4' })
  t.match(wrong, { status: 401, set: '' })
  t.same({ ...wrong, body: '' }, { ...unknown, body: '' })
  t.equal(wrong.body.replace('Anna', 'Nobody'), unknown.body, 'both are told the same')
  t.match(wrong.body, /id="name"[^>]* value="Anna">.*id="password"[^>]* autofocus>/, 'the name is not typed again')
  t.match((await logIn(kernel, '"><b>', 'a wrong password', { from: '10.0.0.4' })).body, 'value="&#34;&#62;&#60;b&#62;"', 'as text')
  for (let count = 0; count < 7; count++) await logIn(kernel, 'Anna', 'a wrong password', { from: '10.0.0.4' })
  t.equal((await logIn(kernel, 'Anna', PASSWORD, { from: '10.0.0.4' })).status, 429, 'the right one is not tried either')
  t.equal((await logIn(kernel, 'Anna', PASSWORD, { from: '10.0.0.5' })).status, 303, 'from elsewhere it is')
})

t.test('keys: shown once, expire, are revoked, and do no more than their owner may do now', async t => {
  let ahead = 0
  const { kernel } = await boot(t, { models: [], dependencies: { now: () => Date.now() + ahead } })
  await ask(kernel, 'POST', '/api/people/users', { name: 'Anna', role: 'administrate', password: PASSWORD })
  const { cookie } = await logIn(kernel, 'Anna', PASSWORD)
  await ask(kernel, 'POST', '/api/people/users', { name: 'Ben', role: 'administrate', password: PASSWORD }, { cookie })
  const made = await ask(kernel, 'POST', '/api/people/keys', { name: 'script', role: 'administrate', days: 1 }, { cookie })
  const { key } = made.body
  t.match(key, /^prnd_[\w-]{43}$/)
  const role = async () => (await ask(kernel, 'GET', '/api/people/me', undefined, { key })).body.role
  t.equal(await role(), 'administrate')
  t.notMatch((await ask(kernel, 'GET', '/api/people/keys', undefined, { cookie })).text, key)
  t.match((await ask(kernel, 'GET', '/api/people/keys', undefined, { cookie })).body.keys, [{ name: 'script', owner: 'Anna' }])
  const { store } = kernel.services.people
  const told = async () => [
    /<aside class="looks">/.test((await ask(kernel, 'GET', '/settings', undefined, { cookie })).text),
    ...await Promise.all(['night', 'plate-change/recipes'].map(async path => (await ask(kernel, 'GET', `/api/${path}`, undefined, { key })).body.may_change))
  ]
  t.same(await told(), [false, true, true])
  await store.changeUser('Anna', { role: 'view' }, false)
  t.equal(await role(), 'view', 'the key falls with its owner')
  t.same(await told(), [true, false, false], 'and pages say what they may not change')
  t.equal((await ask(kernel, 'POST', '/api/people/users', { name: 'Eve', role: 'administrate' }, { key })).body.error, 'role_too_low')
  t.equal((await ask(kernel, 'PATCH', '/api/people/users', { name: 'Anna', role: 'administrate' }, { cookie })).body.error, 'role_too_low')
  ahead = 25 * 3_600_000
  t.equal(await role(), undefined, 'a day later it has expired')
  ahead = 0
  await store.removeUser('Anna', false)
  t.equal((await ask(kernel, 'GET', '/api/people/me', undefined, { key })).status, 401, 'the key of somebody who was removed')
})

t.test('a session of an agent is for whoever began it: others neither read, nor resume, nor end it', async t => {
  const { kernel } = await boot(t, { models: [], listen: true })
  const { store, find } = kernel.services.people
  await store.addUser('ben', 'administrate', undefined, null)
  const keyOf = (name: string) => store.addKey({
    name, role: 'administrate', printers: undefined, expiresAt: undefined, owner: find('ben').id
  })
  const [mine, theirs] = [await keyOf('mine'), await keyOf('theirs')]
  const send = (key: string, method: string, more: Record<string, string> = {}, body?: object) =>
    fetch(`http://127.0.0.1:${kernel.apiPort}/mcp`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...more
      },
      ...(body && { body: JSON.stringify(body) })
    })
  const clientInfo = { name: 'test', version: '1' }
  const begun = await send(mine, 'POST', {}, {
    jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  })
  await begun.text()
  const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' }
  const ping = { jsonrpc: '2.0', id: 2, method: 'ping' }
  for (const [method, more, body] of [
    ['POST', {}, ping], ['GET', {}, undefined], ['GET', { 'last-event-id': '_GET_stream:0' }, undefined], ['DELETE', {}, undefined]
  ] as const) {
    const answer = await send(theirs, method, { ...session, ...more }, body)
    t.equal(answer.status, 404, method)
    await answer.text()
  }
  await store.changeUser('ben', { printers: ['x1c'] }, true)
  // The change closes connections that are kept open, and the first request may find one of them.
  const pinged = () => send(mine, 'POST', session, ping).catch(() => send(mine, 'POST', session, ping))
  t.equal((await pinged()).status, 404, 'with other printers it is another session')
  await store.changeUser('ben', { printers: null }, true)
  const own = await pinged()
  t.equal(own.status, 200)
  await own.text()
  t.equal((await send(mine, 'DELETE', session)).status, 200)
})

t.test('printers beyond those of a caller are not there, on any surface; what is open ends with the rights', async t => {
  const { kernel } = await boot(t, { models: ['P1S', 'A1_MINI'], listen: true })
  const { store } = kernel.services.people
  const key = await store.addKey({ name: 'shop', role: 'operate', printers: ['p1s'], expiresAt: undefined, owner: undefined })
  const get = (url: string) => ask(kernel, 'GET', url, undefined, { key, from: ELSEWHERE })
  const list = await get('/api/printers')
  t.same(list.body.printers.map(({ name }: { name: string }) => name), ['p1s'])
  for (const url of ['/api/fleet', '/api/server_info', '/api/openapi.json']) {
    const { status, text } = await get(url)
    if (status === 200) t.notMatch(text, /a1-mini/, url)
  }
  t.equal((await get('/api/printer?printer=p1s')).status, 200)
  const hidden = await get('/api/printer?printer=a1-mini')
  const absent = await get('/api/printer?printer=ghost')
  t.equal(hidden.status, absent.status)
  t.equal(hidden.text.replaceAll('a1-mini', 'ghost'), absent.text, 'hidden and unknown are told alike')
  for (const url of ['/stream/a1-mini', '/stream/a1-mini/snapshot', '/stream/a1-mini/status']) {
    const { status, text } = await get(url)
    t.equal(text.replaceAll('a1-mini', 'ghost'), (await get(url.replace('a1-mini', 'ghost'))).text, url)
    t.ok(status >= 400, url)
  }
  t.equal((await get('/metrics')).body.error, 'all_printers_only')
  t.equal((await get('/api/history')).body.error, 'all_printers_only')
  t.equal((await get('/api/live?printer=a1-mini')).status, 400)

  const base = `127.0.0.1:${kernel.apiPort}`
  const headers = { authorization: `Bearer ${key}` }
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`http://${base}/mcp`), { requestInit: { headers } }) as Transport)
  t.teardown(() => client.close().catch(() => {}))
  const { resources } = await client.listResources()
  t.notMatch(JSON.stringify(resources), /a1-mini/)
  t.match(JSON.stringify(resources), /p1s/)
  t.notMatch(JSON.stringify(await client.readResource({ uri: 'prnd://printers' })), /a1-mini/)
  await t.rejects(client.readResource({ uri: 'prnd://printers/a1-mini' }), /not found/i)
  await t.rejects(client.subscribeResource({ uri: 'prnd://printers/a1-mini' }), /not found/i)
  t.match(JSON.stringify(await client.callTool({ name: 'get_job_info', arguments: { name: 'a1-mini' } })), /not_connected|not connected/)

  const said: string[] = []
  const live = new WebSocket(`ws://${base}/api/live`, { headers })
  live.on('message', data => said.push(String(data)))
  const closed = new Promise<void>(resolve => { live.once('close', () => resolve()).on('error', () => {}) })
  await eventually(() => said.length > 1)
  await store.revokeKey('shop')
  await closed
  t.notMatch(said.join(''), /a1-mini/)
  t.pass('the socket of the revoked key was closed')
})

t.test('a restart keeps users and logins; with a database that cannot be read the service stays closed', async t => {
  const dataDir = testFolder(t)
  const first = await boot(t, { models: [], config: { dataDir } })
  await ask(first.kernel, 'POST', '/api/people/users', { name: 'Anna', role: 'administrate', password: PASSWORD })
  const { cookie } = await logIn(first.kernel, 'Anna', PASSWORD)
  await first.close()
  const second = await boot(t, { models: [], config: { dataDir } })
  t.equal((await ask(second.kernel, 'GET', '/api/people/me', undefined, { cookie })).body.name, 'Anna')
  await second.close()
  const { writeFile } = await import('node:fs/promises')
  for (const end of ['', '-wal', '-shm']) await writeFile(`${dataDir}/plugins/database/prnd.sqlite${end}`, 'no database')
  const third = await boot(t, { models: [], config: { dataDir } })
  t.equal((await ask(third.kernel, 'GET', '/api/printers')).status, 401)
  await third.close()
  await rm(`${dataDir}/plugins/people/known.json`)
  const fourth = await boot(t, { preset: featuresWith(database, people), models: [], config: { dataDir } })
  t.equal((await ask(fourth.kernel, 'GET', '/api/printers')).status, 401, 'also where it was never seen that there are users')
})

const small = (t: Test) =>
  boot(t, { preset: featuresWith(database, people), models: [], config: { dataDir: testFolder(t) } })

t.test('a login that is checked while the password changes does not outlast it', async t => {
  const { kernel } = await small(t)
  const { store, refusePasswords } = kernel.services.people
  const [before, after] = [await hashPassword(PASSWORD), await hashPassword('another password')]
  await store.addUser('Anna', 'administrate', undefined, before)
  refusePasswords(async () => { // asked after the password was found to be right
    await store.changeUser('Anna', { password: after }, true)
    return false
  })
  t.equal((await logIn(kernel, 'Anna', PASSWORD)).status, 401)
  t.same((await store.read()).sessions, [])
  t.equal((await logIn(kernel, 'Anna', 'another password')).status, 303)
})

t.test('a logout that cannot be stored is told, and counts all the same', async t => {
  const { kernel } = await small(t)
  const { store } = kernel.services.people
  await store.addUser('Anna', 'administrate', undefined, await hashPassword(PASSWORD))
  const { cookie } = await logIn(kernel, 'Anna', PASSWORD)
  t.equal((await ask(kernel, 'GET', '/api/people/me', undefined, { cookie })).status, 200)
  t.intercept(store, 'end', { value: async () => { throw new Error('disk full') } })
  const { status, text } = await ask(kernel, 'POST', '/logout', undefined, { cookie })
  t.equal(status, 503)
  t.match(text, /could not store/)
  t.equal((await ask(kernel, 'GET', '/api/people/me', undefined, { cookie })).status, 401)
})
