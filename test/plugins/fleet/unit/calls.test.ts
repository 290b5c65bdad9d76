import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import t from 'tap'
import { Calls, type CallsOptions } from '../../../../plugins/fleet/node/calls.js'
import { newKey } from '../keys.js'

const MOST_REMEMBERED = 5_000
const END = 3

t.test('a node that remembers all it can refuses more writes, and does none of those it knows twice', async t => {
  let done = 0
  const operation = { name: 'climate.setBedTarget', scope: 'printer', effect: 'write' }
  const kernel = {
    operations: new Map([[operation.name, operation]]),
    printers: { get: () => ({ name: 'p1s' }) },
    call: async () => ({ count: ++done }),
    redact: (text: string) => text
  }
  const hub = 'the first hub'
  const heartbeat = { isRecent: () => true }
  const calls = new Calls({
    kernel,
    heartbeat,
    signingKey: newKey(),
    verify: (message: Buffer) => JSON.parse(message.toString()),
    epoch: () => undefined,
    onDone () {}
  } as unknown as CallsOptions)
  t.teardown(() => calls.close())
  const told = new EventEmitter()
  const nats = {
    publish: (_subject: string, data: Buffer) => { if (data[0] === END) told.emit('end', data.subarray(1).toString()) },
    isClosed: () => false,
    flush: async () => {}
  }
  const ask = async (key: string, by = hub): Promise<string> => {
    const end = once(told, 'end')
    const request = {
      beat: 1, key, reply: randomUUID(), printer: 'p1s', operation: operation.name, input: {}, isRead: false, host: 'localhost'
    }
    calls.take(Buffer.from(JSON.stringify({ request, hub: by })), nats as never, error => t.fail(error.message))
    return String(await end)
  }
  const first = randomUUID()
  t.notMatch(await ask(first), 'error')
  for (let count = 1; count < MOST_REMEMBERED; count++) await ask(randomUUID())
  t.equal(done, MOST_REMEMBERED)
  const late = randomUUID()
  t.match(await ask(late), 'PRN_ERR_OVERLOADED')
  t.match(await ask(late), 'PRN_ERR_OVERLOADED', 'asked again it is refused again, as there is still no room')
  t.notMatch(await ask(first), 'error')
  t.equal(done, MOST_REMEMBERED, 'nothing was done twice')
  t.notMatch(await ask(randomUUID(), 'another hub'), 'error', 'what one hub has asked for takes no place of another')
})
