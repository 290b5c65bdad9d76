import t from 'tap'
import { createServer } from 'node:net'
import { createManualClock, startFleet } from '../../../plugins/emulator/index.js'
import { ownPorts } from '../../helpers/ports.js'
import { listen } from './listener.js'

t.test('twenty printers, each with a name, a serial, a port and a certificate of its own', async t => {
  const clock = createManualClock()
  const fleet = await startFleet({ models: ['A1_MINI', 'P1S', 'X1C', 'H2D'], count: 20, clock, accessCode: 'abcd1234' })
  t.teardown(() => fleet.stop())
  const different = (values: readonly unknown[]): number => new Set(values).size
  const { printers } = fleet
  t.equal(printers.length, 20)
  t.equal(different(printers.map(({ name }) => name)), 20)
  t.equal(different(printers.map(({ serial }) => serial)), 20)
  t.equal(different(printers.map(({ ports }) => ports.mqtt)), 20)
  t.equal(different(printers.map(({ fingerprint }) => fingerprint)), 20)
  t.same(printers.slice(0, 6).map(({ name }) => name),
    ['virtual-a1-mini', 'virtual-p1s', 'virtual-x1c', 'virtual-h2d', 'virtual-a1-mini-2', 'virtual-p1s-2'])
  const listeners = await Promise.all(printers.map(printer => listen(t, printer)))
  clock.advance(60_000)
  const reports = await Promise.all(listeners.map(listener => listener.status()))
  t.ok(reports.every(({ gcode_state: state }) => state === 'IDLE'))
})

t.test('one of each model named, on the ports asked for', async t => {
  const { start: port } = ownPorts(0, 2)
  const fleet = await startFleet({ models: ['X1C', 'X1C'], basePort: port })
  t.teardown(() => fleet.stop())
  t.same(fleet.printers.map(({ ports }) => ports.mqtt), [port, port + 1])
})

t.test('when one cannot start, none stays', async t => {
  const { start: free, end: busy } = ownPorts(2, 2)
  const taken = createServer().listen(busy, '127.0.0.1')
  await new Promise(resolve => taken.once('listening', resolve))
  t.teardown(() => taken.close())
  await t.rejects(startFleet({ models: ['X1C'], count: 2, basePort: free }), { code: 'EADDRINUSE' })
  const again = createServer().listen(free, '127.0.0.1')
  await new Promise((resolve, reject) => { again.once('listening', resolve); again.once('error', reject) })
  again.close()
})

t.test('a fleet of nothing is refused', async t => {
  await t.rejects(startFleet({ models: [] }), RangeError)
})
