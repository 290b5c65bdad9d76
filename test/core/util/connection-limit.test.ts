import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import t, { type Test } from 'tap'
import { createConnectionLimit, type ConnectionLimits } from '../../../core/util/connection-limit.js'

const LIMITS: ConnectionLimits =
  { connections: 12, connectionsPerAddress: 6, strangers: 6, strangersPerAddress: 3, strangerMs: 60_000 }

let lastPort = 1024

/** A connection as far as a limit looks at it. */
function from (remoteAddress: string) {
  const socket = Object.assign(new EventEmitter(), {
    remoteAddress,
    remotePort: lastPort++,
    destroyed: false,
    bytesRead: 0,
    destroy () { end() },
    resetAndDestroy () { end() }
  })
  function end (): void {
    if (socket.destroyed) return
    socket.destroyed = true
    socket.emit('close')
  }
  return socket
}

function limitOf (limits: Partial<ConnectionLimits> = {}, options: Parameters<typeof createConnectionLimit>[1] = {}) {
  const limit = createConnectionLimit({ ...LIMITS, ...limits }, options)
  return {
    limit,
    come (address: string) {
      const socket = from(address)
      limit.add(socket as unknown as Socket)
      return socket
    }
  }
}

t.test('silent connections of a few addresses keep no newcomer out', async t => {
  const { come } = limitOf()
  const silent = Array.from({ length: 40 }, (_, at) => come(`10.0.0.${at % 4}`))
  t.equal(silent.filter(({ destroyed }) => !destroyed).length, 6)
  const newcomer = come('10.0.0.9')
  t.equal(newcomer.destroyed, false)
  for (let at = 0; at < 5; at++) come('10.0.0.1')
  t.equal(newcomer.destroyed, false, 'nor takes its place: the busiest network gives way')
})

t.test('those that logged in stay, and have places of their own', async t => {
  const { limit, come } = limitOf()
  const inside = Array.from({ length: 6 }, (_, at) => {
    const socket = come(`10.0.1.${at}`)
    limit.admit(socket)
    return socket
  })
  for (let at = 0; at < 40; at++) come(`10.0.0.${at}`)
  t.strictSame(inside.filter(({ destroyed }) => destroyed), [])
  const more = come('10.0.2.1')
  limit.admit(more)
  for (let at = 0; at < 40; at++) come(`10.0.0.${at}`)
  t.equal(more.destroyed, false)
})

t.test('a few addresses that log in cannot take the places of all others', async t => {
  const { limit, come } = limitOf({ connectionsPerAddress: 4 }, { isExempt: address => address === '127.0.0.1' })
  const comeIn = (address: string) => {
    const socket = come(address)
    limit.admit(socket)
    return socket
  }
  const many = Array.from({ length: 12 }, (_, at) => comeIn(`10.0.0.${at % 3}`))
  const [local, other] = [comeIn('127.0.0.1'), comeIn('10.0.0.9')]
  t.strictSame([local.destroyed, other.destroyed], [false, false])
  t.equal(many.filter(({ destroyed }) => destroyed).length, 2, 'the busiest give way')
  t.equal(comeIn('10.0.0.1').destroyed, true, 'to those with few')
})

t.test('one network has its share, however its addresses are written', async t => {
  const { limit, come } = limitOf()
  const same = ['2001:db8::1', '2001:db8::2', '2001:0db8:0::3', '2001:db8:0:0:ffff::', '2001:db8::5', '2001:db8::6', '2001:db8::7']
    .map(address => {
      const socket = come(address)
      limit.admit(socket)
      return socket.destroyed
    })
  t.strictSame(same, [false, false, false, false, false, false, true])
  const v4 = Array.from({ length: 4 }, (_, at) => come(at % 2 === 0 ? '192.0.2.1' : '::ffff:192.0.2.1'))
  t.equal(v4.filter(({ destroyed }) => destroyed).length, 1, 'the oldest of three')
})

const ended = (t: Test, socket: EventEmitter) => new Promise<void>(resolve => {
  const alive = setInterval(() => {}, 1_000)
  t.teardown(() => clearInterval(alive))
  socket.once('close', () => resolve())
})

t.test('whoever does not log in is ended, whoever shows itself is not', async t => {
  const { limit, come } = limitOf({ strangerMs: 20 }, { isKnown: ({ bytesRead }) => bytesRead > 0 })
  const [silent, inside, speaking] = [come('10.0.0.1'), come('10.0.0.2'), come('10.0.0.3')] as const
  limit.admit(inside)
  speaking.bytesRead = 1
  const last = come('10.0.0.4')
  await Promise.all([ended(t, silent), ended(t, last)])
  t.strictSame([inside.destroyed, speaking.destroyed], [false, false])
})

t.test('a proxy on this machine stands for many', async t => {
  const { limit, come } = limitOf({ strangers: 12 }, { isExempt: address => address === '127.0.0.1' })
  const all = Array.from({ length: 12 }, () => {
    const socket = come('127.0.0.1')
    limit.admit(socket)
    return socket.destroyed
  })
  t.notOk(all.includes(true))
  t.equal(come('10.0.0.1').destroyed, true, 'all places are taken by those inside')
})
