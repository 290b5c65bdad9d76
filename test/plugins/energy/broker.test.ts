import t from 'tap'
import { connectAsync } from 'mqtt'
import { eventually } from '../../helpers/eventually.js'
import { listen, NO_MOSQUITTO, startMosquitto } from '../../helpers/mosquitto.js'
import { bootEnergy, MINUTE, off, on } from './boot-plug.js'

/** A Tasmota plug on a broker. */
async function tasmotaOn (url: string, topic: string) {
  const client = await connectAsync(url, { reconnectPeriod: 100 })
  const plug = { isOn: true, watts: 40, wh: 500, obeys: true, answers: true, commands: 0 }
  const say = (name: string, text: string, retain = false) => client.publishAsync(`${name.startsWith('LWT') ? 'tele' : 'stat'}/${topic}/${name}`, text, { retain, qos: 1 })
  client.on('message', (at, payload) => {
    const text = payload.toString()
    if (at.endsWith('POWER1')) {
      if (text !== '') plug.commands++
      if (text !== '' && plug.obeys) plug.isOn = text === 'ON'
      if (plug.answers) void say('POWER1', plug.isOn ? 'ON' : 'OFF')
    } else if (plug.answers) {
      void say('STATUS8', JSON.stringify({ StatusSNS: { ENERGY: { Total: plug.wh / 1_000, Power: plug.isOn ? plug.watts : 0 } } }))
    }
  })
  await client.subscribeAsync([`cmnd/${topic}/POWER1`, `cmnd/${topic}/STATUS`])
  await say('LWT', 'Online', true)
  return { plug, say, close: () => client.endAsync(true) }
}

t.test('a plug on a broker is read, counted and switched, also over an outage of the broker', { skip: NO_MOSQUITTO }, async t => {
  const mosquitto = await startMosquitto(t)
  const { plug, say, close } = await tasmotaOn(mosquitto.url, 'plug1')
  t.teardown(close)
  const one = await bootEnergy(t, { config: { plugins: { broker: { url: mosquitto.url } } } })
  const settings = { topic: 'plug1' }
  t.match((await one.http('POST', '/api/energy/plugs/test', { kind: 'tasmota', settings } as never)).body, { is_on: true, watts: 40, wh: 500 })
  t.match((await one.http('POST', '/api/energy/plugs/test', { kind: 'tasmota', settings: { topic: 'nobody' } } as never)).body, { error: 'plug_silent' })
  t.match((await one.http('POST', '/api/energy/plugs/test', { kind: 'tasmota', settings: { topic: 'a/#' } } as never)), { status: 400 })
  const id = await one.add({ kind: 'tasmota', settings })
  const asked = () => one.pass(61_000)
  await asked()
  await eventually(async () => {
    await asked()
    return (await one.plugOf(id)).counted_by === 'counter' && (await one.plugOf(id)).is_on === true
  })
  plug.watts = 0
  t.equal((await off(one, id)).status, 200)
  t.equal(plug.isOn, false)

  const commands = plug.commands
  plug.answers = false
  t.match((await on(one, id)).body, { error: 'plug_unconfirmed' }, 'the answer was lost')
  t.equal(plug.commands, commands + 1, 'told once')
  plug.answers = true
  await say('POWER1', 'ON')
  await eventually(async () => (await one.plugOf(id)).is_on === true, 10_000)

  await mosquitto.stop()
  await eventually(() => !one.kernel.services.broker.isConnected)
  t.match((await off(one, id)).body, { error: 'plug_silent', reason: /not connected/ })
  t.equal(plug.isOn, true, 'nothing was sent')
  await mosquitto.start()
  await eventually(() => one.kernel.services.broker.isConnected, 20_000)
  t.match((await off(one, id)).status, 200, 'and afterwards it works')

  await say('LWT', 'Offline', true)
  await eventually(async () => (await one.plugOf(id)).is_lost)
  t.match(await one.plugOf(id), { is_on: null }, 'what it is now is not known')
})

t.test('floods and lies on the broker neither hang nor change the count', { skip: NO_MOSQUITTO }, async t => {
  const mosquitto = await startMosquitto(t)
  const one = await bootEnergy(t, { config: { plugins: { broker: { url: mosquitto.url } } } })
  const peer = await listen(t, mosquitto.url)
  const id = await one.add({ kind: 'zigbee2mqtt', settings: { topic: 'zigbee2mqtt/Plug' } })
  await one.pass(10_000)
  await eventually(() => one.kernel.services.broker.isConnected)
  await peer.say('zigbee2mqtt/Plug', '{"state":"OFF","power":1,"energy":2}', true)
  await one.pass(10_000)
  await peer.say('zigbee2mqtt/Plug', '{"state":"ON","power":5,"energy":10}')
  await eventually(async () => (await one.plugOf(id)).is_on === true)
  const odd = ['{"state":"ON","power":1e300,"energy":-3}', '{"state":{},"energy":[]}', '{"energy":1e300}', '[', `{"state":"${'x'.repeat(60_000)}"}`, '{"__proto__":{"state":"OFF"}}']
  for (let turn = 0; turn < 300; turn++) for (const text of odd) void peer.say('zigbee2mqtt/Plug', text)
  await one.pass(3 * MINUTE)
  t.match(await one.plugOf(id), { is_on: true, watts: 5, today_wh: 0 })
  t.match((await one.http('GET', '/api/energy')).status, 200, 'the service answers')
})
