import { randomUUID } from 'node:crypto'
import { connect } from '@nats-io/transport-node'
import t from 'tap'
import { checkFleet } from '../../../presets/cli/doctor/machine-checks.js'
import { startHeartbeat } from '../../../plugins/fleet/node/heartbeat.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { NO_NATS, startNats } from '../../helpers/nats.js'
import { signMessage, verifyMessage } from '../../../plugins/fleet/signed-message.js'
import { bootHub, bootNode } from './fleet.js'
import { HUB_KEY, newKey } from './keys.js'

t.test('a beat counts for ten seconds, and one to come never', async t => {
  let now = 1_000
  const heartbeat = startHeartbeat({ connected: false, nats: undefined, onConnect () {} },
    { subject: 'beat', signingKey: newKey(), printers: () => 0, hubs: () => [], steady: () => now })
  t.teardown(heartbeat.close)
  now += 60_000
  t.same([30, 25, 24, 31].map(heartbeat.isRecent), [true, true, false, false])
})

t.test('a fleet that is cut', { skip: NO_NATS }, async t => {
  const nats = await startNats(t)
  const fleet = { servers: [nats.url], site: 'hall', node: 'a' }
  const dataDir = testFolder(t)
  const node = await bootNode(t, fleet, { models: ['P1S'], config: { dataDir } })
  const hub = await bootHub(t, { servers: [nats.url] }, ['p1s'])
  const { printer } = node
  const remote = () => hub.kernel.printers.get('p1s')
  const sent = (text: string, since: number) =>
    printer.requests.slice(since).filter(({ body }) => JSON.stringify(body).includes(text)).length
  const raised: unknown[] = []
  const heard: unknown[] = []
  node.kernel.events.on('alert', ({ type, timestamp }) => { raised.push([type, timestamp]) })
  hub.kernel.events.on('alert', ({ type, timestamp }) => { heard.push([type, timestamp]) })

  await t.test('a call that comes twice is done once, and one that is out of date not at all', async t => {
    const client = await connect({ servers: nats.url })
    t.teardown(() => client.close())
    const beats = client.subscribe('prnd.main.beat.hall.a', { max: 1 })
    let beat: { run: string, number: number } | undefined
    for await (const { subject, data } of beats) {
      beat = JSON.parse(verifyMessage(data, subject, () => true)?.content.toString() ?? '')
    }
    const answers: string[] = []
    client.subscribe('answers.*', {
      callback: (_error, { subject, data }) => {
        const proven = verifyMessage(data.subarray(1), `${subject} end`, () => true)
        if (data[0] === 3 && proven) answers.push(proven.content.toString())
      }
    })
    const subject = 'prnd.main.call.hall.a.do'
    const ask = (temp: number, more: object) => client.publish(subject, signMessage(HUB_KEY, subject, JSON.stringify({
      run: beat?.run,
      reply: `answers.${randomUUID()}`,
      beat: beat?.number,
      key: randomUUID(),
      printer: 'p1s',
      operation: 'climate.setBedTarget',
      input: { temp },
      isRead: false,
      host: 'localhost',
      ...more
    })))
    const { input } = [...node.kernel.operations.values()].find(({ name }) => name === 'climate.setBedTarget') ?? {}
    const parameter = Object.keys((input as { properties?: object } | undefined)?.properties ?? {})[0] ?? ''
    const before = printer.requests.length
    const key = randomUUID()
    const same = { key, input: { [parameter]: 53 } }
    ask(53, same)
    ask(53, same)
    await eventually(() => answers.length === 2)
    ask(53, same)
    ask(54, { input: { [parameter]: 54 }, beat: (beat?.number ?? 0) + 1_000 })
    await eventually(() => answers.length === 4)
    t.equal(sent('S53', before), 1)
    t.equal(sent('S54', before), 0)
    t.equal(answers.filter(answer => answer.includes('PRN_ERR_SUPERSEDED')).length, 1)
    ask(55, { input: { [parameter]: 55 }, run: randomUUID() })
    ask(56, { input: { [parameter]: 56 }, isRead: true })
    await eventually(() => answers.length === 5)
    t.equal(sent('S55', before) + sent('S56', before), 0, 'another run, and a write that says it is none')
  })

  await t.test('shows what was known, says why, and sends nothing', async t => {
    await eventually(() => remote()?.state?.heat.bed.target === 53, 30_000)
    t.match(await checkFleet({ plugins: { fleet } }), [{ name: 'fleet', status: 'ok', detail: /^main, NATS .* answers/ }])
    await nats.kill()
    await eventually(() => remote()?.service === 'DISCONNECTED', 30_000)
    t.match(remote()?.problem, { code: 'unreachable', message: /cut off/ })
    t.ok(remote()?.state, 'what was last known')
    t.match((await hub.tool('get_temperatures', { name: 'p1s' })).value, { bed: { target: 53 } })
    t.match((await hub.http('GET', '/api/printers')).body, { printers: [{ name: 'p1s', connected: false }] })
    t.equal((await hub.http('GET', '/readyz')).status, 503)
    t.match(await node.http('GET', '/readyz'), { status: 200, body: { fleet: 'cut off' } })
    const before = printer.requests.length
    const refused = await hub.http('PATCH', '/api/set_bed_target_temp', { printer: 'p1s', temp: 57 })
    t.match(refused, { status: 400, body: { error: 'not_connected' } })
    printer.startJob({})
    const fleetOf = ({ kernel }: typeof node) => kernel.services.fleet.status()
    await eventually(() => fleetOf(node).waiting_alerts > 0 && fleetOf(node).lag_s > 1, 30_000)
    const metrics = (await node.kernel.app.inject({ url: '/metrics' })).body
    for (const figure of ['waiting_alerts [1-9]', 'waiting_states [1-9]', 'lag_seconds [1-9]', 'connected 0', 'leases_held 0',
      'calls_done [1-9]', 'calls_refused [1-9]']) t.match(metrics, new RegExp(`^prnd_fleet_${figure}`, 'm'))
    t.match(await checkFleet({ plugins: { fleet } }), [{ name: 'fleet', status: 'failed', fix: /plugins\.fleet/ }])
    await nats.start()
    await eventually(() => remote()?.live, 60_000)
    t.equal(sent('S57', before), 0, 'not afterwards either')
  })

  await t.test('tells each alert of that time once, in order', async t => {
    await eventually(() => node.kernel.services.fleet.status().waiting_alerts === 0, 30_000)
    await eventually(() => heard.length >= raised.length, 30_000)
    await eventually(() => node.kernel.services.fleet.status().lag_s === 0, 30_000)
    t.ok(raised.length > 0)
    t.same(heard, raised)
    t.match((await hub.kernel.app.inject({ url: '/metrics' })).body, /prnd_fleet_connected 1/)
  })

  await t.test('a node that stops, and begins anew', async t => {
    await node.kernel.close()
    await eventually(() => remote()?.service === 'DISCONNECTED', 60_000)
    t.match(remote()?.problem?.message, /hall\/a.*not been heard since/)
    t.match((await hub.http('GET', '/api/fleet/nodes')).body, { nodes: [{ node: 'a', reachable: false }] })
    t.match(await hub.http('PATCH', '/api/set_bed_target_temp', { printer: 'p1s', temp: 58 }), { status: 400 })
    await bootNode(t, fleet, { models: [{ model: 'A1_MINI', name: 'other' }], config: { dataDir } })
    await eventually(() => hub.kernel.printers.get('other')?.live, 60_000)
    await eventually(() => remote() === undefined, 30_000)
    t.same(hub.kernel.printers.names, ['other'], 'what the node does not have any more has gone')
  })
})
