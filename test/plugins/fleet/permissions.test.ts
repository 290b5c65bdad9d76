import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect, usernamePasswordAuthenticator, type NatsConnection } from '@nats-io/transport-node'
import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { NO_NATS, startNats } from '../../helpers/nats.js'
import { probeFleet } from '../../../plugins/fleet/index.js'
import { bootHub, bootNode } from './fleet.js'
import { makeCertificates, NO_OPENSSL, PASSWORDS, serverConfig, type User } from './guide.js'

t.test('the permissions of the guide', { skip: NO_NATS || NO_OPENSSL }, async t => {
  const folder = testFolder(t)
  makeCertificates(folder)
  const nats = await startNats(t, { scheme: 'tls', host: 'localhost', config: serverConfig(folder) })
  const login = async (user: User) => {
    const file = join(folder, `${user}-password`)
    await writeFile(file, PASSWORDS[user])
    return { servers: [nats.url], ca: join(folder, 'ca.pem'), user, password: { file } }
  }
  const hub = await bootHub(t, { ...await login('hub'), site: 'office' }, [])
  await eventually(() => hub.kernel.services.fleet.status().connected)
  const node = await bootNode(t, { ...await login('hall'), site: 'hall', node: 'a', shared: ['p1s'] }, { models: ['P1S'] })

  await t.test('are enough for states, calls and alerts', async t => {
    await eventually(() => hub.kernel.printers.get('p1s')?.live, 30_000)
    const { status } = await hub.http('PATCH', '/api/set_bed_target_temp', { printer: 'p1s', temp: 42 })
    t.equal(status, 200)
    const heard: string[] = []
    hub.kernel.events.on('alert', ({ type }) => { heard.push(type) })
    node.printer.startJob({})
    await eventually(() => heard.length > 0, 30_000)
    await eventually(() => node.kernel.services.fleet.status().waiting_alerts === 0, 30_000)
    t.equal(node.kernel.services.fleet.status().leases_held, 1)
    t.equal(node.kernel.services.fleet.status().failures, 0)
  })

  await t.test('are what doctor asks for: the user of one site may not speak for another', async t => {
    t.match(await probeFleet({ ...await login('hall'), site: 'hall', node: 'a' }), /NATS [\d.]+ answers/)
    await t.rejects(probeFleet({ ...await login('shed'), site: 'hall', node: 'a' }), { message: /may not speak for the site 'hall'/ })
  })

  /** What the server refuses of what a thief of these credentials tries. */
  async function refused (user: User, attempt: (nats: NatsConnection) => unknown): Promise<string> {
    const thief = await connect({
      servers: nats.url,
      tls: { ca: await readFile(join(folder, 'ca.pem'), 'utf8') },
      authenticator: usernamePasswordAuthenticator(user, PASSWORDS[user]),
      inboxPrefix: `prn.main.inbox.${user}`
    })
    const told: string[] = []
    const following = (async () => {
      for await (const status of thief.status()) if (status.type === 'error') told.push(status.error.message)
    })()
    attempt(thief)
    await thief.flush()
    await thief.flush() // the refusal was sent before this answer
    await thief.close()
    await following
    return told.join('\n')
  }

  await t.test('keep a site from the printers of another', async t => {
    for (const subject of ['$KV.prn-main-state.hall.a.p1s', '$KV.prn-main-leases.hall.x', 'prn.main.events.hall.a', 'prn.main.beat.hall.a',
      'prn.main.call.hall.a.do', '$JS.API.STREAM.DELETE.KV_prn-main-state', '$JS.API.STREAM.PURGE.prn-main-events']) {
      t.match(await refused('shed', thief => thief.publish(subject, '{}')), /permission/i, subject)
    }
    for (const subject of ['prn.main.call.hall.>', 'prn.main.inbox.hub.>', 'prn.main.inbox.hall.>', '>']) {
      t.match(await refused('shed', thief => thief.subscribe(subject, { callback () {} })), /permission/i, subject)
    }
    t.equal(await refused('shed', thief => thief.publish('prn.main.beat.shed.a', '{}')), '', 'its own are open')
  })

  await t.test('keep a hub from saying what only nodes know', async t => {
    for (const subject of ['$KV.prn-main-state.hall.a.p1s', 'prn.main.events.hall.a', 'prn.main.beat.hall.a']) {
      t.match(await refused('hub', thief => thief.publish(subject, '{}')), /permission/i, subject)
    }
    t.match(await refused('hub', thief => thief.subscribe('prn.main.call.>', { callback () {} })), /permission/i)
  })

  await t.test('nobody gets in without a password', async t => {
    await t.rejects(connect({
      servers: nats.url, tls: { ca: await readFile(join(folder, 'ca.pem'), 'utf8') }, maxReconnectAttempts: 0
    }), /authorization/i)
  })
})
