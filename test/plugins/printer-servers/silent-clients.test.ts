import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import t, { type Test } from 'tap'
import { createIdentity } from '../../../plugins/emulator/index.js'
import { createBroker, createFtpServer, openListener, vsftpd } from '../../../plugins/printer-servers/index.js'

const SERIAL = '00M00A123456789'
const HOST = '127.0.0.1'
const STRANGER_MS = 300
const LIMITS =
  { connections: 16, connectionsPerAddress: 16, strangers: 8, strangersPerAddress: 8, strangerMs: STRANGER_MS }

/** Every kind of port that a printer, virtual or relayed, has. */
const PORTS = {
  async mqtt () {
    const limits = { ...LIMITS, packetBytes: 1024, loginMs: 60_000, unsentBytes: 1024 }
    return await createBroker({ serial: SERIAL, host: HOST, port: 0, identity: await createIdentity(SERIAL), limits },
      { admit: () => 'somebody', subscribed () {}, requested () {} })
  },
  ftps: async () => await createFtpServer({
    host: HOST,
    port: 0,
    identity: await createIdentity(SERIAL),
    profile: vsftpd(false),
    now: Date.now,
    admit: () => undefined,
    limits: LIMITS
  }),
  async camera () {
    const identity = await createIdentity(SERIAL)
    return await openListener({ host: HOST, port: 0, identity, limits: LIMITS }, () => {})
  }
}

const silent = (port: number): Socket => connect({ host: HOST, port })
const silentTls = (port: number): Socket => connectTls({ host: HOST, port, rejectUnauthorized: false, maxVersion: 'TLSv1.2' })

/** Resolves when the other side has ended it. */
async function ended (t: Test, socket: Socket): Promise<void> {
  const alive = setInterval(() => {}, 1_000)
  t.teardown(() => clearInterval(alive))
  socket.on('error', () => {}).resume()
  if (!socket.closed) await once(socket, 'close')
}

for (const [kind, open] of Object.entries(PORTS)) {
  t.test(`${kind}: connections that do not log in are ended, encrypted or not`, async t => {
    const server = await open()
    t.teardown(() => server.close())
    await Promise.all([silent(server.port), silentTls(server.port)].map(socket => ended(t, socket)))
    t.pass('both')
  })

  t.test(`${kind}: many silent connections keep no client out`, async t => {
    const server = await open()
    t.teardown(() => server.close())
    const many = Array.from({ length: 30 }, () => silent(server.port).on('error', () => {}))
    t.teardown(() => { for (const socket of many) socket.destroy() })
    await Promise.all(many.map(socket => socket.connecting ? once(socket, 'connect').catch(() => {}) : undefined))
    const client = silentTls(server.port)
    client.on('error', () => {})
    await once(client, 'secureConnect')
    t.pass('it was let in')
    client.destroy()
  })
}
