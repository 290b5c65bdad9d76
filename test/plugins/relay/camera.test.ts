import { once } from 'node:events'
import { connect, type TLSSocket } from 'node:tls'
import t, { type Test } from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { FULL, READ, REAL, relay, type Relayed } from './relay.js'

/** What a client of the camera sends first, and what it then gets. */
async function watch (t: Test, { ports }: Relayed, code: string) {
  const socket: TLSSocket = connect({ host: '127.0.0.1', port: ports.camera, rejectUnauthorized: false })
  t.teardown(() => { socket.destroy() })
  socket.on('error', () => {})
  await once(socket, 'secureConnect')
  const login = Buffer.alloc(80)
  login.writeUInt32LE(64, 0)
  login.writeUInt32LE(0x3000, 4)
  login.write('bblp', 16, 'latin1')
  login.write(code, 48, 'latin1')
  let got = Buffer.alloc(0)
  socket.on('data', chunk => { got = Buffer.concat([got, chunk]) })
  socket.write(login)
  return {
    socket,
    /** Whole pictures so far. */
    pictures (): Buffer[] {
      const found: Buffer[] = []
      for (let at = 0; at + 16 <= got.length;) {
        const end = at + 16 + got.readUInt32LE(at)
        if (end > got.length) break
        found.push(got.subarray(at + 16, end))
        at = end
      }
      return found
    }
  }
}

t.test('pictures of one camera for several', async t => {
  const service = await relay(t, {
    models: [{ model: 'P1S', name: 'printer', accessCode: REAL, reportEveryMs: 100, camera: { fps: 10, width: 320, height: 180 } }]
  })
  const viewers = await Promise.all([FULL, READ, READ].map(code => watch(t, service, code)))
  await eventually(() => viewers.every(({ pictures }) => pictures().length >= 2))
  for (const { pictures } of viewers) t.same(pictures()[0]?.subarray(0, 2), Buffer.from([0xFF, 0xD8]))
  const { body } = await service.http('GET', '/api/relay')
  t.match(body, { printers: [{ clients: ['Slicer (camera)', 'Viewer (camera)', 'Viewer (camera)'] }] })

  for (const code of ['wrong-code', REAL]) {
    const { socket, pictures } = await watch(t, service, code)
    if (!socket.closed) await once(socket, 'close')
    t.equal(pictures().length, 0)
  }
  const odd: TLSSocket = connect({ host: '127.0.0.1', port: service.ports.camera, rejectUnauthorized: false })
  odd.on('error', () => {})
  await once(odd, 'secureConnect')
  odd.write(Buffer.alloc(4096, 0xA5))
  if (!odd.closed) await once(odd, 'close')
  for (const { socket } of viewers) socket.destroy()
  await eventually(async () => {
    const { body } = await service.http('GET', '/api/relay')
    return (body as { printers: { clients: string[] }[] }).printers[0]?.clients.length === 0
  })
})
