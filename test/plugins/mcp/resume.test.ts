import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { definePlugin, definePreset } from '../../../core/index.js'
import { defineRawTool } from '../../../plugins/mcp/index.js'
import { CANCELLED_CODE, createEventStore } from '../../../plugins/mcp/event-store.js'
import daemon from '../../../presets/daemon/index.js'
import { eventually } from '../../helpers/eventually.js'
import { listening, messagesOf } from './connect.js'

const note = (text: string): JSONRPCMessage =>
  ({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: text } })
const answer = (id: number, result = {}): JSONRPCMessage => ({ jsonrpc: '2.0', id, result })

async function after (store: ReturnType<typeof createEventStore>, id: string): Promise<JSONRPCMessage[]> {
  const seen: JSONRPCMessage[] = []
  await store.replayEventsAfter(id, { send: async (_, message) => { seen.push(message) } })
  return seen
}

t.test('messages are kept by stream and given again in order', async t => {
  const store = createEventStore()
  const first = await store.storeEvent('a', note('1'))
  await store.storeEvent('b', note('other'))
  const second = await store.storeEvent('a', note('2'))
  await store.storeEvent('a', answer(7))
  t.same(await after(store, first), [note('2'), answer(7)])
  t.same(await after(store, second), [answer(7)])
  t.equal(await store.getStreamIdForEventId(first), 'a')
  t.equal(await store.getStreamIdForEventId('c:1'), undefined)
  t.equal(await store.getStreamIdForEventId('nonsense'), undefined)
})

t.test('a stream is over with its answer, or when it is cancelled or forgotten', async t => {
  const store = createEventStore()
  const begun = await store.storeEvent('a', {} as JSONRPCMessage)
  t.notOk(store.isOver(begun))
  t.equal(store.rest(begun), undefined, 'the answer is due')
  const last = await store.storeEvent('a', answer(1))
  t.notOk(store.isOver(begun), 'there is something to fetch')
  t.match(store.rest(begun), [{ id: last, message: { id: 1 } }])
  t.ok(store.isOver(last))
  const running = await store.storeEvent('b', {} as JSONRPCMessage)
  await store.storeEvent('b', { jsonrpc: '2.0', id: 2, error: { code: CANCELLED_CODE, message: '' } })
  t.ok(store.isOver(running))
  t.ok(store.isOver('never:9'))
  t.notOk(store.isOver('_GET_stream:9'), 'the standing stream never ends')
})

t.test('what is kept has a limit', async t => {
  const store = createEventStore()
  const first = await store.storeEvent('a', note('first'))
  for (let left = 600; left > 0; left--) await store.storeEvent('b', note('small'))
  t.equal(await store.getStreamIdForEventId(first), undefined, 'by number')
  const standing = await store.storeEvent('_GET_stream', note('standing'))
  const large = 'x'.repeat(100_000)
  for (const text of ['1', '2', '3']) await store.storeEvent('c', note(text + large))
  t.same((await after(store, 'c:0')).length, 2, 'by size')
  t.equal(await store.getStreamIdForEventId(standing), '_GET_stream', 'a standing stream is known all the same')
  const huge = await store.storeEvent('d', note('x'.repeat(300_000)))
  t.same((await after(store, 'c:0')).length, 2, 'one too large pushes nothing out')
  t.equal(await store.getStreamIdForEventId(huge), undefined)
})

/** `slow` lets its stream go, or not, and answers when told. */
function slowTool () {
  const state = { started: 0, finish: () => {} }
  const tool = defineRawTool({
    effect: 'read',
    definition: { name: 'slow', inputSchema: { type: 'object', properties: { letGo: { type: 'boolean' } } } },
    async run ({ letGo }, { closeStream, progress }) {
      const done = new Promise<void>(resolve => { state.finish = resolve })
      state.started++
      progress(1)
      if (letGo === true) closeStream()
      await done
      progress(2)
      return { content: [{ type: 'text', text: 'at last' }] }
    }
  })
  const preset = definePreset({
    name: 'daemon',
    plugins: [daemon.plugins,
      definePlugin({ name: 'slow', version: '1.0.0', kernel: '^2.0.0', contributes: { rawTools: [tool] } })]
  })
  return { state, preset }
}

const call = { jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'slow', arguments: {}, _meta: { progressToken: 1 } } }
const idsIn = (text: string) => [...text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id ?? '')

t.test('a new client is told at once how to come back, an old one is not', async t => {
  const { raw, begin } = await listening(t, { models: [] })
  const session = await begin()
  const body = { jsonrpc: '2.0', id: 1, method: 'ping' }
  const fresh = await (await raw('POST', { session, body })).text()
  t.match(fresh, /^id: \S+:\d+\nretry: \d+\ndata: \n\n/)
  const old = await (await raw('POST', { session, body, headers: { 'mcp-protocol-version': '2025-03-26' } })).text()
  t.notMatch(old, /retry/)
  t.match(messagesOf(old), [{ id: 1, result: {} }])
})

t.test('an answer that came while nobody listened is fetched later', async t => {
  const { state, preset } = slowTool()
  const { raw, begin } = await listening(t, { models: [], preset })
  const session = await begin()
  const gone = new AbortController()
  const reply = await raw('POST', { session, body: call, signal: gone.signal })
  const { value } = await reply.body?.getReader().read() ?? {}
  const [first = ''] = idsIn(new TextDecoder().decode(value))
  await eventually(() => state.started === 1)
  gone.abort()
  state.finish()
  await sleep(50)
  const back = await raw('GET', { session, headers: { 'last-event-id': first } })
  t.equal(back.headers.get('content-type')?.split(';')[0], 'text/event-stream')
  const text = await back.text()
  t.match(messagesOf(text), [{ params: { progress: 1 } }, { params: { progress: 2 } }, { id: 5, result: { content: [{ text: 'at last' }] } }])
  const end = await raw('GET', { session, headers: { 'last-event-id': idsIn(text).at(-1) ?? '' } })
  t.equal(end.status, 204, 'then there is nothing more')
})

t.test('who comes back before the answer gets it as it comes', async t => {
  const { state, preset } = slowTool()
  const { raw, begin } = await listening(t, { models: [], preset })
  const session = await begin()
  const body = { ...call, params: { ...call.params, arguments: { letGo: true } } }
  const begun = await (await raw('POST', { session, body })).text()
  t.match(messagesOf(begun).filter(({ id }) => id === 5), [], 'the stream was let go before the answer')
  const back = await raw('GET', { session, headers: { 'last-event-id': idsIn(begun).at(-1) ?? '' } })
  t.equal(back.status, 200)
  state.finish()
  t.match(messagesOf(await back.text()).at(-1), { id: 5, result: {} }, 'and the stream ends after it')
})

t.test('the official client does all that by itself', async t => {
  const { state, preset } = slowTool()
  const { connect } = await listening(t, { models: [], preset })
  const { client } = await connect()
  const errors: Error[] = []
  client.onerror = error => errors.push(error)
  const result = client.callTool({ name: 'slow', arguments: { letGo: true } })
  await eventually(() => state.started === 1)
  await sleep(100)
  state.finish()
  t.match(await result, { content: [{ text: 'at last' }] })
  await t.rejects(client.readResource({ uri: 'nothing://' }), { code: -32_002 })
  await sleep(500) // an error makes this client come back for more
  t.same(errors, [], 'and is told that there is nothing more')
})

t.test('what was announced while the stream was broken is heard afterwards', async t => {
  const { raw, begin, name, printer } = await listening(t)
  const session = await begin()
  const post = (method: string, params = {}) => raw('POST', { session, body: { jsonrpc: '2.0', id: 1, method, params } })
  await raw('POST', { session, body: { jsonrpc: '2.0', method: 'notifications/initialized' } })
  const gone = new AbortController()
  const stream = await raw('GET', { session, signal: gone.signal })
  await (await post('resources/subscribe', { uri: `prnd://printers/${name}` })).text()
  printer.patch({ bed_temper: 41 })
  const reader = stream.body?.getReader()
  const { value } = await reader?.read() ?? {}
  const [first = ''] = idsIn(new TextDecoder().decode(value))
  t.match(first, /^_GET_stream:/)
  gone.abort()
  await reader?.closed.catch(() => {})
  await sleep(1_100)
  printer.patch({ bed_temper: 66 })
  await sleep(100)
  const back = await raw('GET', { session, headers: { 'last-event-id': first } })
  const again = await back.body?.getReader().read()
  t.match(messagesOf(new TextDecoder().decode(again?.value)), [{ method: 'notifications/resources/updated' }])
})

t.test('without resumption there are no ids and nothing is kept', async t => {
  const { raw, begin, url } = await listening(t, { models: [], config: { plugins: { mcp: { resume: false } } } })
  const session = await begin()
  const text = await (await raw('POST', { session, body: { jsonrpc: '2.0', id: 1, method: 'ping' } })).text()
  t.notMatch(text, /^id:/m)
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)) as Transport)
  await t.rejects(client.readResource({ uri: 'nothing://' }), { code: -32_002 })
  await client.close()
})
