import t from 'tap'
import {
  CONFIRM_MS, createLease, HOLD_MS, RENEW_MS, TAKE_MS, type Lease, type LeaseEntry
} from '../../../../plugins/fleet/node/lease.js'

/** What is kept, with faults on the way to it. */
function createKept () {
  let entry: LeaseEntry | undefined
  let last = 0
  const faults = { unreachable: false, losesAnswers: false, acceptsAny: false }
  const reach = () => { if (faults.unreachable) throw new Error('cut off') }
  return {
    faults,
    get entry () { return entry },
    store: {
      async get () { reach(); return entry },
      async put (owner: string | undefined, revision: number) {
        reach()
        if (revision !== (entry?.revision ?? 0) && !faults.acceptsAny) return undefined
        entry = { owner, revision: ++last }
        if (faults.losesAnswers) throw new Error('the answer was lost')
        return last
      }
    }
  }
}

/** Two that want it, each with a clock that shows whatever it likes in the beginning. */
function rivals () {
  const kept = createKept()
  let now = 0
  const a = createLease(kept.store, 'a', () => now + 3_600_000)
  const b = createLease(kept.store, 'b', () => now - 3_600_000)
  const pass = (ms: number) => { now += ms }
  /** Asks for it, and once more to be sure of it. */
  const take = async (lease: Lease) => {
    await lease.tick()
    pass(CONFIRM_MS)
    await lease.tick()
  }
  return { ...kept, a, b, pass, take }
}

t.test('of two that were accepted at once one has it', async t => {
  const { a, b, pass, faults } = rivals()
  faults.acceptsAny = true
  await Promise.all([a.tick(), b.tick()])
  faults.acceptsAny = false
  t.same([a.held, b.held], [false, false], 'neither is sure of it')
  for (let round = 0; round < 20; round++) {
    pass(CONFIRM_MS)
    await a.tick()
    await b.tick()
    t.notOk(a.held && b.held)
  }
  t.ok(a.held || b.held)
})

t.test('one has it, and keeps it as long as it renews', async t => {
  const { a, b, pass, take } = rivals()
  await Promise.all([take(a), b.tick()])
  t.same([a.held, b.held], [true, false])
  for (let round = 0; round < 20; round++) {
    pass(RENEW_MS)
    await a.tick()
    await b.tick()
    t.same([a.held, b.held, b.owner], [true, false, 'a'])
  }
})

t.test('who cannot renew has lost it before another can take it, an hour of difference or not', async t => {
  const { a, b, pass, faults, take } = rivals()
  await take(a)
  await b.tick()
  const first = a.epoch
  let bHeldAt = 0
  let aLostAt = 0
  for (let at = 500; at <= 20_000; at += 500) {
    pass(500)
    faults.unreachable = true
    await a.tick().catch(() => {})
    faults.unreachable = false
    if (!a.held && aLostAt === 0) aLostAt = at
    await b.tick()
    t.notOk(a.held && b.held, `${at} ms`)
    if (b.held && bHeldAt === 0) bHeldAt = at
    if (b.held) break
  }
  t.equal(aLostAt, HOLD_MS)
  t.ok(bHeldAt >= TAKE_MS && bHeldAt < 15_000, `${bHeldAt}`)
  t.ok(b.epoch > first, 'the later holder has the larger number')
  await a.tick()
  t.notOk(a.held, 'it comes back too late')
})

t.test('a process that stood still does not take it for its own', async t => {
  const { a, b, pass, take } = rivals()
  await take(a)
  await b.tick()
  pass(60_000)
  t.notOk(a.held, 'before anything else has run')
  await take(b)
  t.ok(b.held)
  await a.tick()
  t.same([a.held, b.held], [false, true])
})

t.test('a renewal that came to its place while its answer was lost is none of another', async t => {
  const { a, b, pass, faults, take } = rivals()
  await take(a)
  pass(RENEW_MS)
  faults.losesAnswers = true
  await t.rejects(a.tick())
  faults.losesAnswers = false
  t.ok(a.held)
  pass(RENEW_MS)
  await a.tick()
  pass(RENEW_MS)
  await a.tick()
  pass(HOLD_MS - 1)
  t.ok(a.held, 'it goes on by its own entry')
  await b.tick()
  t.notOk(b.held)
})

t.test('what is given up is taken at once, and not taken back', async t => {
  const { a, b, entry, take } = rivals()
  t.equal(entry, undefined)
  await take(a)
  await b.tick()
  const renewing = a.tick()
  await Promise.all([renewing, a.release()])
  t.notOk(a.held)
  await take(b)
  t.ok(b.held)
  await a.tick()
  t.notOk(a.held)
})
