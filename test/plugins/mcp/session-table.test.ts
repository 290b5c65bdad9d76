import t from 'tap'
import { definePlugin, definePreset } from '../../../core/index.js'
import { defineRawTool } from '../../../plugins/mcp/index.js'
import { createSessionTable, type Session } from '../../../plugins/mcp/session-table.js'
import daemon from '../../../presets/daemon/index.js'
import { eventually } from '../../helpers/eventually.js'
import { initialize, listening } from './connect.js'
import { REMOTE } from '../../helpers/addresses.js'

const MINUTE_MS = 60_000

function table (maxSessions = 3) {
  const clock = { now: 0 }
  const ended: string[] = []
  const failures: string[] = []
  const sessions = createSessionTable<Session>({ maxSessions, idleMinutes: 30 }, () => clock.now,
    error => failures.push(error.message))
  const add = (id: string, more: Partial<Session> = {}) => sessions.add(id, {
    address: '127.0.0.1', usedAt: clock.now, calls: 0, listeners: 0, close: async () => { ended.push(id) }, ...more
  })
  return { sessions, add, ended, failures, clock }
}

t.test('with too many the one idle longest gives way', async t => {
  const { sessions, add, ended } = table()
  add('a', { usedAt: 2 })
  add('b', { usedAt: 1 })
  add('c', { usedAt: 3 })
  t.same(ended, [])
  add('d', { usedAt: 0 })
  t.same(ended, ['b'], 'and not the newest, though it is the oldest by its time')
  t.equal(sessions.size, 3)
  t.equal(sessions.get('b'), undefined)
})

t.test('open streams count as in use, calls more than listening', async t => {
  const { add, ended, sessions } = table()
  add('calling', { usedAt: 0, calls: 1 })
  add('listening', { usedAt: 1, listeners: 1 })
  add('idle', { usedAt: 9 })
  add('new')
  t.same(ended, ['idle'])
  add('newer', { calls: 1 })
  t.same(ended, ['idle', 'new'])
  add('newest', { calls: 1 })
  t.same(ended, ['idle', 'new', 'listening'])
  t.equal(sessions.busy('127.0.0.1'), 'all', 'all are at work')
  add('one more', { calls: 1 })
  t.same(ended.length, 3, 'none that works is ended')
})

t.test('idle sessions end after their time, those with an open stream do not', async t => {
  const { sessions, add, ended, clock } = table()
  add('silent')
  add('listening', { listeners: 1 })
  clock.now = 30 * MINUTE_MS
  sessions.endIdle()
  t.same(ended, [], 'not before')
  clock.now++
  sessions.endIdle()
  t.same(ended, ['silent'])
  sessions.endAll()
  t.same(ended, ['silent', 'listening'])
  sessions.end('listening')
  t.equal(ended.length, 2, 'ending twice does nothing')
})

t.test('a session that cannot be closed is told of and forgotten', async t => {
  const { sessions, add, failures } = table()
  add('broken', { close: async () => { throw new Error('stuck') } })
  sessions.end('broken')
  await eventually(() => failures.length === 1)
  t.same(failures, ['stuck'])
  t.equal(sessions.size, 0)
})

t.test('over HTTP: the cap holds, and sessions with a stream stay', async t => {
  const { raw, begin, kernel } = await listening(t, { models: [], config: { plugins: { mcp: { maxSessions: 2 } } } })
  const first = await begin()
  const stream = await raw('GET', { session: first })
  const second = await begin()
  const third = await begin()
  t.equal(kernel.services.mcp.sessions, 2)
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  t.equal((await raw('POST', { session: first, body: ping })).status, 200, 'it listens')
  t.equal((await raw('POST', { session: second, body: ping })).status, 404, 'it was idle')
  t.equal((await raw('POST', { session: third, body: ping })).status, 200, 'it is new')
  await stream.body?.cancel()
})

const patience = defineRawTool({
  effect: 'read',
  definition: { name: 'wait', inputSchema: { type: 'object' } },
  run: (_, { signal }) => new Promise(resolve => {
    signal.addEventListener('abort', () => resolve({ content: [] }), { once: true })
  })
})
const preset = definePreset({
  name: 'daemon',
  plugins: [daemon.plugins,
    definePlugin({ name: 'patience', version: '1.0.0', kernel: '^2.0.0', contributes: { rawTools: [patience] } })]
})

t.test('when every session waits for an answer, a new one is turned away', async t => {
  const { raw, begin } = await listening(t, { models: [], preset, config: { plugins: { mcp: { maxSessions: 1 } } } })
  const session = await begin()
  const gone = new AbortController()
  const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'wait' } }
  const reply = await raw('POST', { session, body: call, signal: gone.signal })
  t.equal(reply.status, 200)
  const refused = await raw('POST', { body: initialize() })
  t.equal(refused.status, 503)
  t.match(await refused.json(), { jsonrpc: '2.0', error: { message: /try again/ } })
  gone.abort()
  await eventually(async () => (await raw('POST', { body: initialize() })).status === 200)
})

t.test('over HTTP: idle sessions are ended', async t => {
  const { raw, begin, kernel } = await listening(t,
    { models: [], config: { plugins: { mcp: { idleMinutes: 0.002 } } } })
  await begin()
  const held = await begin()
  const stream = await raw('GET', { session: held })
  await eventually(() => kernel.services.mcp.sessions === 1)
  t.equal((await raw('POST', { session: held, body: { jsonrpc: '2.0', id: 1, method: 'ping' } })).status, 200)
  await stream.body?.cancel()
  await eventually(() => kernel.services.mcp.sessions === 0)
  t.pass('the other one followed once its stream was closed')
})

t.test('abandoned sessions do not add up', async t => {
  const { begin, kernel } = await listening(t, { models: [] })
  const abandon = async (count: number) => { for (let left = count; left > 0; left--) await begin() }
  const { mcp } = kernel.services
  await abandon(150)
  t.equal(mcp.sessions, 64)
  const clients = mcp.serverContext.clientRegistry.size
  await abandon(350)
  t.equal(mcp.sessions, 64)
  t.equal(mcp.serverContext.clientRegistry.size, clients, 'nor is anything kept of them elsewhere')
})

t.test('one address ends its own sessions once it has its share, and is turned away when they are all at work', async t => {
  const { sessions, add, ended } = table(8)
  add('of another', { address: `${REMOTE}.1`, usedAt: 0 })
  for (let at = 0; at < 6; at++) add(`many ${at}`, { address: `${REMOTE}.2`, usedAt: 1 + at })
  t.same(ended, ['many 0', 'many 1', 'many 2', 'many 3'], 'a quarter of all is its share')
  for (const id of ['many 4', 'many 5']) Object.assign(sessions.get(id) ?? {}, { calls: 1 })
  t.equal(sessions.busy(`${REMOTE}.2`), 'address')
  t.equal(sessions.busy(`${REMOTE}.1`), undefined)
  t.equal(sessions.busy('127.0.0.1'), undefined)
})

t.test('over HTTP: an address whose sessions are all at work is told so, others begin theirs', async t => {
  const { raw } = await listening(t, {
    models: [], preset, config: { api: { trustProxy: ['127.0.0.1'] }, plugins: { mcp: { maxSessions: 8 } } }
  })
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const begin = async (address: string) => await raw('POST', { body: initialize(), headers: from(address) })
  for (let at = 0; at < 2; at++) {
    const session = (await begin(`${REMOTE}.2`)).headers.get('mcp-session-id') ?? ''
    const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'wait' } }
    t.equal((await raw('POST', { session, body: call, headers: from(`${REMOTE}.2`) })).status, 200)
  }
  const refused = await begin(`${REMOTE}.2`)
  t.equal(refused.status, 429)
  t.match(await refused.json(), { error: { message: /of this address/ } })
  t.equal((await begin(`${REMOTE}.3`)).status, 200)
})
