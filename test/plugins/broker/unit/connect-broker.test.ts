import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { Aedes } from 'aedes'
import t, { type Test } from 'tap'
import { connectBroker } from '../../../../plugins/broker/connect-broker.js'
import { eventually } from '../../../helpers/eventually.js'

/** A broker that refuses subscriptions to some topics, and a connection to it. */
async function desk (t: Test, refused: string) {
  const aedes = await Aedes.createBroker()
  aedes.authorizeSubscribe = (_client, subscription, callback) =>
    callback(null, subscription.topic === refused ? null : subscription)
  const server = createServer(aedes.handle).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const problems: string[] = []
  let connections = 0
  const connection = connectBroker({
    login: { url: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}` },
    greet: connection => connection.subscribe(['house/lamp', refused]),
    report: { connected: () => { connections++ }, failed: (error: Error) => { problems.push(error.message) } } as never,
    log: { warn () {} }
  })
  t.teardown(async () => {
    await connection.close()
    server.close()
    await new Promise<void>(resolve => aedes.close(resolve))
  })
  return { aedes, connection, problems, connections: () => connections }
}

t.test('a subscription that the broker refuses is a problem, but costs nothing else', async t => {
  const { aedes, connection, problems, connections } = await desk(t, 'homeassistant/status')
  let made = 0
  const heard: string[] = []
  connection.events.on('connected', () => { made++ })
  connection.events.on('message', ({ topic }) => { heard.push(topic) })
  await eventually(() => made === 1)
  t.same(problems, ['the broker refuses homeassistant/status'])
  t.equal(connections(), 0, 'it is not reported as healthy')
  aedes.publish({ cmd: 'publish', topic: 'house/lamp', payload: Buffer.from('on'), qos: 0, retain: false, dup: false }, () => {})
  await eventually(() => heard.includes('house/lamp'))
  t.same(heard, ['house/lamp'])
})
