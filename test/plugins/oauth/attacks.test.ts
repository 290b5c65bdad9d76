import t from 'tap'
import {
  addUser, ADDRESS, ask, codeIn, connect, consent, exchange, HOST, REDIRECT, refresh, register, requestOf, RESOURCE,
  rpc, start, statusOf, verifierOf
} from './oauth.js'

const EVIL = 'https://evil.example'

t.test('nothing is offered where nobody could consent, or where a token would be sent in the clear', async t => {
  const { kernel } = await start(t)
  const metadata = '/.well-known/oauth-protected-resource'
  for (const path of [metadata, `${metadata}/mcp`, '/.well-known/oauth-authorization-server']) {
    t.equal((await ask(kernel, path)).status, 200, path)
    t.equal((await ask(kernel, path, { headers: { host: '192.168.1.5:49152' } })).status, 404, `${path} without encryption`)
  }
  const challenge = async (host: string, url = '/mcp') =>
    (await ask(kernel, url, { json: {}, headers: { host } })).headers['www-authenticate']
  t.equal(await challenge(HOST), `Bearer resource_metadata="${ADDRESS}${metadata}/mcp", scope="view operate"`)
  t.equal(await challenge('192.168.1.5:49152'), 'Bearer')
  t.equal(await challenge(HOST, '/api/pause_printing'), 'Bearer', 'grants are for agents only')
  for (const path of ['/token', '/revoke', '/register']) {
    t.equal((await ask(kernel, path, { form: {}, headers: { host: '192.168.1.5:49152' } })).status, 404, path)
  }
  await kernel.services.people.store.removeUser('alice', true)
  t.equal((await ask(kernel, `${metadata}/mcp`)).status, 404, 'without users')
})

t.test('the address is the one that is configured, or the one that was asked', async t => {
  const { kernel } = await start(t, { config: { api: { publicUrl: 'https://printers.example', allowedHosts: ['printers.example'] } } })
  const { body } = await ask(kernel, '/.well-known/oauth-protected-resource/mcp', { headers: { host: 'printers.example' } })
  t.match(body, { resource: 'https://printers.example/mcp', authorization_servers: ['https://printers.example'] })
})

t.test('a program gets no further without PKCE, or to an address that is not its own', async t => {
  const { kernel, cookie } = await start(t)
  const verifier = verifierOf()
  const client = await register(kernel, { redirect_uris: [REDIRECT, 'http://127.0.0.1:1234/back', 'cursor://agent/back'] })
  const read = (more: object) => {
    const given = Object.entries({ origin: ADDRESS, ...requestOf(client, verifier), ...more })
    return ask(kernel, '/api/oauth/request', {
      query: Object.fromEntries(given.filter(([, value]) => value !== undefined)), headers: { cookie }
    })
  }
  t.match((await read({})).body, { user: 'alice', program: 'Agent', vouched_by: null, sent_to: 'agent.example', sent_here: false })
  for (const redirect of ['http://127.0.0.1:5678/back', 'cursor://agent/back']) {
    t.match(await read({ redirect_uri: redirect }), { status: 200, body: { sent_here: true } }, redirect)
  }
  for (const redirect of [
    `${REDIRECT}/`, `${REDIRECT}/more`, `${REDIRECT}?a=b`, `${REDIRECT}#a`, 'https://agent.example', 'https://agent.example/call',
    'https://agent.example:8443/callback', 'http://agent.example/callback', 'https://agent.example.evil.example/callback',
    'https://agent.example@evil.example/callback', 'https://evil.example/callback?https://agent.example/callback',
    'https://AGENT.example/callback', 'https://agent.example/./callback', 'https://agent.example\\@evil.example/callback',
    'http://127.0.0.1:1234/other', 'http://127.0.0.1:1234/back?a', 'http://localhost:1234/back', 'http://127.0.0.2:1234/back',
    'http://127.0.0.1.evil.example/back', 'http://evil.example@127.0.0.1:1234/back', 'https://127.0.0.1:1234/back',
    'cursor://agent/backward', 'javascript:alert(1)', 'data:text/html,x', ''
  ]) {
    const answer = await read({ redirect_uri: redirect })
    t.match(answer, { status: 400, body: { error: /oauth_request|bad_input/ } }, redirect)
    t.equal(answer.body.return_to, undefined, 'and nobody is sent there')
    const granted = await consent(kernel, cookie, requestOf(client, verifier, { redirect_uri: redirect }))
    t.equal(granted.status, 400, redirect)
  }
  for (const [more, error] of [
    [{ code_challenge: undefined }, 'invalid_request'],
    [{ code_challenge_method: undefined }, 'invalid_request'],
    [{ code_challenge_method: 'plain', code_challenge: verifier }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ resource: `${EVIL}/mcp` }, 'invalid_target'],
    [{ resource: `${ADDRESS}/api` }, 'invalid_target']
  ] as const) {
    const { status, body } = await read(more)
    t.equal(status, 400, error)
    const back = new URL(body.return_to as string)
    t.equal(back.origin + back.pathname, REDIRECT)
    t.same([back.searchParams.get('error'), back.searchParams.get('state'), back.searchParams.get('iss')], [error, 'a state', ADDRESS])
    t.equal((await consent(kernel, cookie, { ...requestOf(client, verifier), ...more })).status, 400)
  }
  t.equal((await read({ resource: `${RESOURCE}/?toolsets=watch` })).status, 200, 'the tools that an agent chooses')
  t.equal((await read({ client_id: 'prnd_client_0' })).status, 400, 'an unknown program')
})

t.test('a code is worth something to its own program, once', async t => {
  const { kernel, cookie } = await start(t)
  const client = await register(kernel)
  const other = await register(kernel)
  const verifier = verifierOf()
  const newCode = async () => codeIn(await consent(kernel, cookie, requestOf(client, verifier)))
  const right = { client_id: client, code_verifier: verifier }
  for (const [what, more] of [
    ['a wrong verifier', { code_verifier: verifierOf() }], ['no verifier', { code_verifier: '' }],
    ['the challenge', { code_verifier: requestOf(client, verifier).code_challenge }],
    ['another program', { client_id: other }], ['another address', { redirect_uri: `${EVIL}/` }],
    ['another service', { resource: `${EVIL}/mcp` }]
  ] as const) {
    const code = await newCode()
    const { status, body, headers } = await exchange(kernel, { code, ...right, ...more })
    t.equal(status, 400, what)
    t.match(body, { error: /^invalid_(grant|request|target)$/ })
    t.equal(headers['cache-control'], 'no-store')
    if (body.error !== 'invalid_grant') continue
    t.match((await exchange(kernel, { code, ...right })).body, { error: 'invalid_grant' }, 'and then it is worth nothing to anyone')
  }
  const code = await newCode()
  t.match((await exchange(kernel, { code: `${code.slice(0, -1)}~`, ...right })).body, { error: 'invalid_grant' }, 'a changed one')
  const { body } = await exchange(kernel, { code, ...right })
  t.match(body, { token_type: 'Bearer', expires_in: 3600, scope: 'view operate' })
  t.equal(await statusOf(kernel, body.access_token), 200)
  t.match((await exchange(kernel, { code, ...right })).body, { error: 'invalid_grant' })
  t.equal(await statusOf(kernel, body.access_token), 401, 'a code that is used twice ends what it gave')
  t.match((await refresh(kernel, client, body.refresh_token)).body, { error: 'invalid_grant' })
  const { body: { entries } } = await ask(kernel, '/api/audit', { query: { act: 'oauth.endGrant' }, headers: { cookie } })
  t.match(entries[0], { who: 'grant of alice to Agent', outcome: 'PRN_ERR_TOKEN_REUSED' })
})

t.test('a refresh token is worth something once, and the grant ends with the second time', async t => {
  const { kernel, cookie } = await start(t)
  const first = await connect(kernel, cookie)
  t.match((await refresh(kernel, 'prnd_client_other', 'prnd_rt_x.y')).body, { error: 'invalid_grant' })
  const { body: second } = await refresh(kernel, first.client, first.refresh)
  t.not(second.refresh_token, first.refresh)
  for (const token of [first.access, second.access_token]) t.equal(await statusOf(kernel, token), 200, 'requests under way go on')
  t.match((await refresh(kernel, first.client, first.refresh)).body, { error: 'invalid_grant' })
  for (const token of [first.access, second.access_token]) t.equal(await statusOf(kernel, token), 401)
  t.match((await refresh(kernel, first.client, second.refresh_token)).body, { error: 'invalid_grant' }, 'nor is the newest one')

  const theirs = await connect(kernel, cookie)
  t.match((await refresh(kernel, first.client, theirs.refresh)).body, { error: 'invalid_grant' }, 'from another program')
  t.equal(await statusOf(kernel, theirs.access), 401)
})

t.test('a token is for one address and for agents', async t => {
  const { kernel, cookie } = await start(t, { config: { api: { allowedHosts: ['printers.example'] } } })
  const { access, refresh: kept, client } = await connect(kernel, cookie)
  const { body, headers } = await rpc(kernel, access, 'tools/list', {}, { host: '127.0.0.1:49152' })
  t.match(body, { jsonrpc: '2.0', error: {} })
  t.match(headers['www-authenticate'], 'error="invalid_token"')
  t.equal(await statusOf(kernel, access, { host: 'printers.example' }), 401)
  t.equal(await statusOf(kernel, `${access}x`), 401)
  t.equal(await statusOf(kernel, kept), 401, 'a refresh token opens nothing')
  for (const path of ['/api/people/me', '/api/printers', '/', '/metrics', '/api/oauth/grants', '/api/live', '/mcp/x', '/people']) {
    t.equal((await ask(kernel, path, { headers: { authorization: `Bearer ${access}` } })).status, 401, path)
  }
  t.equal((await ask(kernel, '/mcp', { query: { access_token: access }, json: {} })).status, 401, 'not in the address')
  const stored = await kernel.services.database.query<any, object[]>(async db => [
    ...await db.selectFrom('oauth_grants').selectAll().execute(), ...await db.selectFrom('oauth_tokens').selectAll().execute()
  ])
  for (const secret of [access, kept, ...kept.split('.')]) t.notMatch(JSON.stringify(stored), secret, 'only hashes are stored')
  t.equal((await ask(kernel, '/revoke', { form: { token: access } })).status, 200)
  t.equal(await statusOf(kernel, access), 401)
  t.equal((await refresh(kernel, client, kept)).status, 200, 'an access token goes alone')
  t.equal((await ask(kernel, '/revoke', { form: { token: 'unknown' } })).status, 200)
})

t.test('only a user who is logged in can consent, on the page of the service', async t => {
  const { kernel, cookie } = await start(t, { config: { api: { token: 'a long random text' } } })
  const verifier = verifierOf()
  const request = requestOf(await register(kernel), verifier)
  for (const [what, headers] of [
    ['another page', { origin: EVIL }], ['a page without an origin', { origin: 'null' }],
    ['another site', { 'sec-fetch-site': 'cross-site', origin: '' }]
  ] as const) {
    t.equal((await consent(kernel, cookie, request, {}, headers)).status, 403, what)
  }
  const form = { origin: ADDRESS, role: 'view', lasts: 'week', ...request }
  t.equal((await ask(kernel, '/api/oauth/grants', { form, headers: { cookie, origin: EVIL } })).status, 403, 'as a form')
  t.equal((await consent(kernel, '', request)).status, 401, 'without the cookie, which other sites cannot send')
  for (const [role, owner] of [['administrate', undefined], ['operate', kernel.services.people.find('alice').id]] as const) {
    const { store } = kernel.services.people
    const key = await store.addKey({ name: role, role, printers: undefined, expiresAt: undefined, owner })
    const { status, body } = await consent(kernel, '', request, {}, { authorization: `Bearer ${key}` })
    t.match({ status, body }, { status: 403, body: { error: 'only_users_grant' } }, 'a key')
  }
  t.equal((await consent(kernel, '', request, {}, { authorization: 'Bearer a long random text' })).status, 403, 'the token')
  for (const choice of [{ role: 'administrate' }, { lasts: 'forever' }, { printers: [] }, { printers: ['nowhere'] }]) {
    t.equal((await consent(kernel, cookie, request, choice)).status, 400, JSON.stringify(choice))
  }
  t.equal((await consent(kernel, cookie, { ...request, scope: 'view' }, { role: 'operate' })).status, 400, 'more than the program asks for')
  const { status, headers } = await ask(kernel, '/authorize', { query: request, headers: { accept: 'text/html' } })
  t.equal(status, 303)
  t.match(headers.location, /^\/login\?next=%2Fauthorize%3Fclient_id%3D/, 'a login comes first')
  const page = await ask(kernel, '/authorize', { query: request, headers: { accept: 'text/html', cookie } })
  t.match(page.headers['content-security-policy'], "frame-ancestors 'none'")
  t.notMatch(page.text, 'a state', 'nothing of the request is in the document')
  t.match((await ask(kernel, '/grants', { headers: { accept: 'text/html', cookie } })).headers['content-security-policy'], "frame-ancestors 'self'")
})

t.test('wrong codes and tokens are slowed down', async t => {
  const { kernel, cookie } = await start(t)
  const form = { grant_type: 'refresh_token', client_id: 'x', refresh_token: 'prnd_rt_x.y' }
  const guess = () => ask(kernel, '/token', { form, from: '192.168.1.77' })
  for (let count = 0; count < 60; count++) t.equal((await guess()).status, 400)
  t.equal((await guess()).status, 429)
  const { client, refresh: own } = await connect(kernel, cookie)
  const known = { grant_type: 'refresh_token', client_id: client, refresh_token: own }
  t.equal((await ask(kernel, '/token', { form: known, from: '192.168.1.77' })).status, 200, 'a program that knows its token is not')
})

t.test('nobody is sent back to this service', async t => {
  const { kernel, cookie } = await start(t)
  const here = `${ADDRESS}/api/alerts?all=true`
  const client = await register(kernel, { redirect_uris: [here] })
  for (const redirect of [here, undefined]) {
    const { redirect_uri: _, ...request } = requestOf(client, verifierOf())
    const answer = await ask(kernel, '/api/oauth/request', {
      query: { origin: ADDRESS, ...request, ...redirect && { redirect_uri: redirect } }, headers: { cookie }
    })
    t.match(answer, { status: 400, body: { error: 'oauth_request', reason: /back to this service/ } })
    t.equal(answer.body.return_to, undefined)
  }
})

t.test('what one user granted is nobody else\'s affair, except for administrators', async t => {
  const { kernel, cookie } = await start(t)
  const bob = await addUser(kernel, 'bob', 'view')
  const { access } = await connect(kernel, bob, { role: 'view' })
  await connect(kernel, cookie)
  const carol = await addUser(kernel, 'carol', 'view', ['x1c'])
  for (const path of ['/authorize', '/grants']) {
    t.equal((await ask(kernel, path, { headers: { cookie: carol } })).status, 200, 'also for a user of some printers')
  }
  t.equal((await consent(kernel, bob, requestOf(await register(kernel), verifierOf()), { role: 'operate' })).status, 400, 'more than he has')
  const list = async (as: string) => (await ask(kernel, '/api/oauth/grants', { headers: { cookie: as } })).body.grants
    .map(({ name, own }: any) => [name, own])
  t.same(await list(bob), [['grant of bob to Agent', true]])
  t.same(await list(cookie), [['grant of bob to Agent', false], ['grant of alice to Agent', true]])
  const revoke = (name: string, as: string) =>
    ask(kernel, '/api/oauth/grants', { method: 'DELETE', query: { name }, headers: { cookie: as, origin: ADDRESS } })
  t.equal((await revoke('grant of alice to Agent', bob)).status, 404)
  t.equal(await statusOf(kernel, access), 200)
  t.equal((await revoke('grant of bob to Agent', cookie)).status, 200)
  t.equal(await statusOf(kernel, access), 401)
  t.same(await list(bob), [])
})
