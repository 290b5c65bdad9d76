import { createServer, connect as dial, type Socket } from 'node:net'
import { connect, usernamePasswordAuthenticator, type NatsConnection } from '@nats-io/transport-node'
import t, { type Test } from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { NO_NATS, startNats } from '../../helpers/nats.js'
import { freePort } from '../../helpers/ports.js'
import { bootHub, bootNode, isThere } from './fleet.js'
import { leafConfig, leafServerConfig, makeCertificates, NO_OPENSSL, PASSWORDS, serverConfig } from './guide.js'

/** The way from a site to the fleet, which can be cut. */
async function startRouter (t: Test, to: number, port: number) {
  const open = new Set<Socket>()
  let isCut = false
  const server = createServer(from => {
    if (isCut) return from.destroy()
    const out = dial(to, '127.0.0.1')
    for (const [socket, other] of [[from, out], [out, from]] as const) {
      open.add(socket)
      socket.on('error', () => {}).on('close', () => { open.delete(socket); other.destroy() }).pipe(other)
    }
  }).listen(port, '127.0.0.1')
  const cut = () => {
    isCut = true
    for (const socket of open) socket.destroy()
  }
  t.teardown(() => { cut(); server.close() })
  return { cut, mend: () => { isCut = false } }
}

t.test('a site behind a router, as the guide has it', { skip: NO_NATS || NO_OPENSSL }, async t => {
  const folder = testFolder(t)
  makeCertificates(folder)
  const leafPort = await freePort()
  const routerPort = await freePort()
  const nats = await startNats(t, {
    scheme: 'tls', host: 'localhost', config: `${serverConfig(folder)}\n${leafServerConfig(folder, leafPort, routerPort)}`
  })
  const router = await startRouter(t, leafPort, routerPort)
  const leaf = await startNats(t, { jetstream: false, config: leafConfig(folder, routerPort) })
  const login = { servers: [nats.url], ca: `${folder}/ca.pem` }
  const users = { hub: 'PRN_TEST_LEAF_HUB', hall: 'PRN_TEST_LEAF_HALL' }
  process.env[users.hub] = PASSWORDS.hub
  process.env[users.hall] = PASSWORDS.hall
  const hub = await bootHub(t, { ...login, site: 'office', user: 'hub', password: { env: users.hub } }, [])
  await eventually(() => hub.kernel.services.fleet.status().connected)
  const hall = await bootNode(t, { ...login, site: 'hall', node: 'a', user: 'hall', password: { env: users.hall } },
    { models: ['X1C'] })
  const shed = await bootNode(t, { servers: [leaf.url], site: 'shed', node: 'a' }, { models: ['P1S'] })
  const seen = () => Object.fromEntries(hub.kernel.services.fleet.status().nodes
    .map(({ site, reachable }) => [site, reachable]))
  const bothAreSeen = () => eventually(() => seen().hall === true && seen().shed === true, 30_000)
  const raised: unknown[] = []
  const heard: unknown[] = []
  shed.kernel.events.on('alert', ({ type, timestamp }) => { raised.push([type, timestamp]) })
  hub.kernel.events.on('alert', ({ type, printer, timestamp }) => { if (printer === 'p1s') heard.push([type, timestamp]) })

  await t.test('a hub has its printers, and changes them', async t => {
    await eventually(() => isThere(hub, 'p1s') && isThere(hub, 'x1c'), 30_000)
    await bothAreSeen()
    const { status } = await hub.http('PATCH', '/api/set_bed_target_temp', { printer: 'p1s', temp: 42 })
    t.equal(status, 200)
    t.ok(JSON.stringify(shed.printer.requests).includes('M140 S42'))
  })

  await t.test('a cut is told, and alerts come once when it is over', async t => {
    router.cut()
    await eventually(() => seen().shed === false, 30_000)
    t.equal(seen().hall, true)
    t.match((await hub.http('PATCH', '/api/set_bed_target_temp', { printer: 'p1s', temp: 43 })).body,
      { detail: /has not been heard since/ })
    shed.printer.startJob({})
    await eventually(() => raised.length > 0, 30_000)
    const { connected, waiting_alerts: waiting } = shed.kernel.services.fleet.status()
    t.same([connected, waiting > 0, heard], [true, true, []])
    router.mend()
    await bothAreSeen()
    await eventually(() => heard.length >= raised.length, 30_000)
    await eventually(() => shed.kernel.services.fleet.status().waiting_alerts === 0, 30_000)
    t.same(heard, raised)
  })

  /** Somebody at the site, with everything that its server lets through. */
  const thiefAt = async (t: Test): Promise<NatsConnection> => {
    const thief = await connect({ servers: leaf.url })
    t.teardown(() => thief.close())
    return thief
  }

  await t.test('nobody at the site speaks for another one', async t => {
    const thief = await thiefAt(t)
    const watcher = await connect({
      servers: nats.url,
      tls: { caFile: `${folder}/ca.pem` },
      authenticator: usernamePasswordAuthenticator('hub', PASSWORDS.hub),
      inboxPrefix: 'prnd.main.inbox.hub'
    })
    t.teardown(() => watcher.close())
    const came: string[] = []
    for (const site of ['hall', 'shed']) { // each by itself, as the server passes on no wider subscription
      watcher.subscribe(`prnd.main.beat.${site}.>`, {
        callback: (_error, { subject, data }) => {
          if (Buffer.from(data).toString() === 'forged') came.push(subject)
        }
      })
    }
    await watcher.flush()
    for (const subject of ['$KV.prnd-main-state.hall.a.x1c', '$KV.prnd-main-leases.hall.x', 'prnd.main.events.hall.a',
      'prnd.main.beat.hall.a', 'prnd.main.call.hall.a.do', '$JS.API.STREAM.PURGE.KV_prnd-main-state', 'prnd.main.beat.shed.z']) {
      thief.publish(subject, 'forged')
    }
    await thief.flush()
    await eventually(() => came.length > 0, 30_000)
    t.same(came, ['prnd.main.beat.shed.z'], 'what was sent before the last one did not come')
    const kept = await watcher.request('$JS.API.DIRECT.GET.KV_prnd-main-state.$KV.prnd-main-state.hall.a.x1c', '')
    t.ok(kept.data.length > 'forged'.length, 'its own report is kept, neither replaced nor purged')
    t.ok(hub.kernel.printers.get('x1c')?.live)
    t.ok(hub.kernel.printers.get('p1s')?.live)
  })

  await t.test('nor hears what is said there', async t => {
    const thief = await thiefAt(t)
    const overheard: string[] = []
    for (const subject of ['prnd.main.call.hall.>', 'prnd.main.beat.hall.>', 'prnd.main.inbox.hub.>', 'prnd.main.>']) {
      thief.subscribe(subject, { callback: (_error, message) => { overheard.push(message.subject) } })
    }
    await thief.flush()
    t.equal((await hub.http('PATCH', '/api/set_bed_target_temp', { printer: 'x1c', temp: 44 })).status, 200)
    t.equal((await hub.http('PATCH', '/api/set_bed_target_temp', { printer: 'p1s', temp: 45 })).status, 200)
    t.ok(JSON.stringify(hall.printer.requests).includes('M140 S44'))
    await eventually(() => overheard.length > 0, 30_000) // its own
    t.same(overheard.filter(subject => /\.hall\b/.test(subject)), [])
  })
})
