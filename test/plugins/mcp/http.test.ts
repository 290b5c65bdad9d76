import http from 'node:http'
import t from 'tap'
import { answerOf, initialize, LATEST, listening, messagesOf } from './connect.js'

const NO_PRINTERS = { models: [] }
const list = { jsonrpc: '2.0', id: 7, method: 'tools/list' }

t.test('initialize agrees on a revision and says what there is', async t => {
  const { raw, kernel } = await listening(t, NO_PRINTERS)
  for (const version of [LATEST, '2025-06-18', '2025-03-26', '2024-11-05']) {
    const { result } = await answerOf(await raw('POST', { body: initialize(version) }))
    t.equal(result.protocolVersion, version, version)
  }
  const { result } = await answerOf(await raw('POST', { body: initialize('1999-01-01') }))
  t.equal(result.protocolVersion, LATEST, 'an unknown revision is answered with the newest')
  t.match(result, {
    serverInfo: { name: 'prnd', version: kernel.version },
    capabilities:
      { tools: {}, prompts: {}, resources: { subscribe: true, listChanged: true }, completions: {}, logging: {} },
    instructions: /user_permission/
  })
})

t.test('a session is needed, must be known, and can be ended', async t => {
  const { raw, begin, kernel } = await listening(t, NO_PRINTERS)
  const { mcp } = kernel.services
  const missing = await raw('POST', { body: list })
  t.equal(missing.status, 400, 'without an id')
  t.match(await missing.json(), { jsonrpc: '2.0', id: null, error: { code: -32_000 } })
  const unknown = await raw('POST', { body: list, session: 'nobody' })
  t.equal(unknown.status, 404, 'with an unknown id')
  t.match(await unknown.json(), { error: { code: -32_001 } })
  t.equal((await raw('GET')).status, 400)
  t.equal((await raw('DELETE', { session: 'nobody' })).status, 404)

  const session = await begin()
  t.equal(mcp.sessions, 1)
  t.match((await answerOf(await raw('POST', { body: list, session }))).result.tools[0], { name: String })
  t.equal((await raw('DELETE', { session })).status, 200)
  t.equal(mcp.sessions, 0)
  t.equal((await raw('POST', { body: list, session })).status, 404, 'ended is unknown')
})

t.test('a stale id on initialize begins a new session', async t => {
  const { raw, begin } = await listening(t, NO_PRINTERS)
  const old = await begin()
  await raw('DELETE', { session: old })
  const reply = await raw('POST', { body: initialize(), session: old })
  const fresh = reply.headers.get('mcp-session-id') ?? ''
  t.equal(reply.status, 200)
  t.not(fresh, old)
  t.match((await answerOf(await raw('POST', { body: list, session: fresh }))).result.tools, Array)
})

t.test('unknown revisions in the header and headers that do not fit are refused', async t => {
  const { raw, begin } = await listening(t, NO_PRINTERS)
  const session = await begin()
  const version = await raw('POST', { body: list, session, headers: { 'mcp-protocol-version': '1999-01-01' } })
  t.equal(version.status, 400)
  t.match(await version.json(), { error: { message: /1999-01-01/ } })
  t.equal((await raw('POST', { body: list, session, headers: { accept: 'application/json' } })).status, 406)
  t.equal((await raw('POST', { body: '{}', session, headers: { 'content-type': 'text/plain' } })).status, 415)
  t.equal((await raw('PUT', { session })).status, 405)
})

t.test('malformed bodies are answered in the form of the protocol', async t => {
  const { raw, begin } = await listening(t, NO_PRINTERS)
  const session = await begin()
  const bad = [['no JSON', '{"jsonrpc":'], ['no message', '{"hello":1}'], ['no object', '17'], ['null', 'null'],
    ['a list of none', '[17]'], ['a wrong version', '{"jsonrpc":"1.0","id":1,"method":"ping"}']]
  for (const [what = '', body] of bad) {
    const reply = await raw('POST', { body, session })
    t.equal(reply.status, 400, what)
    t.match(await reply.json(), { jsonrpc: '2.0', id: null, error: { code: -32_700, message: String } }, what)
  }
  t.match(await answerOf(await raw('POST', { body: { jsonrpc: '2.0', id: 1, method: 'nothing/such' }, session })),
    { id: 1, error: { code: -32_601 } }, 'an unknown method')
  t.match(await answerOf(await raw('POST', { body: { ...list, id: 2, method: 'ping' }, session })), { id: 2, result: {} })
})

t.test('parameters that do not fit are -32602 and named', async t => {
  const { raw, begin } = await listening(t, NO_PRINTERS)
  const session = await begin()
  const wrong = [
    ['tools/call', undefined, 'params'], ['tools/call', { name: 5 }, 'name'], ['tools/list', { cursor: 5 }, 'params.cursor'],
    ['tools/call', { name: 'get_server_info', arguments: 'x' }, 'arguments'], ['resources/read', {}, 'params.uri'],
    ['resources/subscribe', undefined, 'params'], ['prompts/get', { name: 'x', arguments: { a: 1 } }, 'params.arguments.a'],
    ['logging/setLevel', { level: 'loud' }, 'params.level'], ['completion/complete', {}, 'params.ref']
  ] as const
  for (const [method, params, place] of wrong) {
    const { error } = await answerOf(await raw('POST', { session, body: { jsonrpc: '2.0', id: 1, method, params } }))
    t.equal(error.code, -32_602, method)
    t.ok(error.message.includes(place), error.message)
  }
})

t.test('large bodies pass up to a limit, larger ones are refused and the service lives on', async t => {
  const { raw, begin } = await listening(t, NO_PRINTERS)
  const session = await begin()
  const call = (chars: number) => ({
    jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_server_info', arguments: { filler: 'x'.repeat(chars) } }
  })
  t.match((await answerOf(await raw('POST', { body: call(2_000_000), session }))).result, { structuredContent: { pool_size: 200 } })
  const huge = await raw('POST', { body: call(5_000_000), session })
  t.equal(huge.status, 413)
  t.match(await huge.json(), { jsonrpc: '2.0', error: { code: -32_000 } })
  t.match(await answerOf(await raw('POST', { body: list, session })), { id: 7 })
  const many = Array.from({ length: 101 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }))
  t.equal((await raw('POST', { body: many, session })).status, 400, 'more than a hundred at once')
  const some = await raw('POST', { body: many.slice(0, 3), session })
  t.same(messagesOf(await some.text()).map(({ id }) => id), [0, 1, 2], 'a few at once')
})

/** `fetch` does not let a program choose the Host header. */
const statusWith = (url: string, headers: Record<string, string>) => new Promise<number>((resolve, reject) => {
  const body = JSON.stringify(initialize())
  const request = http.request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers }
  }, reply => { reply.resume(); resolve(reply.statusCode ?? 0) })
  request.once('error', reject).end(body)
})

t.test('hosts and origins are checked here as elsewhere', async t => {
  const { url, kernel, raw } = await listening(t,
    { ...NO_PRINTERS, config: { api: { allowedHosts: ['printers.example'], corsOrigins: ['https://agent.example'] } } })
  const own = `127.0.0.1:${kernel.apiPort}`
  t.equal(await statusWith(url, {}), 200)
  t.equal(await statusWith(url, { host: `localhost:${kernel.apiPort}` }), 200)
  t.equal(await statusWith(url, { host: 'evil.example' }), 403, 'a foreign name')
  t.equal(await statusWith(url, { host: 'printers.example' }), 200, 'a name the operator listed')
  t.equal(await statusWith(url, { origin: 'http://evil.example' }), 403, 'a foreign page')
  t.equal(await statusWith(url, { origin: `http://${own}` }), 200, 'a page of its own')
  const reply = await raw('POST', { body: initialize(), headers: { origin: 'https://agent.example' } })
  t.equal(reply.headers.get('access-control-expose-headers'), 'mcp-session-id', 'whose scripts may read the id')
  t.equal(reply.headers.get('access-control-allow-origin'), 'https://agent.example', 'also on a streamed reply')
  t.equal(await statusWith(url, { 'sec-fetch-site': 'cross-site' }), 403)
})

t.test('with a token every request needs it', async t => {
  const token = 'correct-horse'
  const { raw, connect } = await listening(t, { ...NO_PRINTERS, config: { api: { token } } })
  for (const headers of [{}, { authorization: 'Bearer wrong-horse' }]) {
    const reply = await raw('POST', { body: initialize(), headers })
    t.equal(reply.status, 401)
    t.equal(reply.headers.get('www-authenticate'), 'Bearer')
    t.match(await reply.json(), { jsonrpc: '2.0', error: { message: /token/ } })
  }
  const { client } = await connect({ token })
  t.ok((await client.listTools()).tools.length > 30)
  const { content } = await client.callTool({ name: 'get_user_pref', arguments: { name: 'x', key: token } })
  t.notMatch(JSON.stringify(content), token, 'and no answer shows it')
})

t.test('the official client over HTTP: tools, stream, end', async t => {
  const { connect, kernel, name, printer } = await listening(t)
  const { client, transport } = await connect()
  t.equal(client.getServerVersion()?.name, 'prnd')
  const answer = await client.callTool({ name: 'set_bed_temp', arguments: { name, temp: 60, user_permission: true } })
  t.match(answer, { structuredContent: { result: `Bed temp target set to 60°C on '${name}'.` } })
  t.match(printer.requests.at(-1)?.body, { param: 'M140 S60\n' })
  t.equal(kernel.services.mcp.sessions, 1)
  await transport.terminateSession()
  t.equal(kernel.services.mcp.sessions, 0)
})

t.test('closing does not wait for open streams and a call under way', async t => {
  const { connect, kernel, raw, begin, name } = await listening(t)
  const clients = await Promise.all(Array.from({ length: 5 }, () => connect()))
  const session = await begin()
  const stream = await raw('GET', { session })
  t.equal(stream.headers.get('content-type'), 'text/event-stream')
  const calls = clients.map(({ client }) => client.callTool({ name: 'get_printer_state', arguments: { name } }).catch(() => {}))
  await kernel.close()
  await stream.text().catch(() => {})
  t.equal(kernel.services.mcp.sessions, 0)
  t.equal(kernel.services.mcp.serverContext.clientRegistry.size, 1, 'only the client in memory is left')
  await Promise.all([...clients.map(({ client }) => client.close()), ...calls])
})
