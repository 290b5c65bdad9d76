import t, { type Test } from 'tap'
import { ConnectionError } from '../../../core/printer/connection-error.js'
import { createConnectionLoop } from '../../../core/printer/connection-loop.js'
import type { MqttConnection } from '../../../core/printer/mqtt/mqtt-connection.js'
import { createSessionStatus } from '../../../core/printer/session-status.js'
import { eventually } from '../../helpers/eventually.js'
import { printerOf } from '../kernel/fake-session.js'

interface FakeConnection extends MqttConnection { lose (): void }

function fakeConnection (done: string[]): FakeConnection {
  let settle: (failure: undefined) => void = () => {}
  const closed = new Promise<undefined>(resolve => { settle = resolve })
  let connected = true
  const lose = () => {
    connected = false
    settle(undefined)
  }
  return {
    fingerprint: 'AA',
    get connected () { return connected },
    closed,
    subscribe: async () => { done.push('subscribed') },
    unsubscribe: async () => { done.push('unsubscribed') },
    close: lose,
    lose
  } as unknown as FakeConnection
}

/** @param answers of the attempts to connect, in their order; afterwards each is refused */
function build (t: Test, answers: readonly ('opens' | 'refuses')[]) {
  const controller = new AbortController()
  const done: string[] = []
  const opened: FakeConnection[] = []
  const status = createSessionStatus({ emit: (event: string, value: unknown) => done.push(`${event} ${value}`) } as never,
    { info () {} } as never)
  const left = [...answers]
  const loop = createConnectionLoop({
    config: printerOf('a'),
    signal: controller.signal,
    timeouts: { connectMs: 1_000, retryMs (attempt) { done.push(`retry ${attempt}`); return left.length > 0 ? 0 : 60_000 } },
    trust: { trust: () => ({ mode: 'pin' }), pin: seen => { done.push(`pinned ${seen}`) } },
    status,
    problem: { set: ({ code }) => done.push(code), ended: ({ code }) => done.push(code) },
    onMessage: (_payload, handled) => handled(),
    onOpen: () => done.push('open'),
    onSubscribed: () => status.setService('CONNECTED'),
    onClosed: () => done.push('closed'),
    async open () {
      if (left.shift() !== 'opens') throw new ConnectionError('unreachable', 'nobody answers')
      const connection = fakeConnection(done)
      opened.push(connection)
      return connection
    }
  })
  const running = loop.run()
  const end = async () => {
    controller.abort()
    opened.at(-1)?.lose()
    await running
  }
  t.teardown(end)
  return { loop, status, done, opened, end }
}

t.test('a lost connection is opened again, and a message makes the delays short again', async t => {
  const { loop, status, done, opened, end } = build(t, ['refuses', 'refuses', 'opens', 'opens'])
  await eventually(() => status.service === 'CONNECTED')
  t.same(done.splice(0), [
    'closed', 'unreachable', 'retry 0', 'closed', 'unreachable', 'retry 1', 'pinned AA', 'open', 'subscribed',
    'service CONNECTED'
  ])
  loop.heard()
  opened[0]?.lose()
  await eventually(() => opened.length === 2 && status.service === 'CONNECTED')
  t.same(done.splice(0, 4), ['closed', 'service DISCONNECTED', 'connection_lost', 'retry 0'])
  await end()
  t.equal(status.service, 'QUIT')
})

t.test('a pause keeps the connection and subscribes to nothing', async t => {
  const { loop, status, done, opened } = build(t, ['opens'])
  await eventually(() => status.service === 'CONNECTED')
  done.splice(0)
  await loop.pause()
  await loop.pause()
  t.same([done.splice(0), loop.isSubscribed, opened[0]?.connected], [['service PAUSED', 'unsubscribed'], false, true])
  await loop.resume()
  t.same([done.splice(0), loop.isSubscribed], [['open', 'subscribed', 'service CONNECTED'], true])
})

t.test('a pause takes back a resumption that is under way', async t => {
  const { loop, status, done, opened } = build(t, ['opens'])
  await eventually(() => status.service === 'CONNECTED')
  await loop.pause()
  done.splice(0)
  let answer = () => {}
  Object.assign(opened[0]!, { subscribe: () => new Promise<void>(resolve => { answer = resolve }) })
  const resumed = loop.resume()
  await loop.pause()
  answer()
  await resumed
  t.same([status.service, done.splice(0)], ['PAUSED', ['open', 'unsubscribed']])
  const again = loop.resume()
  answer()
  await again
  t.equal(status.service, 'CONNECTED', 'until the next one')
})
