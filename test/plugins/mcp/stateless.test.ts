import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import t from 'tap'
import { definePlugin, definePreset } from '../../../core/index.js'
import { defineRawTool } from '../../../plugins/mcp/index.js'
import daemon from '../../../presets/daemon/index.js'
import { boot } from '../../helpers/boot-features.js'
import { eventually } from '../../helpers/eventually.js'
import { freePort } from '../../helpers/ports.js'
import { answerOf, initialize, LATEST, listening } from './connect.js'
import { connectStateless, STATELESS, statelessRequest } from './connect-stateless.js'

const NO_PRINTERS = { models: [] }

t.test('both revisions are served at the same address, each request by what it says of itself', async t => {
  const { url, connect, kernel } = await listening(t)
  const [name = ''] = kernel.printers.names
  const old = await connect()
  const now = await connectStateless(t, url)
  t.equal(old.client.getServerVersion()?.name, 'prnd')
  t.equal(kernel.services.mcp.sessions, 1, 'only the old one has a session')

  const tools = await now.listTools()
  t.same(tools.tools, (await old.client.listTools()).tools, 'the same tools')
  t.same((await now.listPrompts()).prompts, (await old.client.listPrompts()).prompts, 'the same prompts')
  t.same((await now.listResources()).resources, (await old.client.listResources()).resources, 'the same resources')
  t.same((await now.listResourceTemplates()).resourceTemplates,
    (await old.client.listResourceTemplates()).resourceTemplates, 'the same templates')
  t.match(await now.getPrompt({ name: 'diagnose_printer', arguments: { printer: name } }), { messages: [{ role: 'user' }] })
  t.match(await now.readResource({ uri: 'prnd://printers' }), { contents: [{ mimeType: 'application/json' }] })
  t.same((await now.complete({
    ref: { type: 'ref/resource', uri: 'prnd://printers/{name}' },
    argument: { name: 'name', value: name.slice(0, 1) }
  })).completion.values, [name])
  const asked = { name: 'get_temperatures', arguments: { name } }
  t.same((await now.callTool(asked)).structuredContent, (await old.client.callTool(asked)).structuredContent)
})

t.test('a client that knows both finds the newer one', async t => {
  const { url, kernel } = await listening(t, NO_PRINTERS)
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  t.teardown(() => client.close())
  t.ok((await client.listTools()).tools.length > 0)
  t.equal(kernel.services.mcp.sessions, 0, 'without a session')
})

t.test('discovery says what there is, and lists say how long they hold', async t => {
  const { raw, kernel } = await listening(t, NO_PRINTERS)
  t.match((await answerOf(await raw('POST', statelessRequest('server/discover')))).result, {
    resultType: 'complete',
    supportedVersions: [STATELESS],
    capabilities: { tools: {}, prompts: {}, resources: { subscribe: true, listChanged: true }, completions: {} },
    instructions: /user_permission/,
    ttlMs: 60_000,
    cacheScope: 'private',
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'prnd', version: kernel.version } }
  })
  const list = async (method: string) => (await answerOf(await raw('POST', statelessRequest(method)))).result
  for (const method of ['tools/list', 'prompts/list', 'resources/templates/list']) {
    t.match(await list(method), { ttlMs: 60_000, cacheScope: 'private' }, method)
  }
  t.match(await list('resources/list'), { ttlMs: 0 }, 'printers come and go')
})

t.test('a call needs nothing of the service that answered the one before', async t => {
  const preferred = await freePort()
  const start = () => boot(t, {
    ...NO_PRINTERS, listen: true, config: { api: { host: '127.0.0.1' }, ports: { preferred } }
  })
  const first = await start()
  const client = await connectStateless(t, `http://127.0.0.1:${preferred}/mcp`)
  const ask = () => client.callTool({ name: 'get_configured_printers', arguments: {} })
  const before = await ask()
  await first.close()
  await t.rejects(ask(), 'nobody is there')
  const second = await start()
  t.equal(second.kernel.apiPort, preferred)
  t.same((await ask()).content, before.content, 'the same client goes on')
  t.equal(second.kernel.services.mcp.sessions, 0)
})

t.test('what does not exist, and what does not fit', async t => {
  const { url, raw } = await listening(t, NO_PRINTERS)
  const client = await connectStateless(t, url)
  await t.rejects(client.readResource({ uri: 'prnd://nothing' }), { code: -32_602, data: { uri: 'prnd://nothing' } })
  await t.rejects(client.callTool({ name: 'no_such_tool', arguments: {} }), { code: -32_602, message: /no_such_tool/ })
  await t.rejects(client.getPrompt({ name: 'diagnose_printer' }), { code: -32_602, message: /needs the argument/ })
  t.match(await answerOf(await raw('POST', statelessRequest('prompts/get', { name: 7 }))),
    { error: { code: -32_602, message: /^params.name: / } }, 'the first that is wrong is named')
  t.match(await answerOf(await raw('POST', statelessRequest('logging/setLevel', { level: 'info' }))),
    { error: { code: -32_601 } }, 'what only sessions have')
})

t.test('a request that contradicts itself is refused', async t => {
  const { raw, kernel } = await listening(t, NO_PRINTERS)
  const { headers, body } = statelessRequest('tools/list')
  const send = async (more: object, headersToo: Record<string, string> = headers) => {
    const reply = await raw('POST', { headers: headersToo, body: more })
    return { status: reply.status, answer: await answerOf(reply) }
  }
  t.match(await send(body, { ...headers, 'mcp-method': 'prompts/list' }), { status: 400, answer: { error: {} } })
  t.match(await send(body, { ...headers, 'mcp-protocol-version': LATEST }), { status: 400, answer: { error: {} } })
  t.match(await send(body, {}), { status: 400 }, 'a body without its headers')
  t.match(await send({ jsonrpc: '2.0', id: 1, method: 'tools/list' }), { status: 400 }, 'headers without their body')
  t.match(await send({ ...initialize(), id: 4 }), { status: 400 }, 'a handshake that names a revision without one')
  t.match(await send([body, body]), { status: 400 }, 'several in one')
  t.match(await send(body, { ...headers, 'mcp-protocol-version': '2099-01-01' }), { status: 400 })
  t.equal(kernel.services.mcp.sessions, 0)
})

t.test('requests without a session pass the same checks', async t => {
  const token = 'correct-horse'
  const { url, raw } = await listening(t, { ...NO_PRINTERS, config: { api: { token } } })
  const { headers, body } = statelessRequest('tools/list')
  const without = await raw('POST', { headers, body })
  t.equal(without.status, 401)
  t.match(await without.json(), { jsonrpc: '2.0', error: { message: /token/ } })
  t.match(await connectStateless(t, url, { headers: { authorization: `Bearer ${token}` } }), Client)

  const authorization = `Bearer ${token}`
  const evil = { ...headers, authorization, origin: 'http://evil.example' }
  t.equal((await raw('POST', { headers: evil, body })).status, 403, 'a page of somebody else')
  t.equal((await raw('POST', { headers: { ...headers, authorization, 'content-type': 'text/plain' }, body: '{}' })).status,
    415)
  const huge = statelessRequest('tools/call', { name: 'x'.repeat(5 * 1024 * 1024) })
  t.equal((await raw('POST', { headers: { authorization }, body: huge.body })).status, 413)
})

t.test('a page that is allowed may send the headers of the revision', async t => {
  const origin = 'http://panel.example'
  const { raw } = await listening(t, { ...NO_PRINTERS, config: { api: { corsOrigins: [origin] } } })
  const asked = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'mcp-method,mcp-name' }
  const allowed = (await raw('OPTIONS', { headers: asked })).headers.get('access-control-allow-headers') ?? ''
  for (const header of ['mcp-method', 'mcp-name', 'mcp-protocol-version']) t.match(allowed, header)
  const { headers, body } = statelessRequest('tools/list')
  t.equal((await raw('POST', { headers: { ...headers, origin }, body })).headers.get('access-control-allow-origin'), origin)
})

t.test('each request is judged by where it comes from', async t => {
  const { url } = await listening(t, { ...NO_PRINTERS, config: { api: { trustProxy: ['127.0.0.1'] } } })
  const far = await connectStateless(t, url, { headers: { 'x-forwarded-for': '192.168.7.9' } })
  const near = await connectStateless(t, url)
  const call = { name: 'add_printer', arguments: {} }
  t.match(JSON.stringify(await far.callTool(call)), /token|this machine/i)
  t.notMatch(JSON.stringify(await near.callTool(call)), /token|this machine/i)
})

t.test('progress and messages reach who asked for them, and a client that leaves ends the work', async t => {
  const seen: string[] = []
  const tools = definePlugin({
    name: 'extra',
    version: '1.0.0',
    kernel: '^2.0.0',
    contributes: {
      rawTools: [defineRawTool({
        effect: 'read',
        definition: { name: 'work', inputSchema: { type: 'object' } },
        run: async (_, { progress, log, signal, client }) => {
          progress(1, 2, 'half')
          log('debug', 'small')
          log('warning', 'great')
          return { content: [{ type: 'text', text: `${client.info?.name} ${signal.aborted}` }] }
        }
      }), defineRawTool({
        effect: 'read',
        definition: { name: 'wait', inputSchema: { type: 'object' } },
        run: (_, { signal }) => new Promise(resolve => {
          seen.push('begun')
          signal.addEventListener('abort', () => { seen.push('ended'); resolve({ content: [] }) })
        })
      })]
    }
  })
  const { raw, url } = await listening(t, {
    ...NO_PRINTERS,
    preset: definePreset({ name: 'daemon', plugins: [daemon.plugins, tools] })
  })
  const _meta = { progressToken: 'p', 'io.modelcontextprotocol/logLevel': 'warning' }
  const said = await (await raw('POST', statelessRequest('tools/call', { name: 'work', arguments: {}, _meta }))).text()
  t.match(said, /"progressToken":"p","progress":1,"total":2,"message":"half"/)
  t.match(said, /"data":"great"/)
  t.notMatch(said, 'small')
  t.match(said, 'raw false')
  const quiet = await raw('POST', statelessRequest('tools/call', { name: 'work', arguments: {} }))
  t.match(quiet.headers.get('content-type'), 'application/json', 'nobody asked for anything')
  t.match((await answerOf(quiet)).result.content, [{ text: 'raw false' }])

  const client = await connectStateless(t, url)
  const leaving = new AbortController()
  const waiting = client.callTool({ name: 'wait', arguments: {} }, { signal: leaving.signal })
  await eventually(() => seen.includes('begun'))
  leaving.abort()
  await t.rejects(waiting)
  await eventually(() => seen.includes('ended'))
})
