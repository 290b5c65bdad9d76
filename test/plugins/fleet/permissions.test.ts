import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect, headers } from '@nats-io/transport-node'
import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { NO_NATS, startNats } from '../../helpers/nats.js'
import { bootHub, bootNode, isThere } from './fleet.js'
import { makeCertificates, NO_OPENSSL, serverConfig, type User } from './guide.js'
import { HUB_KEY } from './keys.js'
import { answerTo, connectAs, loginAs, pushTo } from './thief.js'

t.test('the accounts of the guide', { skip: NO_NATS || NO_OPENSSL }, async t => {
  const folder = testFolder(t)
  makeCertificates(folder)
  const nats = await startNats(t, { scheme: 'tls', host: 'localhost', config: serverConfig(folder) })
  const hub = await bootHub(t, { ...await loginAs('hub', nats, folder), site: 'office' }, [])
  await eventually(() => hub.kernel.services.fleet.status().connected)
  const node = await bootNode(t, {
    ...await loginAs('hall', nats, folder), site: 'hall', node: 'a', shared: ['p1s'], hubKeys: [HUB_KEY.publicKey]
  }, { models: ['P1S'] })

  await t.test('are enough for states, calls and alerts', async t => {
    await eventually(() => isThere(hub, 'p1s'), 30_000)
    const { status } = await hub.http('PATCH', '/api/set_bed_target_temp', { printer: 'p1s', temp: 42 })
    t.equal(status, 200)
    const heard: string[] = []
    hub.kernel.events.on('alert', ({ type }) => { heard.push(type) })
    node.printer.startJob({})
    await eventually(() => heard.length > 0, 30_000)
    await eventually(() => node.kernel.services.fleet.status().waiting_alerts === 0, 30_000)
    t.match(node.kernel.services.fleet.status(), { leases_held: 1, failures: 0, calls_unproven: 0, problems: [] })
    t.same(hub.kernel.services.fleet.status().problems, [])
  })

  await t.test('keep everything that a site sends within it', async t => {
    const { thief, settled } = await connectAs(t, 'shed', nats, folder)
    const watcher = await connectAs(t, 'hub', nats, folder)
    const victim = await connectAs(t, 'hall', nats, folder)
    const came: string[] = []
    const hear = (connection: typeof thief, subject: string) =>
      connection.subscribe(subject, { callback: (_error, message) => { if (message.string() === 'forged') came.push(message.subject) } })
    for (const subject of ['prnd.main.beat.>', 'prnd.main.inbox.hub.>']) hear(watcher.thief, subject)
    for (const subject of ['prnd.main.call.hall.>', 'prnd.main.>', '$KV.>']) hear(victim.thief, subject)
    const read: string[] = []
    thief.subscribe('>', { callback: (_error, { subject }) => { if (/hall|hub/.test(subject) && !subject.startsWith('$JS')) read.push(subject) } })
    await Promise.all([watcher, victim].map(({ settled }) => settled()))
    const before = await stateNow(hub)
    const elsewhere = ['$KV.prnd-main-state.hall.a.p1s', '$KV.prnd-main-leases.hall.x', 'prnd.main.events.hall.a',
      'prnd.main.beat.hall.a', 'prnd.main.call.hall.a.do', 'prnd.main.call.hall.a.hub', '$JS.API.STREAM.PURGE.KV_prnd-main-state',
      '$JS.API.STREAM.DELETE.KV_prnd-main-state']
    for (const subject of elsewhere) {
      thief.publish(subject, 'forged')
      await answerTo(thief, 'shed', subject, 'forged')
      await answerTo(thief, 'shed', subject, 'forged', 'DEL')
      await t.rejects(pushTo(thief, subject, '$KV.prnd-main-state.shed.>'), /not enabled for account/, subject)
    }
    for (const kind of ['STREAM.INFO.KV_prnd-main-state', 'STREAM.NAMES', 'DIRECT.GET.KV_prnd-main-state.$KV.prnd-main-state.hall.a.p1s',
      'STREAM.MSG.GET.KV_prnd-main-state', 'DIRECT.GET.KV_prnd-main-leases.$KV.prnd-main-leases.hall.x']) {
      const answer = await thief.request(`$JS.API.${kind}`, '', { timeout: 1_000 }).catch(String)
      t.match(typeof answer === 'string' ? answer : answer.string(), /not enabled for account|no responders|timeout/, kind)
    }
    const all = headers()
    all.set('Nats-Rollup', 'all')
    t.match((await thief.request('$KV.prnd-main-leases.shed.y', 'x', { headers: all, timeout: 3_000 })).string(), /not permitted/)
    thief.publish('prnd.main.beat.shed.z', 'forged')
    await settled()
    await eventually(() => came.length > 0)
    t.same(came, ['prnd.main.beat.shed.z'], 'its own are open')
    t.equal(await stateNow(hub), before)
    t.same(read.filter(subject => !elsewhere.includes(subject)), [], 'nor does it hear what others say')
    const { status } = await hub.http('PATCH', '/api/set_bed_target_temp', { printer: 'p1s', temp: 43 })
    t.equal(status, 200)
  })

  /** What the server refuses of what a thief of these credentials tries. */
  async function refused (user: User, attempt: (thief: Awaited<ReturnType<typeof connectAs>>['thief']) => unknown): Promise<string> {
    const { thief, refusals, settled } = await connectAs(t, user, nats, folder)
    attempt(thief)
    await settled()
    return refusals.join('\n')
  }

  await t.test('keep a hub from saying what only nodes know', async t => {
    for (const subject of ['$KV.prnd-main-state.hall.a.p1s', 'prnd.main.events.hall.a', 'prnd.main.beat.hall.a']) {
      t.match(await refused('hub', thief => thief.publish(subject, '{}')), /permission/i, subject)
    }
    t.match(await refused('hub', thief => thief.subscribe('prnd.main.call.>', { callback () {} })), /permission/i)
  })

  await t.test('nobody gets in without a password', async t => {
    await t.rejects(connect({
      servers: nats.url, tls: { ca: await readFile(join(folder, 'ca.pem'), 'utf8') }, maxReconnectAttempts: 0
    }), /authorization/i)
  })
})

/** What a hub shows of the printer, without what changes by itself. */
const stateNow = async ({ http, kernel }: Awaited<ReturnType<typeof bootHub>>): Promise<string> =>
  JSON.stringify([(await http('GET', '/api/printers')).body.printers.map(({ name }: { name: string }) => name),
    kernel.printers.get('p1s')?.config.serial, kernel.services.fleet.status().nodes.filter(({ site }) => site === 'hall')
      .map(({ reachable, printers }) => [reachable, printers])])
