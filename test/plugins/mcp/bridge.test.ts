import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import t, { type Test } from 'tap'
import { Bridge } from '../../../plugins/mcp/bridge.js'
import type { UpstreamTransport } from '../../../plugins/mcp/upstream-connection.js'
import { eventually } from '../../helpers/eventually.js'
import { initialize } from './connect.js'

type Message = Record<string, any>
const refused = () => Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } })
const unknownSession = () => Object.assign(new Error('Session not found'), { code: 404 })

/** A service that can be stopped, restarted and made to hang. It answers everything but `wait`. */
function fakeService () {
  const service = {
    up: true,
    hangs: false,
    /** Connections so far; a restart forgets those before it. */
    connections: [] as { forgotten: boolean, closed: boolean, left: boolean, transport: UpstreamTransport }[],
    seen: [] as Message[],
    refuse: undefined as Error | undefined,
    restart () { for (const connection of service.connections) connection.forgotten = true },
    /** Tells the newest connection something. */
    say (message: Message) {
      service.connections.at(-1)?.transport.onmessage?.({ jsonrpc: '2.0', ...message } as JSONRPCMessage)
    },
    /** The newest connection notices that something is wrong. */
    trouble (words = 'SSE stream disconnected') { service.connections.at(-1)?.transport.onerror?.(new Error(words)) },
    connect (): UpstreamTransport {
      const connection = { forgotten: false, closed: false, left: false, transport: {} as UpstreamTransport }
      let version: string | undefined
      let abort = () => {}
      const aborted = new Promise<never>((_resolve, reject) => {
        abort = () => reject(new DOMException('This operation was aborted', 'AbortError'))
      })
      aborted.catch(() => {})
      connection.transport = {
        start: async () => {},
        async close () {
          connection.closed = true
          abort()
        },
        async terminateSession () {
          if (service.hangs) return await new Promise(() => {})
          connection.left = true
        },
        setProtocolVersion (agreed) { version = agreed },
        async send (message) {
          if (service.hangs) return await aborted
          if (!service.up) throw refused()
          if (connection.forgotten) throw unknownSession()
          if (service.refuse) throw service.refuse
          const { id, method } = message as Message
          service.seen.push({ ...message, version })
          if (id === undefined || method === undefined || method === 'wait') return
          const result = method === 'initialize' ? { protocolVersion: '2025-11-25' } : { method }
          queueMicrotask(() => connection.transport.onmessage?.({ jsonrpc: '2.0', id, result } as JSONRPCMessage))
        }
      }
      service.connections.push(connection)
      return connection.transport
    },
    methods: () => service.seen.map(({ method }) => method)
  }
  return service
}

async function bridged (t: Test) {
  const service = fakeService()
  const heard: Message[] = []
  const warnings: string[] = []
  const near: Transport = {
    start: async () => {},
    close: async () => {},
    send: async message => { heard.push(message) }
  }
  const warn = (text: string) => warnings.push(text)
  const bridge = new Bridge({ near, connect: service.connect, warn, patienceMs: 100 })
  await bridge.start()
  t.teardown(() => bridge.end())
  const say = (message: Message) => near.onmessage?.({ jsonrpc: '2.0', ...message } as JSONRPCMessage)
  const answer = (id: number | string) => heard.find(message => message.id === id)
  const ask = async (id: number | string, method: string, params = {}) => {
    say({ id, method, params })
    await eventually(() => answer(id))
    return answer(id) ?? {}
  }
  const greet = async () => {
    const hello = await ask(0, 'initialize', initialize().params)
    say({ method: 'notifications/initialized' })
    await eventually(() => service.methods().includes('notifications/initialized'))
    return hello
  }
  return { service, bridge, heard, warnings, say, ask, answer, greet }
}

t.test('messages pass both ways, in order, with the revision agreed on', async t => {
  const { service, heard, say, ask, greet } = await bridged(t)
  t.match(await greet(), { id: 0, result: { protocolVersion: '2025-11-25' } })
  for (const id of [1, 2, 3, 4, 5]) say({ id, method: `m${id}` })
  t.match(await ask(6, 'last'), { result: { method: 'last' } })
  t.same(service.methods(), ['initialize', 'notifications/initialized', 'm1', 'm2', 'm3', 'm4', 'm5', 'last'])
  t.equal(service.seen.at(-1)?.version, '2025-11-25')
  service.say({ method: 'notifications/progress', params: { progress: 1 } })
  t.match(heard.at(-1), { method: 'notifications/progress' })
  t.equal(service.connections.length, 1)
})

t.test('questions of the service reach the client, and its answers go back', async t => {
  const { service, heard, say, greet } = await bridged(t)
  await greet()
  service.say({ id: 77, method: 'elicitation/create', params: {} })
  t.match(heard.at(-1), { id: 77, method: 'elicitation/create' })
  say({ id: 77, result: { action: 'accept' } })
  await eventually(() => service.seen.some(({ result }) => result?.action === 'accept'))
})

t.test('a service that was restarted is initialized anew, and the client does not notice', async t => {
  const { service, heard, ask, greet } = await bridged(t)
  await greet()
  await ask(1, 'logging/setLevel', { level: 'warning' })
  await ask(2, 'resources/subscribe', { uri: 'prnd://printers' })
  await ask(3, 'resources/subscribe', { uri: 'prnd://printers/a' })
  await ask(4, 'resources/unsubscribe', { uri: 'prnd://printers' })
  service.restart()
  service.seen.length = 0
  heard.length = 0
  t.match(await ask(5, 'tools/list'), { result: { method: 'tools/list' } }, 'the request is sent again: it was never taken')
  t.match(service.seen, [
    { method: 'initialize', params: initialize().params },
    { method: 'notifications/initialized', version: '2025-11-25' },
    { method: 'logging/setLevel', params: { level: 'warning' } },
    { method: 'resources/subscribe', params: { uri: 'prnd://printers/a' } },
    { method: 'tools/list', id: 5 }
  ])
  t.match(heard, [{ method: 'notifications/resources/updated', params: { uri: 'prnd://printers/a' } }, { id: 5 }],
    'but for word that what it watches may have changed')
  t.ok(service.connections[0]?.closed)
})

t.test('what was under way when the service was lost is answered, and never sent again', async t => {
  const { service, heard, say, ask, answer, greet } = await bridged(t)
  await greet()
  say({ id: 1, method: 'wait' })
  say({ id: 2, method: 'wait' })
  await eventually(() => service.methods().filter(method => method === 'wait').length === 2)
  service.up = false
  service.trouble()
  await eventually(() => answer(1) && answer(2))
  t.match(answer(1), { error: { code: -32_000, message: /was lost.*not known/ } })
  service.up = true
  t.match(await ask(3, 'ping'), { result: {} })
  t.equal(service.methods().filter(method => method === 'wait').length, 2)
  service.connections[0]?.transport.onmessage?.({ jsonrpc: '2.0', id: 1, result: {} })
  t.match(answer(1), { error: {} }, 'a late answer of the old connection is dropped')
  const before = heard.length
  service.connections[0]?.transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/message', params: {} })
  t.equal(heard.length, before, 'as is whatever else it says')
})

t.test('with no service requests fail at once, and work again when it is back', async t => {
  const { service, ask, greet, warnings } = await bridged(t)
  await greet()
  service.up = false
  for (const id of [1, 2]) t.match(await ask(id, 'tools/list'), { error: { code: -32_000, message: /prnd daemon/ } })
  service.restart()
  service.up = true
  t.match(await ask(3, 'tools/list'), { result: {} })
  t.ok(warnings.length <= 2, warnings.join('; '))
})

t.test('it comes back by itself for what the client watches', async t => {
  const { service, heard, ask, greet } = await bridged(t)
  await greet()
  await ask(1, 'resources/subscribe', { uri: 'prnd://printers' })
  service.up = false
  service.trouble()
  await eventually(() => service.connections[0]?.closed)
  service.restart()
  service.up = true
  await eventually(() => heard.some(({ method }) => method === 'notifications/resources/updated'))
  service.say({ method: 'notifications/resources/updated', params: { uri: 'prnd://printers' } })
  t.equal(heard.filter(({ method }) => method === 'notifications/resources/updated').length, 2)
})

t.test('trouble with a service that lives changes nothing, unless it cannot be listened to', async t => {
  const { service, ask, greet } = await bridged(t)
  await greet()
  service.trouble()
  t.match(await ask(1, 'tools/list'), { result: {} })
  t.equal(service.connections.length, 1)
  service.trouble('Maximum reconnection attempts (2) exceeded.')
  await eventually(() => service.connections.length === 2)
  t.match(await ask(2, 'tools/list'), { result: {} })
})

t.test('a service that hangs is given up after a while', async t => {
  const { service, say, answer, greet } = await bridged(t)
  await greet()
  say({ id: 1, method: 'wait' })
  await eventually(() => service.methods().includes('wait'))
  service.hangs = true
  say({ id: 2, method: 'tools/list' })
  await eventually(() => answer(1) && answer(2))
  t.match([answer(1), answer(2)], [{ error: { message: /was lost/ } }, { error: { message: /was lost/ } }])
})

t.test('a refusal of the service is passed on in words', async t => {
  const { service, ask, greet } = await bridged(t)
  await greet()
  service.refuse = Object.assign(new Error('Error POSTing to endpoint: needs a token'), { code: 401 })
  t.match(await ask(1, 'tools/list'), { error: { message: /service refused: .*needs a token/ } })
  service.refuse = undefined
  t.match(await ask(2, 'tools/list'), { result: {} })
})

t.test('a greeting that finds nobody fails, and another one may be tried', async t => {
  const { service, ask } = await bridged(t)
  service.up = false
  t.match(await ask(0, 'initialize', initialize().params), { error: { message: /prnd daemon/ } })
  service.up = true
  t.match(await ask(1, 'initialize', initialize().params), { result: { protocolVersion: '2025-11-25' } })
  t.match(await ask(2, 'ping'), { result: {} })
})

t.test('the answer to a cancelled request is dropped', async t => {
  const { service, heard, say, bridge, greet } = await bridged(t)
  await greet()
  say({ id: 1, method: 'wait' })
  say({ method: 'notifications/cancelled', params: { requestId: 1 } })
  await eventually(() => service.methods().includes('notifications/cancelled'))
  t.equal(bridge.pending.size, 0)
  const before = heard.length
  service.say({ id: 1, result: {} })
  t.equal(heard.length, before)
})

t.test('at the end it takes leave, also of a service that is gone', async t => {
  const { service, bridge, greet } = await bridged(t)
  await greet()
  await bridge.end()
  t.match(service.connections, [{ left: true, closed: true }])
  const second = await bridged(t)
  await second.greet()
  second.service.hangs = true
  await second.bridge.end()
  t.match(second.service.connections, [{ left: false, closed: true }])
})
