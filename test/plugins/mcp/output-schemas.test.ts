import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import t, { type Test } from 'tap'
import { Type } from 'typebox'
import { operation, tool, type Effect } from '../../../core/index.js'
import { outputSchemaOf } from '../../../plugins/mcp/output-schema.js'
import { boot } from '../../helpers/boot.js'
import { answerOf, initialize, listening } from './connect.js'
import { connectStateless } from './connect-stateless.js'

const thing = (output: object, effect: Effect = 'read') => operation({
  name: 'x.thing', summary: 'A thing', effect, scope: 'daemon', input: Type.Object({}), output: output as any, run: () => ({}) as never
})

t.test('the schema of an answer is that of its operation', t => {
  const output = Type.Object({
    title: Type.String({ title: 'Title', format: 'uri', pattern: '^x', maxLength: 3, default: 'x', description: 'Its name' }),
    part: Type.Unsafe<object>({ 'x-ref': 'Part' }),
    either: Type.Union([Type.Integer({ minimum: 1 }), Type.Null(), Type.Undefined()]),
    gone: Type.Optional(Type.Undefined())
  }, { 'x-name': 'Thing' })
  const properties = {
    title: { type: 'string', description: 'Its name' },
    part: {},
    either: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] }
  }
  const schemaOf = (binding: object, effect: Effect = 'read') =>
    JSON.parse(JSON.stringify(outputSchemaOf(tool(thing(output, effect), { name: 'x', ...binding }), effect)))
  t.same(schemaOf({}), { type: 'object', properties, required: ['title', 'part', 'either'] })
  t.match(schemaOf({}, 'local').properties, { ...properties, confirmed: { const: false }, note: { type: 'string' } })
  t.match(schemaOf({ pages: 'part' }).properties, { ...properties, next_cursor: { type: 'string' } })
  t.same(schemaOf({ returns: 'text', result: () => '' }).properties, { result: { type: 'string' } })
  t.same(schemaOf({ returns: 'list' }).properties, { result: { type: 'object', properties, required: ['title', 'part', 'either'] } })
  t.same(schemaOf({ result: () => ({}), pages: 'x' }, 'local'), { type: 'object' }, 'open where nobody says what it is')
  t.same(schemaOf({ result: () => ({}), answer: Type.Object({ a: Type.Null() }) }),
    { type: 'object', properties: { a: { type: 'null' } }, required: ['a'] })
  t.end()
})

async function clientAt (t: Test, url: string) {
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)) as Transport)
  t.teardown(() => client.close())
  return client
}

const LONG = { name: 'get_filament_catalog', arguments: {} }
const textIn = ({ content: [block] }: any): string => block.text

t.test('who asks is listed the schema of every answer, and each answer fits it', async t => {
  const { url, raw, name } = await listening(t, { models: ['P1S'] })
  const asking = `${url}?schemas=output`
  const [sessions, stateless] = [await clientAt(t, asking), await connectStateless(t, asking)]
  for (const client of [sessions, stateless]) {
    const { tools } = await client.listTools() // from now on the client compares answers with them
    t.same(tools.filter(({ outputSchema }) => outputSchema?.type !== 'object').map(({ name }) => name), [])
    const long = await client.callTool(LONG) as CallToolResult
    t.match(textIn(long), /^The answer is the structured content: \d+ characters in count, total, filaments, next_cursor\.$/)
    t.ok((long.structuredContent as any).filaments.length > 10, 'said once')
    const state = await client.callTool({ name: 'get_printer_state', arguments: { name } }) as CallToolResult
    t.match(state.structuredContent, { recent_update: Boolean }, 'not packed')
    const short = await client.callTool({ name: 'get_temperatures', arguments: { name } }) as CallToolResult
    t.same(JSON.parse(textIn(short)), short.structuredContent, 'what is short is said in both')
    const heated = await client.callTool({ name: 'set_bed_temp', arguments: { name, temp: 40, user_permission: true } })
    t.equal((heated.structuredContent as any)?.result, textIn(heated))
    const refused = await client.callTool({ name: 'set_bed_temp', arguments: { name, temp: 40 } }) as CallToolResult
    t.match(refused, { isError: true, content: [{ text: /user_permission must be True/ }, {}] })
    t.notOk('structuredContent' in refused, 'a failure is words alone')
  }
  const plain = await (await clientAt(t, url)).callTool(LONG)
  t.notOk('structuredContent' in plain, 'who does not ask is told in words')
  t.match(JSON.parse(textIn(plain)), { filaments: Array })
  const wrong = await fetch(`${url}?schemas=input`, {
    method: 'POST', headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }, body: JSON.stringify(initialize())
  })
  t.match(await wrong.json(), { error: { message: "schemas: there is no 'input'; choose output" } })
  t.equal((await raw('POST', { body: initialize() })).status, 200)
})

t.test('a revision without schemas is listed none, and everything is in words', async t => {
  const { raw } = await listening(t, { models: [], config: { plugins: { mcp: { outputSchemas: true } } } })
  for (const [revision, has] of [['2025-03-26', false], ['2025-06-18', true]] as const) {
    const begun = await raw('POST', { body: initialize(revision) })
    await begun.text()
    const session = begun.headers.get('mcp-session-id') ?? ''
    const ask = async (method: string, params: object) => (await answerOf(await raw('POST', {
      session, headers: { 'mcp-protocol-version': revision }, body: { jsonrpc: '2.0', id: 2, method, params }
    }))).result
    const { tools } = await ask('tools/list', {})
    const described = tools.filter((tool: object) => 'outputSchema' in tool)
    t.equal(described.length, has ? tools.length : 0, revision)
    t.equal(/"filaments"/.test(textIn(await ask('tools/call', LONG))), !has)
  }
})

t.test('found tools come with their schemas', async t => {
  const { url } = await listening(t, { models: [] })
  const client = await clientAt(t, `${url}?toolsets=start&schemas=output`)
  t.match((await client.listTools()).tools[0], { name: 'find_tools', outputSchema: {} })
  const found = await client.callTool({ name: 'find_tools', arguments: { words: 'fan speeds' } })
  t.match(found.structuredContent, { tools: [{ outputSchema: { type: 'object' } }] })
  t.match(textIn(found), /^Found: .*get_fan_speeds/)
  t.match((await client.callTool({ name: 'find_tools', arguments: { words: 'zzz' } })).structuredContent, { tools: { length: 0 } })
})

t.test('an answer that does not fit fails its test', async t => {
  const counted = tool(thing(Type.Object({}), 'read'), { name: 'count_it', result: () => ({ n: 'x' }) as never, answer: Type.Object({ n: Type.Integer() }) })
  const { tool: call } = await boot(t, {
    models: [], plugins: { name: 'counter', version: '1.0.0', kernel: '^2.0.0', setup () {}, contributes: { tools: [counted] } } as never
  })
  t.match(await call('count_it'), { failed: true, text: /The answer of 'tool count_it' does not fit its output schema: n must be integer/ })
})
