import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import t from 'tap'
import { trackConnections } from '../../../core/util/close-connections.js'

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
