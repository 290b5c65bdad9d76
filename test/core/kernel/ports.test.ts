import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import t, { type Test } from 'tap'
import { createPortPool } from '../../../core/kernel/ports.js'

const free = async () => {}
const refuse = (...ports: number[]) => async (port: number) => {
  if (ports.includes(port)) throw Object.assign(new Error('in use'), { code: 'EADDRINUSE' })
  return port
}

/** Binds for real and closes with the test. */
const binder = (t: Test) => async (port: number): Promise<Server> => {
  const server = createServer()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.close() })
  return server
}

const portOf = (server: Server) => (server.address() as { port: number }).port

t.test('ports are given out from the start of the pool', async t => {
  const pool = createPortPool(50_000, 50_002)
  t.equal((await pool.claim('a', free)).port, 50_000)
  t.equal((await pool.claim('b', free)).port, 50_001)
  t.same(pool.claimed, [50_000, 50_001])
})

t.test('the usual pool has 200 ports', async t => {
  const { start, end } = createPortPool()
  t.same([start, end, end - start + 1], [49_152, 49_351, 200])
})

t.test('a preferred port comes first, inside the pool or outside', async t => {
  const pool = createPortPool(50_000, 50_002)
  t.equal((await pool.claim('inside', free, 50_002)).port, 50_002)
  t.equal((await pool.claim('outside', free, 8080)).port, 8080)
  t.same(pool.claimed, [8080, 50_002])
})

t.test('a preferred port that is taken gives way to the pool', async t => {
  const pool = createPortPool(50_000, 50_002)
  t.equal((await pool.claim('foreign', refuse(8080), 8080)).port, 50_000)
  t.equal((await pool.claim('ours', free, 50_000)).port, 50_001, 'held by another claim of this pool')
})

t.test('a preferred port that is wanted strictly does not give way', async t => {
  const pool = createPortPool(50_000, 50_002)
  await t.rejects(pool.claim('api', refuse(8080), 8080, true), { code: 'PRN_ERR_PORT_TAKEN', message: /Port 8080 .*PRN_PORT_STRICT=0/ })
  t.same(pool.claimed, [])
  t.equal((await pool.claim('api', free, 8080, true)).port, 8080)
  t.equal((await pool.claim('stream', free, undefined, true)).port, 50_000, 'without one there is nothing to be strict about')
})

t.test('what bind returns comes with the lease', async t => {
  const lease = await createPortPool(50_000, 50_002).claim('a', refuse(50_000, 50_001))
  t.same([lease.port, lease.value], [50_002, 50_002])
})

t.test('claims at the same time get different ports', async t => {
  const pool = createPortPool(50_000, 50_009)
  const slow = async (port: number) => { await new Promise(resolve => setImmediate(resolve)); return port }
  const leases = await Promise.all(Array.from({ length: 10 }, (_, at) => pool.claim(`s${at}`, slow)))
  t.equal(new Set(leases.map(({ port }) => port)).size, 10)
})

t.test('no port is tried by two claims at once', async t => {
  const pool = createPortPool(50_000, 50_003)
  const trying = new Set<number>()
  const bind = async (port: number) => {
    t.notOk(trying.has(port), `${port} is tried by one`)
    trying.add(port)
    await new Promise(resolve => setImmediate(resolve))
    trying.delete(port)
    if (port < 50_002) throw Object.assign(new Error('in use'), { code: 'EADDRINUSE' })
  }
  const [a, b] = await Promise.all([pool.claim('a', bind), pool.claim('b', bind)])
  t.same([a.port, b.port].sort(), [50_002, 50_003])
})

t.test('an exhausted pool names who asked and the range', async t => {
  const pool = createPortPool(50_000, 50_001)
  await pool.claim('a', free)
  await t.rejects(pool.claim('stream:workshop', refuse(50_001)), {
    code: 'PRN_ERR_PORTS_EXHAUSTED', message: /'stream:workshop'.* from 50000 to 50001 /
  })
  t.same(pool.claimed, [50_000], 'a port that could not be bound is not held')
})

t.test('a released port is given out again, and releasing twice is once', async t => {
  const pool = createPortPool(50_000, 50_001)
  const first = await pool.claim('a', free)
  first.release()
  const second = await pool.claim('b', free)
  t.equal(second.port, 50_000)
  first.release()
  t.equal((await pool.claim('c', free)).port, 50_001, 'the old lease gives nothing of the new one back')
})

t.test('a port without permission is passed over like one in use', async t => {
  const bind = async (port: number) => {
    if (port === 80) throw Object.assign(new Error('no'), { code: 'EACCES' })
  }
  t.equal((await createPortPool(50_000, 50_000).claim('a', bind, 80)).port, 50_000)
})

t.test('any other failure is passed on at once and holds nothing', async t => {
  const pool = createPortPool(50_000, 50_009)
  let tries = 0
  const bind = async () => { tries++; throw Object.assign(new Error('no such address'), { code: 'EADDRNOTAVAIL' }) }
  await t.rejects(pool.claim('a', bind), { code: 'EADDRNOTAVAIL' })
  t.equal(tries, 1)
  t.same(pool.claimed, [])
})

t.test('a listening socket of somebody else is passed over', async t => {
  const bind = binder(t)
  const taken = portOf(await bind(0))
  const pool = createPortPool(taken, Math.min(taken + 40, 65_535))
  const lease = await pool.claim('a', bind)
  t.not(lease.port, taken)
  t.equal(portOf(lease.value), lease.port)
})

t.test('two pools over one range meet only in the system, and both get a port', async t => {
  const bind = binder(t)
  const start = portOf(await bind(0))
  const pools = [createPortPool(start, start + 60), createPortPool(start, start + 60)]
  const leases = await Promise.all(pools.flatMap(pool => [pool.claim('x', bind), pool.claim('y', bind)]))
  t.equal(new Set(leases.map(({ port }) => port)).size, 4)
  t.ok(leases.every(({ port, value }) => portOf(value) === port))
})
