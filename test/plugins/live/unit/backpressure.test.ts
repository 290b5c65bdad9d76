import { mock } from 'node:test'
import t from 'tap'
import type { Message } from '../../../../plugins/live/message.js'
import { createThrottle } from '../../../../plugins/live/throttle.js'
import { withBackpressure, SLOW_BYTES, STUCK_BYTES } from '../../../../plugins/live/backpressure.js'

const PRINTERS = ['a', 'b']

const message = (topic: string, printer: string, number: number, count = 0): Message =>
  ({ count, id: count > 0 ? `run-${count}` : '', topic, printer, text: `${printer}${number}`.padEnd(1_000) })

/** A client that takes nothing until it is lastSent to. */
function slowClient () {
  const queue: { message: Message, taken: () => void }[] = []
  const arrived: string[] = []
  let given = 0
  let peak = 0
  const deliver = withBackpressure({
    backlog: () => queue.reduce((sum, { message }) => sum + message.text.length, 0),
    write (message, taken) {
      queue.push({ message, taken })
      peak = Math.max(peak, queue.length * 1_000)
    },
    giveUp: () => { given++ }
  })
  return {
    deliver,
    arrived,
    get given () { return given },
    get peak () { return peak },
    /** Takes everything, also what is written meanwhile. */
    drain () {
      for (let next = queue.shift(); next; next = queue.shift()) {
        arrived.push(`${next.message.topic} ${next.message.text.trim()}`)
        next.taken()
      }
    }
  }
}

t.test('a slow client loses states in between, gets the newest of each printer, and every alert', async t => {
  const client = slowClient()
  for (let number = 0; number < 5_000; number++) {
    for (const printer of PRINTERS) client.deliver(message('state', printer, number))
    if (number % 10 === 0) client.deliver(message('alerts', 'a', number, number + 1))
  }
  t.ok(client.peak < SLOW_BYTES + 600_000, `${client.peak} bytes at most were waiting`)
  client.drain()
  const states = client.arrived.filter(text => text.startsWith('state'))
  t.ok(states.length < 600, `${states.length} of 10000 states`)
  t.same(states.slice(-2).sort(), ['state a4999', 'state b4999'], 'the newest of each')
  t.equal(client.arrived.filter(text => text.startsWith('alerts')).length, 500)
  t.equal(client.given, 0)
})

t.test('what was held back never comes after something newer', async t => {
  let waiting = SLOW_BYTES + 1
  const arrived: string[] = []
  const callbacks: (() => void)[] = []
  const deliver = withBackpressure({
    backlog: () => waiting,
    write ({ text }, taken) { arrived.push(text.trim()); callbacks.push(taken) },
    giveUp () {}
  })
  deliver(message('fleet', 'a', 1))
  waiting = 0 // the system took all, and has not said so yet
  deliver(message('fleet', 'a', 2))
  deliver(message('fleet', 'b', 1))
  for (const taken of callbacks) taken()
  t.same(arrived, ['a2', 'b1'])
})

t.test('a client that takes nothing at all is given up, once', async t => {
  const client = slowClient()
  for (let number = 0; number < 10_000; number++) client.deliver(message('alerts', 'a', number, number + 1))
  t.equal(client.given, 1)
  t.ok(client.peak <= STUCK_BYTES + 1_000)
})

t.test('changes by the second: the first at once, then one more', async t => {
  let now = 0
  const pass = (ms: number) => { now += ms; mock.timers.tick(ms) }
  mock.timers.enable({ apis: ['setTimeout'] })
  mock.method(performance, 'now', () => now)
  t.teardown(() => { mock.timers.reset(); mock.restoreAll() })
  const sent: string[] = []
  const throttle = createThrottle(50, key => sent.push(key))
  for (let at = 0; at < 10; at++) for (const key of PRINTERS) throttle.touch(key)
  t.same(sent, PRINTERS)
  pass(50)
  pass(70)
  t.same(sent, [...PRINTERS, ...PRINTERS])
  throttle.touch('a')
  throttle.touch('a')
  throttle.forget('a')
  throttle.touch('b')
  throttle.touch('b')
  throttle.close()
  pass(80)
  t.equal(sent.length, 6, 'nothing comes after the end')
})
