import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import t, { type Test } from 'tap'
import { TOOLSETS } from '../../../plugins/mcp/toolsets.data.js'
import { boot } from '../../helpers/boot.js'
import { initialize, listening } from './connect.js'
import { connectStateless, statelessRequest } from './connect-stateless.js'

/** Some hosts struggle with more. */
const MOST_TOOLS = 40
const HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }

async function toolsAt (t: Test, url: string): Promise<string[]> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)) as Transport)
  t.teardown(() => client.close())
  return (await client.listTools()).tools.map(({ name }) => name)
}

t.test('every set names tools there are, and is small', async t => {
  const { client } = await boot(t, { models: [], config: { plugins: { mcp: { toolsets: ['all'] } } } })
  const all = new Set((await client.listTools()).tools.map(({ name }) => name))
  for (const [toolset, names] of Object.entries(TOOLSETS)) {
    t.same(names.filter(name => !all.has(name)), [], toolset)
    const narrow = await boot(t, { models: [], config: { plugins: { mcp: { toolsets: [toolset] } } } })
    const offered = (await narrow.client.listTools()).tools.map(({ name }) => name)
    t.same(names.filter(name => !offered.includes(name)), [], `${toolset} is offered whole`)
    t.ok(offered.length <= MOST_TOOLS, `${toolset}: ${offered.length}`)
  }
})

t.test('an address may ask for some, each session for itself', async t => {
  const { url } = await listening(t, { models: [] })
  const all = await toolsAt(t, url)
  const watch = await toolsAt(t, `${url}?toolsets=watch`)
  t.same([...watch].sort(), [...TOOLSETS.watch ?? []].sort())
  const both = await toolsAt(t, `${url}?toolsets=watch,print`)
  t.ok(both.includes('print_file') && both.includes('pause_print') && both.includes('analyze_active_job'))
  t.ok(both.length < all.length)
  t.same(await toolsAt(t, `${url}?toolsets=`), all, 'nothing asked for')
  t.ok((await toolsAt(t, `${url}?toolsets=all`)).length > all.length)
  t.same(await toolsAt(t, `${url}?toolsets=telemetry`),
    all.filter(name => name.startsWith('get_monitoring_')), 'a plugin')
})

t.test('never more than the configuration offers', async t => {
  const { url } = await listening(t, {
    models: [], config: { plugins: { mcp: { toolsets: ['watch'], exclude: ['get_snapshot'] } } }
  })
  const print = await toolsAt(t, `${url}?toolsets=print`)
  t.same([...print].sort(), ['get_configured_printers', 'get_hms_errors', 'get_print_progress', 'get_spool_info'])
  t.notOk((await toolsAt(t, `${url}?toolsets=watch`)).includes('get_snapshot'))
})

t.test('a name that is none is said, and no session begins', async t => {
  const { url, kernel } = await listening(t, { models: [] })
  const begin = async (toolsets: string) => await fetch(`${url}?toolsets=${toolsets}`, {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
    body: JSON.stringify(initialize())
  })
  for (const [asked, message] of [
    ['watch,prnt', "toolsets: there is no toolset 'prnt'; did you mean 'print'?"],
    ['something-else-altogether', /^toolsets: there is no toolset '.*'; choose from watch, print, climate/],
    ['__proto__', /there is no toolset '__proto__'/]
  ] as const) {
    const reply = await begin(asked)
    t.equal(reply.status, 400)
    t.match(await reply.json(), { jsonrpc: '2.0', error: { code: -32_602, message } })
  }
  t.equal(kernel.services.mcp.sessions, 0)
})

t.test('a request without a session is narrowed by its address, too', async t => {
  const { url, raw } = await listening(t, { models: [] })
  const at = async (query: string) =>
    (await (await connectStateless(t, `${url}${query}`)).listTools()).tools.map(({ name }) => name).sort()
  t.same(await at('?toolsets=watch'), [...TOOLSETS.watch ?? []].sort())
  t.ok((await at('')).length > (await at('?toolsets=watch,print')).length)
  const narrow = await connectStateless(t, `${url}?toolsets=charts`)
  await t.rejects(narrow.callTool({ name: 'get_snapshot', arguments: {} }), /Unknown tool/)
  const reply = await fetch(`${url}?toolsets=prnt`, {
    method: 'POST',
    headers: { ...HEADERS, ...statelessRequest('tools/list').headers },
    body: JSON.stringify(statelessRequest('tools/list').body)
  })
  t.equal(reply.status, 400)
  t.match(await reply.json(), { error: { message: "toolsets: there is no toolset 'prnt'; did you mean 'print'?" } })
  t.equal((await raw('POST', statelessRequest('tools/list'))).status, 200)
})
