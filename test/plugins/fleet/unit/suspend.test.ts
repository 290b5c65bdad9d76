import t from 'tap'
import { startHeartbeat } from '../../../../plugins/fleet/node/heartbeat.js'
import { CONFIRM_MS, createLease, type LeaseEntry } from '../../../../plugins/fleet/node/lease.js'
import { newKey } from '../keys.js'

/** The steady clock stands still while the machine is suspended. */
function clocks () {
  let [steadyMs, wallMs] = [1_000, 1e12]
  return {
    steady: () => steadyMs,
    wall: () => wallMs,
    pass (ms: number) { steadyMs += ms; wallMs += ms },
    suspend (ms: number) { wallMs += ms }
  }
}

function storeOf (first?: LeaseEntry) {
  let entry = first
  return {
    async get () { return entry },
    async put (owner: string | undefined, revision: number) {
      if (revision !== (entry?.revision ?? 0)) return undefined
      entry = { owner, revision: revision + 1 }
      return entry.revision
    }
  }
}

t.test('a call from before a suspend is out of date after it', async t => {
  const { steady, wall, pass, suspend } = clocks()
  const heartbeat = startHeartbeat({ connected: false, nats: undefined, onConnect () {} },
    { subject: 'beat', signingKey: newKey(), printers: () => 0, hubs: () => [], steady, wall })
  t.teardown(heartbeat.close)
  pass(60_000)
  t.equal(heartbeat.isRecent(30), true)
  suspend(60_000)
  t.equal(heartbeat.isRecent(30), false)
  t.equal(heartbeat.isRecent(60), true)
})

t.test('a lease is not held after a suspend, and a clock that was set takes none of another', async t => {
  const { steady, wall, pass, suspend } = clocks()
  const own = createLease(storeOf(), 'me', steady, wall)
  await own.tick()
  pass(CONFIRM_MS)
  await own.tick()
  t.equal(own.held, true)
  suspend(60_000)
  t.equal(own.held, false)

  const other = createLease(storeOf({ owner: 'other', revision: 7 }), 'me', steady, wall)
  await other.tick()
  suspend(60_000)
  await other.tick()
  t.equal(other.owner, 'other')
})
