import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { NO_NATS, startNats, type NatsServer } from '../../helpers/nats.js'
import { freePort } from '../../helpers/ports.js'
import { bootHub, bootNode } from './fleet.js'

t.test('three servers, of which one is killed', { skip: NO_NATS }, async t => {
  const ports = [await freePort(), await freePort(), await freePort()]
  const routes = ports.map(port => `nats://127.0.0.1:${port}`).join(', ')
  const servers: NatsServer[] = await Promise.all(ports.map(port => startNats(t, {
    config: `server_name: s${port}\ncluster { name: test, listen: 127.0.0.1:${port}, routes: [${routes}] }`
  })))
  const fleet = { servers: servers.map(({ url }) => url), replicas: 3 }
  // The clock of one is wrong by an hour.
  const hubs = await Promise.all([0, 3_600_000].map((ahead, at) =>
    bootHub(t, { ...fleet, site: `front${at}` }, [], { dependencies: { now: () => Date.now() + ahead } })))
  const node = await bootNode(t, { ...fleet, site: 'hall', node: 'a' }, { models: ['P1S'] })
  const everywhere = (test: (hub: typeof hubs[0]) => unknown) => eventually(() => hubs.every(test), 60_000, 100)
  await everywhere(({ kernel }) => kernel.printers.get('p1s')?.live)

  const raised: string[] = []
  node.kernel.events.on('alert', ({ type }) => { raised.push(type) })
  const heard = hubs.map(hub => {
    const types: string[] = []
    hub.kernel.events.on('alert', ({ type }) => { types.push(type) })
    return types
  })
  let bed = 40
  for (const server of servers) {
    await server.kill()
    node.kernel.services.alerts.deliver({
      type: `round_${bed}`, printer: 'p1s', timestamp: '2026-01-01T00:00:00+00:00', severity: 'low', payload: {}
    }, true)
    await everywhere(({ kernel }) => kernel.services.fleet.status().connected)
    const target = ++bed
    for (const hub of hubs) {
      const sentBefore = node.printer.requests.length
      await eventually(() => hub.kernel.printers.get('p1s')?.live, 60_000)
      const { status, body } = await hub.http('PATCH', '/api/set_bed_target_temp', { printer: 'p1s', temp: target })
      t.ok(status === 200 || body.error === 'unconfirmed' || body.error === 'not_connected', JSON.stringify(body))
      const sent = node.printer.requests.slice(sentBefore).filter(sent => JSON.stringify(sent.body).includes(`S${target}`))
      t.ok(sent.length === 1 || (sent.length === 0 && status !== 200), `sent ${sent.length} times, ${status}`)
    }
    await server.start()
    await everywhere(({ kernel }) => kernel.printers.get('p1s')?.live)
  }
  await eventually(() => node.kernel.services.fleet.status().waiting_alerts === 0, 60_000)
  await eventually(() => heard.every(types => types.length >= raised.length), 60_000)
  for (const types of heard) t.same(types, raised, 'every alert, once, in order')
})
