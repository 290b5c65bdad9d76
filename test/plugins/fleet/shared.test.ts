import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { createVirtualPrinter } from '../../../plugins/emulator/index.js'
import { createSession } from '../../../core/printer/index.js'
import { createManualClock } from '../../../presets/testing/index.js'
import { boot, type Booted } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { NO_NATS, startNats } from '../../helpers/nats.js'
import { bootHub, bootNode } from './fleet.js'

/** A way to a port that counts who is on it, and can be cut. */
async function startDoor (t: Pick<Test, 'teardown'>, port: number) {
  const open = new Set<Socket>()
  let most = 0
  let isCut = false
  const server = createServer(socket => {
    if (isCut) return socket.destroy()
    const there = connect(port, '127.0.0.1')
    open.add(socket)
    most = Math.max(most, open.size)
    const end = () => {
      open.delete(socket)
      socket.destroy()
      there.destroy()
    }
    socket.on('error', end).on('close', end).pipe(there).on('error', end).on('close', end).pipe(socket)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port,
    get now () { return open.size },
    /** At one time. */
    get most () { return most },
    cut (): void {
      isCut = true
      for (const socket of open) socket.destroy()
    },
    mend (): void { isCut = false }
  }
}

t.test('what sends is asked for leave at the last moment', async t => {
  const { kernel, printer, name } = await boot(t, { models: ['P1S'] })
  kernel.printers.admitOnly(() => { throw new Error('held by another') })
  const session = kernel.printers.get(name)
  await t.rejects(async () => { await session?.send({ section: 'print', command: 'pause' }) }, /held by another/)
  await t.rejects(async () => { await session?.publish({ print: { command: 'pause' } }) }, /held by another/)
  t.equal(printer.requests.filter(({ command }) => command === 'pause').length, 0)
})

t.test('a session that may not send any more asks for no reports, and that ends nothing', async t => {
  const clock = createManualClock()
  const { kernel, printer, name } = await boot(t, {
    models: ['P1S'],
    clock,
    dependencies: { createSession: (config, deps) => createSession(config, { ...deps, timeouts: { watchEveryMs: 5 } }) }
  })
  kernel.printers.admitOnly(() => { throw new Error('held by another') })
  printer.faults.silence()
  const before = printer.requests.length
  const session = kernel.printers.get(name)
  await eventually(() => {
    if (session?.live === true) clock.advance(31_000)
    return session?.live === false
  })
  await new Promise(resolve => setImmediate(resolve)) // what a timer throws ends the process
  t.equal(printer.requests.length, before)
})

t.test('a printer that two nodes share', { skip: NO_NATS }, async t => {
  const nats = await startNats(t)
  const printer = createVirtualPrinter({ model: 'P1S', name: 'p1s' })
  await printer.start()
  t.teardown(() => printer.stop())
  const door = await startDoor(t, printer.ports.mqtt)
  const { name, host, serial, accessCode, fingerprint } = printer
  const entry = {
    name, host, serial, accessCode, ports: { ...printer.ports, mqtt: door.port }, tls: { mode: 'pin', fingerprint }
  }
  const nodes: Booted[] = []
  const ways: Awaited<ReturnType<typeof startDoor>>[] = []
  for (const node of ['a', 'b']) {
    const way = await startDoor(t, nats.port)
    ways.push(way)
    nodes.push(await bootNode(t, {
      servers: [`nats://127.0.0.1:${way.port}`], site: 'hall', node, shared: ['p1s']
    }, { models: [], config: { printers: [entry] } }))
  }
  const hub = await bootHub(t, { servers: [nats.url] }, ['p1s'])
  const holders = () => nodes.filter(({ kernel }) => kernel.printers.get('p1s') !== undefined)
  const holder = () => {
    const [first] = holders()
    if (first === undefined) throw new Error('nobody holds it')
    return first
  }
  const isLive = () => hub.kernel.printers.get('p1s')?.live === true
  const heat = async (t: Test, temp: number) => {
    const { status, body } = await hub.http('PATCH', '/api/set_bed_target_temp', { printer: 'p1s', temp })
    t.equal(status, 200, JSON.stringify(body))
    t.equal(printer.requests.filter(sent => JSON.stringify(sent.body).includes(`S${temp}`)).length, 1, 'once')
  }

  await t.test('is held by one, which does what a hub asks', async t => {
    t.equal(holders().length, 1)
    t.equal(door.now, 1)
    await heat(t, 41)
    const other = nodes.find(node => node !== holder())
    await t.rejects(async () => { await other?.kernel.printers.connect('p1s') }, { code: 'PRN_ERR_HELD_ELSEWHERE' })
    t.equal(holder().kernel.services.fleet.status().leases_held, 1)
  })

  await t.test('is held by the other after a cut, and by nobody in between', async t => {
    const first = holder()
    const before = nodes.indexOf(first)
    const session = first.kernel.printers.get('p1s')
    ways[before]?.cut()
    await eventually(() => holder() !== first, 60_000)
    t.equal(first.kernel.services.fleet.status().leases_lost, 1)
    await t.rejects(async () => { await session?.send({ section: 'print', command: 'pause' }) },
      { code: 'PRN_ERR_NOT_CONNECTED' })
    await eventually(isLive, 60_000)
    await heat(t, 42)
    ways[before]?.mend()
    await eventually(() => first.kernel.services.fleet.status().connected, 60_000)
    t.equal(holders().length, 1)
    t.match(hub.kernel.printers.get('p1s')?.remote?.name, `hall/${holder() === nodes[0] ? 'a' : 'b'}`)
  })

  await t.test('is handed over by a node that is stopped', async t => {
    const first = holder()
    await first.kernel.close()
    await eventually(() => nodes.some(node => node !== first && node.kernel.printers.get('p1s')?.live), 60_000)
    await eventually(isLive, 60_000)
    await heat(t, 43)
  })

  await t.test('is still known at the hub when no node holds it, with the time since when', async t => {
    await holder().kernel.close()
    const seen: (string | null | undefined)[] = []
    const problem = async () => {
      const { body } = await hub.http('GET', '/api/fleet')
      const [shown] = body.printers as readonly { problem: string | null }[]
      seen.push(shown?.problem)
      return shown?.problem ?? ''
    }
    await eventually(async () => /^No service has held its session since \d{4}-/.test(await problem()), 60_000)
    t.notOk(seen.includes(undefined), 'it never vanished')
    const { status, text } = await hub.http('PATCH', '/api/set_bed_target_temp', { printer: 'p1s', temp: 44 })
    t.match([status, text], [400, /No service has held its session since/])
  })

  t.equal(door.most, 1, 'never two at one time')
})
