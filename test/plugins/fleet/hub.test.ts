import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { NO_NATS, startNats } from '../../helpers/nats.js'
import type { Booted } from '../../helpers/boot.js'
import { testFolder } from '../../helpers/folder.js'
import { bootHub, bootNode } from './fleet.js'

t.test('a hub', { skip: NO_NATS }, async t => {
  const nats = await startNats(t)
  const fleet = { servers: [nats.url], site: 'hall', node: 'a' }
  const node = await bootNode(t, fleet, { models: ['X1C', 'P1S'] })
  const hub = await bootHub(t, { servers: [nats.url], site: 'office' }, ['x1c', 'p1s'])

  await t.test('shows the printers of a node as the node does', async t => {
    for (const printer of ['x1c', 'p1s']) {
      const readAtNode = async () => (await node.http('GET', '/api/printer', { printer })).body
      const before = await readAtNode()
      const here = await hub.http('GET', '/api/printer', { printer })
      t.equal(here.status, 200)
      // A report may have come meanwhile.
      t.same(here.body, isDeepStrictEqual(here.body, before) ? before : await readAtNode())
    }
    const { body } = await hub.http('GET', '/api/fleet/nodes')
    t.match(body, { role: 'hub', connected: true, nodes: [{ site: 'hall', node: 'a', reachable: true, printers: 2 }] })
  })

  await t.test('has operations done by the node, once', async t => {
    const before = node.printers[0]?.requests.length ?? 0
    const { status, body } = await hub.http('PATCH', '/api/set_bed_target_temp', { printer: 'x1c', temp: 61 })
    t.equal(status, 200, JSON.stringify(body))
    await eventually(() => node.kernel.printers.get('x1c')?.state?.heat.bed.target === 61)
    const sent = node.printers[0]?.requests.slice(before).filter(({ body }) => JSON.stringify(body).includes('S61')) ?? []
    t.equal(sent.length, 1)
    await eventually(() => hub.kernel.printers.get('x1c')?.state?.heat.bed.target === 61)
  })

  await t.test('says what the node says would happen, and nothing is sent', async t => {
    for (const temp of [62, 5000]) {
      const ask = { printer: 'x1c', temp, dry_run: true }
      const there = await node.http('PATCH', '/api/set_bed_target_temp', ask)
      const here = await hub.http('PATCH', '/api/set_bed_target_temp', ask)
      t.same([here.status, here.body], [there.status, there.body])
      t.match(here.body, temp === 62 ? { dry_run: true, sends: [{ param: /S62/ }] } : { error: 'bad_input' })
    }
    t.equal(node.printers[0]?.requests.filter(({ body }) => /S62|S5000/.test(JSON.stringify(body))).length, 0)
  })

  await t.test('gives the errors of the node', async t => {
    const there = await node.http('PATCH', '/api/set_bed_target_temp', { printer: 'x1c', temp: 5000 })
    const here = await hub.http('PATCH', '/api/set_bed_target_temp', { printer: 'x1c', temp: 5000 })
    t.same([here.status, here.body], [there.status, there.body])
    t.ok(here.status >= 400)
    const lost = await hub.http('GET', '/api/printer', { printer: 'nobody' })
    t.match(lost, { status: 400, body: { error: 'not_connected' } })
  })

  await t.test('tells every alert once', async t => {
    const heard: string[] = []
    hub.kernel.events.on('alert', ({ type, printer }) => { heard.push(`${printer} ${type}`) })
    const raised: string[] = []
    node.kernel.events.on('alert', ({ type, printer }) => { raised.push(`${printer} ${type}`) })
    node.printers[1]?.startJob({})
    await eventually(() => raised.length > 0)
    await eventually(() => heard.length >= raised.length)
    t.same(heard, raised)
    const { body } = await hub.http('GET', '/api/alerts', { printer: 'p1s' })
    t.equal(JSON.stringify(body).includes('p1s'), true, JSON.stringify(body))
  })

  await t.test('has in its log what was raised while it did not run, once', async t => {
    const config = { dataDir: testFolder(t) }
    const boot = async () => await bootHub(t, { servers: [nats.url], site: 'office' }, ['x1c', 'p1s'], { config })
    const logOf = async ({ http }: Booted) => (await http('GET', '/api/alert_log', { limit: 200 })).body.alerts
      .map(({ printer, type, at }: { printer: string, type: string, at: number }) => `${printer} ${type} ${at}`)
    const fail = (at: number) => { node.printers[at]?.patch({ print_error: 0x0300_8001 }) }
    fail(0)
    const first = await boot()
    await eventually(async () => (await logOf(first)).length > 0)
    const before = await logOf(first)
    await first.close()
    fail(1)
    await eventually(async () => (await logOf(node)).length > before.length)
    const second = await boot()
    const there = (await logOf(node)).toSorted()
    await eventually(async () => (await logOf(second)).length >= there.length)
    t.same((await logOf(second)).toSorted(), there)
  })

  await t.test('takes no printers of its own', async t => {
    await t.rejects(hub.kernel.printers.add({
      name: 'own',
      host: '127.0.0.1',
      serial: '01S00C123456789',
      accessCode: '12345678',
      tls: { mode: 'pin' },
      ports: { mqtt: 1, ftps: 1, camera: 1, rtsps: 1 }
    }), { code: 'PRN_ERR_HOLDS_NONE' })
  })
})
