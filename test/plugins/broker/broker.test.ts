import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import brokerPlugin, { type Message } from '../../../plugins/broker/index.js'
import homeassistantPlugin from '../../../plugins/homeassistant/index.js'
import { boot, featuresWith } from '../../helpers/boot-features.js'
import { eventually } from '../../helpers/eventually.js'
import { listen, NO_MOSQUITTO, PASSWORD, startMosquitto } from '../../helpers/mosquitto.js'

const skip = NO_MOSQUITTO

const bootWith = (t: Test, plugins: object) =>
  boot(t, { preset: featuresWith(brokerPlugin, homeassistantPlugin), models: [], config: { plugins } })

const collect = () => {
  const heard: string[] = []
  return { heard, take: ({ topic, payload, isRetained }: Message) => { heard.push(`${topic} ${payload}${isRetained ? ' (old)' : ''}`) } }
}

t.test('messages reach all who asked for them, over an outage of the broker', { skip }, async t => {
  const mosquitto = await startMosquitto(t)
  const { kernel } = await bootWith(t, { broker: { url: mosquitto.url } })
  const { broker } = kernel.services
  t.same([broker.isSetUp, broker.isConnected], [true, false], 'nobody has asked for anything')
  t.same(kernel.connections.list(), [], 'so nothing is connected')

  const [plug, all] = [collect(), collect()]
  const end = broker.subscribe('tele/+/SENSOR', plug.take)
  broker.subscribe('#', all.take)
  broker.subscribe('tele/#', () => { throw new Error('not understood') })
  await eventually(() => broker.isConnected)
  t.match(kernel.connections.list(), [{ name: 'broker', plugin: 'broker' }])
  t.notMatch(JSON.stringify(kernel.connections.list()), PASSWORD)

  const peer = await listen(t, mosquitto.url)
  await broker.publish('cmnd/lamp/POWER', 'ON', { retain: true })
  await eventually(() => peer.last('cmnd/lamp/POWER') === 'ON')
  await peer.say('tele/a/SENSOR', '1')
  await peer.say('tele/a/OTHER', '2')
  await peer.say('tele/a/SENSOR', 'A'.repeat(70_000))
  await eventually(() => all.heard.includes('tele/a/OTHER 2') && plug.heard.length > 0)
  t.same(plug.heard, ['tele/a/SENSOR 1'], 'one message once, and none that is far too long')

  const late = collect()
  broker.subscribe('cmnd/lamp/POWER', late.take)
  await eventually(() => late.heard.length > 0)
  t.same(late.heard, ['cmnd/lamp/POWER ON (old)'], 'who asks later hears what is retained')

  await mosquitto.stop()
  await eventually(() => !broker.isConnected)
  await t.rejects(broker.publish('x', '1'), { code: 'PRN_ERR_BROKER_AWAY', message: 'The MQTT broker is not connected' })
  await mosquitto.start()
  await eventually(() => broker.isConnected)
  await peer.say('tele/b/SENSOR', '3')
  await eventually(() => plug.heard.includes('tele/b/SENSOR 3'))
  end()
  end()
  await peer.say('tele/b/SENSOR', '4')
  await eventually(() => all.heard.includes('tele/b/SENSOR 4'))
  t.notOk(plug.heard.includes('tele/b/SENSOR 4'), 'who has ended it hears no more')
  t.throws(() => broker.subscribe('a/#/b', plug.take), TypeError)
})

t.test('the broker of Home Assistant is used where none is named', { skip }, async t => {
  const mosquitto = await startMosquitto(t)
  const { kernel } = await bootWith(t, { homeassistant: { broker: mosquitto.url } })
  const { broker, homeassistant } = kernel.services
  const { heard, take } = collect()
  broker.subscribe('scale/+', take)
  await eventually(() => broker.isConnected)
  await broker.publish('scale/kitchen', '812')
  await eventually(() => heard.includes('scale/kitchen 812'))
  t.equal(homeassistant.read().origin, 'file')
})

t.test('without a broker, whoever needs one is told', { skip }, async t => {
  const { kernel } = await bootWith(t, {})
  const { broker } = kernel.services
  const end = broker.subscribe('#', () => {})
  await sleep(50)
  t.equal(broker.isSetUp, false)
  await t.rejects(broker.publish('x', '1'), { code: 'PRN_ERR_BROKER_AWAY', message: 'The MQTT broker is not set up' })
  end()

  const mosquitto = await startMosquitto(t)
  const { port } = new URL(mosquitto.url)
  const { heard, take } = collect()
  broker.subscribe('late', take)
  await kernel.services.homeassistant.change({
    host: '127.0.0.1', port: Number(port), tls: false, username: 'ha', password: PASSWORD, ...kernel.services.homeassistant.read().initial
  })
  await eventually(() => broker.isConnected)
  await broker.publish('late', 'x')
  await eventually(() => heard.length > 0)
  await kernel.services.homeassistant.remove()
  await eventually(() => !broker.isConnected)
  t.equal(broker.isSetUp, false, 'and it is left with it')
})
