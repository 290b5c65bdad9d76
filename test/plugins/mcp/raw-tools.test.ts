import { ElicitRequestSchema, LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import t, { type Test } from 'tap'
import { definePlugin, definePreset } from '../../../core/index.js'
import { defineRawTool, type RawTool } from '../../../plugins/mcp/index.js'
import daemon from '../../../presets/daemon/index.js'
import { boot, type BootOptions } from '../../helpers/boot-features.js'
import { listening } from './connect.js'

const inputSchema = { type: 'object' as const }
const words = (text: string) => ({ content: [{ type: 'text' as const, text }] })

const bare = (run: RawTool['run'], more: Partial<RawTool> = {}) =>
  defineRawTool({ effect: 'read', definition: { name: 'raw', inputSchema }, run, ...more })

const withTools = (...rawTools: RawTool[]): BootOptions => ({
  models: [],
  preset: definePreset({
    name: 'daemon',
    plugins: [daemon.plugins, definePlugin({ name: 'extra', version: '1.0.0', kernel: '^2.0.0', contributes: { rawTools } })]
  })
})
const bootWith = (t: Test, ...tools: RawTool[]) => boot(t, withTools(...tools))

t.test('the definition is completed from name and effect', async t => {
  const { client, kernel } = await bootWith(t,
    bare(() => words('')),
    defineRawTool({
      effect: 'destructive',
      consequence: 'All is gone.',
      definition: { name: 'erase_rfid', description: 'Erases', inputSchema, annotations: { idempotentHint: true } },
      run: () => words('')
    }))
  const { tools } = await client.listTools()
  t.match(tools.find(({ name }) => name === 'raw'),
    { inputSchema, annotations: { readOnlyHint: true } })
  t.equal(kernel.services.mcp.serverContext.rawTools.get('erase_rfid')?.title, 'Erase RFID')
  t.match(tools.find(({ name }) => name === 'erase_rfid'), {
    inputSchema: { type: 'object', properties: { user_permission: { type: 'boolean' } } },
    annotations: { destructiveHint: true, idempotentHint: true }
  })
})

t.test('one that changes something must state its consequence and needs permission', async t => {
  t.throws(() => bare(() => words(''), { effect: 'write' }), /'raw' changes a printer and must state its consequence/)
  const seen: object[] = []
  const { tool } = await bootWith(t, bare(args => { seen.push(args); return words('done') },
    { effect: 'write', consequence: 'The lid opens.' }))
  const refused = await tool('raw', {})
  t.ok(refused.failed)
  t.equal(refused.text, 'Error: user_permission must be True to perform this action. The lid opens.')
  t.equal((await tool('raw', { user_permission: true, x: 1 })).text, 'done')
  t.same(seen, [{ x: 1 }], 'the permission is not its business')
})

t.test('arguments are checked, also against a schema that names its dialect', async t => {
  const { tool } = await bootWith(t, bare(() => words('fine'), {
    definition: {
      name: 'raw',
      inputSchema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        $defs: { size: { type: 'integer', minimum: 1 } },
        properties: { size: { $ref: '#/$defs/size' } },
        required: ['size']
      }
    }
  }))
  t.equal((await tool('raw', { size: 3 })).text, 'fine')
  t.match(await tool('raw', { size: 0 }), { failed: true, text: /^Error: size must be >= 1/ })
  t.match(await tool('raw', {}), { failed: true, text: "Error: 'size' is required" })
})

t.test('whatever it throws or returns is an answer', async t => {
  const thrown = [new Error('plain'), undefined, null, 7, Object.create(null)]
  for (const error of thrown) {
    const { tool } = await bootWith(t, bare(() => { throw error }))
    t.match(await tool('raw'), { failed: true, text: /^Error running raw: / })
  }
  for (const value of [undefined, 'text', { content: 'text' }, { content: [{ type: 'smell' }] }]) {
    const { tool } = await bootWith(t, bare(() => value as never))
    t.match(await tool('raw'), { failed: true, text: 'Error running raw: its answer is not a tool result' })
  }
})

t.test('secrets are masked in what it says, logs, reports and throws', async t => {
  const { connect } = await listening(t, {
    ...withTools(
      bare((_, { log, progress }) => {
        log('info', { note: 'sesame99' })
        progress(1, 2, 'sesame99')
        return { ...words('it is sesame99'), structuredContent: { code: 'sesame99' } }
      }),
      bare(() => { throw new Error('sesame99') }, { definition: { name: 'worse', inputSchema } })),
    models: [{ model: 'X1C', accessCode: 'sesame99' }]
  })
  const { client } = await connect()
  const heard: unknown[] = []
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => { heard.push(params) })
  const answer = await client.callTool({ name: 'raw' }, undefined, { onprogress: progress => heard.push(progress) })
  const worse = await client.callTool({ name: 'worse' })
  t.match(answer, { structuredContent: { code: '********' } })
  t.equal(heard.length, 2, 'a tool is heard by who calls it, without asking for a level')
  t.notMatch(JSON.stringify([answer, worse, heard]), 'sesame99')
})

t.test('log messages below the level asked for are left out', async t => {
  const { client, tool } = await bootWith(t, bare((_, { log }) => {
    log('debug', 'low')
    log('alert', 'high')
    return words('said')
  }))
  const heard: unknown[] = []
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => { heard.push(params) })
  await client.setLoggingLevel('error')
  await tool('raw')
  t.same(heard, [{ level: 'alert', logger: 'raw', data: 'high' }])
})

t.test('it may ask the client for what the client can do, and for nothing else', async t => {
  const { connect } = await listening(t, withTools(bare(async (_, { request, client }) => {
    const { action } = await request<{ action: string }>('elicitation/create',
      { message: 'Really?', requestedSchema: { type: 'object', properties: {} } })
    return words(`${client.info?.name}: ${action}`)
  })))
  const able = await connect({ capabilities: { elicitation: {} } })
  able.client.setRequestHandler(ElicitRequestSchema, () => ({ action: 'decline' }))
  t.match(await able.client.callTool({ name: 'raw' }), { content: [{ text: 'test: decline' }] })
  const unable = await connect()
  t.match(await unable.client.callTool({ name: 'raw' }), { isError: true, content: [{ text: /not support elicitation/ }] })
})

t.test('a client that takes too long to answer is not waited for', async t => {
  const { connect } = await listening(t, withTools(bare(async (_, { request }) => {
    await request('elicitation/create', { message: '?', requestedSchema: { type: 'object', properties: {} } }, { timeoutMs: 50 })
    return words('answered')
  })))
  const { client } = await connect({ capabilities: { elicitation: {} } })
  client.setRequestHandler(ElicitRequestSchema, () => new Promise(() => {}))
  t.match(await client.callTool({ name: 'raw' }), { isError: true, content: [{ text: /timed out/ }] })
})

t.test('two of one name are refused at the start, with those who brought them', async t => {
  const twice = (name: string) => bootWith(t, bare(() => words(''), { definition: { name, inputSchema } }), bare(() => words('')))
  await t.rejects(twice('raw'), { message: /Tool 'raw' is defined twice: by 'extra' and by 'extra'/ })
  await t.rejects(bootWith(t, bare(() => words(''), { definition: { name: 'get_temperatures', inputSchema } })),
    { message: /Tool 'get_temperatures' is defined twice: by 'state' and by 'extra'/ })
})
