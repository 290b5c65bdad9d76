import t from 'tap'
import { connect } from '@nats-io/transport-node'
import { leaveLostServer } from '../../../plugins/fleet/link.js'
import { serverChoice } from '../../../plugins/fleet/server-choice.js'
import { eventually } from '../../helpers/eventually.js'
import { NO_NATS, startNats } from '../../helpers/nats.js'

/** A connection to servers of which some have the store. */
function connection (has: readonly boolean[]) {
  let at = 0
  return {
    moves: 0,
    has: [...has],
    async request () {
      if (!this.has[at % this.has.length]) throw new Error('timeout')
      return { string: () => '{}' } as never
    },
    async reconnect () {
      at++
      this.moves++
    }
  }
}

const rounds = async (check: () => Promise<void>, count: number) => { for (let at = 0; at < count; at++) await check() }

t.test('a server without the store is left for another, after two questions', async t => {
  const nats = connection([false, true])
  const check = leaveLostServer(nats, 'info', () => true, { warn () {} })
  await check()
  t.equal(nats.moves, 0, 'one answer may be late')
  await check()
  t.equal(nats.moves, 1)
  await rounds(check, 50)
  t.equal(nats.moves, 1, 'and the other one is stayed with')
})

t.test('where no server has it, stays become longer', async t => {
  const nats = connection([false])
  const moves: number[] = []
  const check = leaveLostServer(nats, 'info', () => true, { warn () {} })
  for (let at = 0; at < 200; at++) {
    const before = nats.moves
    await check()
    if (nats.moves > before) moves.push(at)
  }
  const stays = moves.slice(1).map((at, index) => at - (moves[index] ?? 0))
  t.same(stays, [4, 8, 16, 32, 64, 64])
  nats.has[0] = true
  await check()
  nats.has[0] = false
  const before = nats.moves
  await rounds(check, 2)
  t.equal(nats.moves, before + 1, 'one that answered begins anew')
  await rounds(check, 4)
  t.equal(nats.moves, before + 2)
})

t.test('who is not connected asks nothing, and a question that hangs is the only one', async t => {
  let asked = 0
  const hanging = { request: () => { asked++; return new Promise<never>(() => {}) }, reconnect: async () => {} }
  await rounds(leaveLostServer(hanging, 'info', () => false, { warn () {} }), 3)
  t.equal(asked, 0)
  const check = leaveLostServer(hanging, 'info', () => true, { warn () {} })
  void check()
  await rounds(check, 3)
  t.equal(asked, 1)
})

t.test('servers are dialled in turn, and each at most once in a while', async t => {
  let now = 5_000
  const { reconnectToServer: choose } = serverChoice(1_000, () => now)
  const [a, b] = [{ listen: 'a' }, { listen: 'b' }]
  t.same(choose([a, b]), { server: a, delay: 0 })
  t.same(choose([b, a]), { server: b, delay: 0 })
  now += 400
  t.same(choose([a, b]), { server: a, delay: 600 })
  now += 600
  t.same(choose([b, a]), { server: b, delay: 0 })
  t.equal(choose([]), null)
})

t.test('a clock that is put back by an hour keeps nobody from coming back', { skip: NO_NATS }, async t => {
  const server = await startNats(t)
  const realNow = Date.now
  Date.now = () => realNow() + 3_600_000
  t.teardown(() => { Date.now = realNow })
  const nats = await connect({ servers: [server.url], maxReconnectAttempts: -1, ...serverChoice(100) })
  t.teardown(() => nats.close())
  Date.now = realNow
  let isBack = false
  void (async () => { for await (const { type } of nats.status()) if (type === 'reconnect') isBack = true })()
  await nats.reconnect()
  await eventually(() => isBack)
  t.ok(await nats.rtt() >= 0)
})
