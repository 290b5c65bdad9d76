import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import t, { type Test } from 'tap'
import { Type } from 'typebox'
import { definePlugin, operation, tool } from '../../../core/index.js'
import { findTools, foundAnswer } from '../../../plugins/mcp/find-tools.js'
import { featuresWith } from '../../helpers/boot-features.js'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { listening } from './connect.js'
import { connectStateless } from './connect-stateless.js'

const MOST_TOOLS = 30
const MOST_CHARS = 15_500

async function clientAt (t: Test, url: string) {
  const client = new Client({ name: 'test', version: '1.0.0' })
  let changes = 0
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => { changes++ })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)) as Transport)
  t.teardown(() => client.close())
  const names = async () => (await client.listTools()).tools.map(({ name }) => name)
  return { client, names, changes: () => changes }
}

const textOf = (answer: unknown): string => (answer as { content: { text: string }[] }).content[0]?.text ?? ''

t.test('a search of a hundred thousand words is one of a few', t => {
  const asked: string[] = []
  const tool = (name: string) => ({ get name () { asked.push(name); return name }, description: '', inputSchema: { type: 'object' as const } })
  const long = Array.from({ length: 100_000 }, (_, at) => `w${at}`).join(' ')
  t.same(findTools([tool('dry')], long), [])
  t.ok(asked.length <= 20, `${asked.length} looks`)
  t.equal(findTools([tool('dry')], `dry ${long}`).length, 1)
  t.ok(JSON.stringify(foundAnswer([], long)).length < 400)
  t.end()
})

t.test('a small list, and the rest on demand', async t => {
  const { url } = await listening(t, { models: [] })
  const usual = await clientAt(t, url)
  t.ok((await usual.names()).includes('find_tools'))
  t.notOk((await usual.names()).includes('ignore_fault'))
  t.match(textOf(await usual.client.callTool({ name: 'find_tools', arguments: { words: 'ignore this fault' } })), /"ignore_fault"/)
  t.ok((await usual.names()).includes('ignore_fault'))
  const whole = await clientAt(t, `${url}?toolsets=all`)
  t.notOk((await whole.names()).includes('find_tools'), 'where all are listed there is nothing to find')
  t.notOk(whole.client.getServerCapabilities()?.tools?.listChanged)

  const { client, names, changes } = await clientAt(t, `${url}?toolsets=start`)
  const { tools } = await client.listTools()
  t.ok(tools.length <= MOST_TOOLS, `${tools.length} tools`)
  t.same(tools.filter(({ title }) => !title), [], 'with titles')
  t.equal(client.getServerCapabilities()?.tools?.listChanged, true)
  t.match(client.getInstructions(), /find_tools/)

  t.notOk((await names()).includes('start_ams_dryer'))
  const found = JSON.parse(textOf(await client.callTool({ name: 'find_tools', arguments: { words: 'drying filament' } }))) as
    { tools: { name: string, inputSchema: object }[] }
  t.match(found.tools.map(({ name }) => name), ['start_ams_dryer'])
  t.match(found.tools[0]?.inputSchema, { properties: { name: {} } }, 'with its schema')
  await eventually(() => changes() === 1)
  t.ok((await names()).includes('start_ams_dryer'), 'listed from now on')
  t.match(textOf(await client.callTool({ name: 'get_fan_speeds', arguments: { name: 'none' } })), /not connected/, 'called without a search')
  t.match(textOf(await client.callTool({ name: 'find_tools', arguments: { words: 'zzzz' } })), /No tool matches/)
  t.match(await client.callTool({ name: 'find_tools', arguments: { query: 'zzzz' } }), { isError: true, content: [{ text: /words is required/ }] })
  const other = await clientAt(t, `${url}?toolsets=start`)
  t.notOk((await other.names()).includes('start_ams_dryer'), 'each client for itself')
})

t.test('without sessions any tool can be called by its name', async t => {
  const { url } = await listening(t, { models: [] })
  const client = await connectStateless(t, `${url}?toolsets=start`)
  const { tools } = await client.listTools()
  t.ok(tools.length <= MOST_TOOLS && tools.some(({ name }) => name === 'find_tools'))
  t.match(textOf(await client.callTool({ name: 'find_tools', arguments: { words: 'fan speed' } })), /set_fan_speed/)
  t.match(textOf(await client.callTool({ name: 'get_fan_speeds', arguments: { name: 'none' } })), /not connected/)
})

t.test('the configuration can make it the usual list, and what it excludes is not found', async t => {
  const { client } = await boot(t, { models: [], config: { plugins: { mcp: { toolsets: ['start'], exclude: ['set_fan_speed'] } } } })
  const { tools } = await client.listTools()
  t.ok(tools.length > 25 && tools.length <= MOST_TOOLS, `${tools.length} tools`)
  const chars = JSON.stringify(tools).length
  t.ok(chars <= MOST_CHARS, `${chars} characters`)
  t.notMatch(textOf(await client.callTool({ name: 'find_tools', arguments: { words: 'fan speed' } })), /"set_fan_speed"/)
  const watch = await listening(t, { models: [], config: { plugins: { mcp: { toolsets: ['start'] } } } })
  t.notOk((await (await clientAt(t, `${watch.url}?toolsets=watch`)).names()).includes('find_tools'))
})

const rare = definePlugin({
  name: 'rare',
  version: '1.0.0',
  kernel: '^2.0.0',
  setup () {},
  contributes: {
    tools: [tool(operation({
      name: 'rare.brew',
      summary: 'Brews coffee',
      effect: 'read',
      scope: 'daemon',
      input: Type.Object({}),
      output: Type.Object({ cups: Type.Number() }),
      run: () => ({ cups: 1 })
    }), { name: 'brew_coffee', onRequest: true })]
  }
})

t.test('a tool on request is listed by its own toolset, found, and called by anybody', async t => {
  const { url } = await listening(t, { models: [], preset: featuresWith(rare) })
  const whole = await clientAt(t, url)
  t.notOk((await whole.names()).includes('brew_coffee'))
  t.match(textOf(await whole.client.callTool({ name: 'brew_coffee', arguments: {} })), /cups/)
  t.same(await (await clientAt(t, `${url}?toolsets=rare`)).names(), ['brew_coffee'])
  const start = await clientAt(t, `${url}?toolsets=start`)
  t.notOk((await start.names()).includes('brew_coffee'))
  t.match(textOf(await start.client.callTool({ name: 'find_tools', arguments: { words: 'coffee' } })), /brew_coffee/)

  const included = await listening(t, { models: [], preset: featuresWith(rare), config: { plugins: { mcp: { include: ['brew_coffee'] } } } })
  t.ok((await (await clientAt(t, included.url)).names()).includes('brew_coffee'), 'the configuration can list it for all')
})
