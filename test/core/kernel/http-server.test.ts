import type { FastifyBaseLogger } from 'fastify'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { pino } from 'pino'
import t from 'tap'
import { lazyChildLogger, readableUrl, trackConnections } from '../../../core/kernel/http-server.js'

function parent () {
  const lines: Record<string, unknown>[] = []
  let children = 0
  const root = pino({ level: 'info', base: null, timestamp: false },
    { write: line => { lines.push(JSON.parse(line) as Record<string, unknown>) } })
  const log = new Proxy(root, {
    get (target, name) {
      if (name === 'child') children++
      return Reflect.get(target, name) as unknown
    }
  }) as FastifyBaseLogger
  return { log, lines, made: () => children }
}

t.test('a child that writes nothing is never made', async t => {
  const { log, lines, made } = parent()
  const child = lazyChildLogger(log, { reqId: 'a' }, {})
  t.type(child.error, 'function')
  t.equal(made(), 0)
  t.same(lines, [])
})

t.test('its lines carry what it was bound to, its children too', async t => {
  const { log, lines, made } = parent()
  const child = lazyChildLogger(log, { reqId: 'a' }, {})
  child.info({ printer: 'p' }, 'one')
  child.error(new Error('two'))
  child.debug('below the level')
  t.equal(made(), 1, 'made once')
  child.child({ module: 'm' }).warn('three')
  t.match(lines, [
    { level: 30, reqId: 'a', printer: 'p', msg: 'one' },
    { level: 50, reqId: 'a', msg: 'two' },
    { level: 40, reqId: 'a', module: 'm', msg: 'three' }
  ])
  t.equal(child.level, 'info')
  child.level = 'debug'
  child.debug('four')
  t.match(lines[3], { reqId: 'a', msg: 'four' })
})

t.test('connections that became something else do not hold a server that closes', async t => {
  const server = createServer((_request, response) => { response.end('x') })
  const hangUp = trackConnections(server)
  server.on('upgrade', (_request, socket) => {
    socket.on('error', () => {})
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const client = connect(port, '127.0.0.1')
  t.teardown(() => client.destroy())
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n')
  await once(client, 'data')
  client.pause() // takes nothing any more, and says nothing

  let closed = false
  const over = new Promise<void>(resolve => { server.close(() => { closed = true; resolve() }) })
  server.closeAllConnections()
  await new Promise(resolve => setTimeout(resolve, 50))
  t.equal(closed, false, 'it is not among the connections of the server')
  hangUp()
  await over
  client.resume()
  if (!client.destroyed) await once(client, 'close')
  t.pass('the peer is told')
})

t.test('a connection that has ended is forgotten', async t => {
  const server = createServer((_request, response) => { response.end('x') })
  const hangUp = trackConnections(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const reply = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } })
  t.equal(await reply.text(), 'x')
  hangUp()
  server.close()
  await once(server, 'close')
})

t.test('a path that cannot be decoded is taken as it is written', async t => {
  t.equal(readableUrl('/api/printer?x=%zz'), '/api/printer?x=%zz', 'the query is read by others')
  t.equal(readableUrl('/a%20b'), '/a%20b')
  t.equal(readableUrl('/%zz/%20'), '/%25zz/%2520')
})
