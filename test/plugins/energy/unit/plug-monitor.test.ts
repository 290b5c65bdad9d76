import t, { type Test } from 'tap'
import type { PlugKind, PlugSettings } from '../../../../plugins/energy/kinds.data.js'
import { httpPlugOf } from '../../../../plugins/energy/link/http-plug.js'
import { PlugMonitor } from '../../../../plugins/energy/plug-monitor.js'
import { placeOf } from '../../../../plugins/energy/plug-store.js'
import { memoryBroker, shelly1, shelly2 } from '../plugs.js'

const MINUTE = 60_000

/** A plug that only speaks by itself, by a clock of its own. */
function quiet (t: Test, kind: PlugKind, settings: PlugSettings) {
  const { broker, say, state, published } = memoryBroker()
  let now = 1_000_000
  const monitor = new PlugMonitor({ id: 'p', kind, settings, password: undefined }, {
    broker: () => broker, now: () => now, redact: text => text, signal: new AbortController().signal, changed () {}
  })
  t.teardown(() => monitor.close())
  /** Time passes, with the questions that are due. */
  const pass = async (minutes: number) => {
    for (let minute = 0; minute < minutes; minute++) {
      now += MINUTE
      await monitor.ask()
    }
  }
  return { monitor, say, state, published, pass }
}

t.test('an ESPHome plug is known while its broker vouches for it, and lost when that ends', async t => {
  const { monitor, say, state, pass } = quiet(t, 'esphome', { topic: 'plug', state: 'relay' })
  await monitor.ask()
  say('plug/switch/relay/state', 'ON', true)
  t.equal(monitor.isOn, true)
  await pass(14)
  t.equal(monitor.isLost, false)
  await pass(2)
  t.equal(monitor.isLost, true, 'nobody vouches, and it is silent')
  t.equal(monitor.isOn, undefined)
  say('plug/status', 'online', true)
  await pass(24 * 60)
  t.equal(monitor.isOn, true, 'one that is there need not speak')
  say('plug/status', 'offline')
  t.equal(monitor.isOn, undefined, 'it is gone')
  say('plug/status', 'online')
  state.isConnected = false
  await pass(5)
  t.equal(monitor.isLost, true, 'without a broker nothing is known')
  state.isConnected = true
  await pass(1)
  t.equal(monitor.isLost, false, 'it can be heard again')
  await pass(16)
  t.equal(monitor.isLost, true, 'but nobody has vouched for it since')
})

t.test('a plug of Home Assistant is asked, and lost when it or Home Assistant is away', async t => {
  const { monitor, say, published, pass } = quiet(t, 'homeassistant', { topic: 'ha', state: 'switch.printer' })
  await monitor.ask()
  t.match(published, [{ topic: 'ha/switch/printer/get' }])
  say('ha/switch/printer/state', 'off')
  t.equal(monitor.isOn, false)
  say('ha/switch/printer/state', 'unavailable')
  t.equal(monitor.isOn, undefined, 'the device is away')
  say('ha/switch/printer/state', 'on')
  t.equal(monitor.isOn, true)
  say('homeassistant/status', 'offline')
  t.equal(monitor.isOn, undefined, 'nobody will say anything of it')
  say('homeassistant/status', 'online')
  t.equal(monitor.isOn, undefined, 'which says nothing of the plug')
  say('ha/switch/printer/state', 'on')
  await pass(16)
  t.equal(monitor.isOn, undefined, 'silent for too long')
})

t.test('a Shelly that once had a login by digest never gives its password to an older one', async t => {
  const [old, later] = [await shelly1(t), await shelly2(t, 'secret-7')]
  const { signal } = new AbortController()
  let found = 0
  const generation = (isLater: boolean) => ({ isLater, foundLater () { found++ } })
  t.match(await httpPlugOf('shelly_http', { host: later.host }, 'secret-7', generation(false)).read(signal), { isOn: true })
  t.equal(found, 1, 'to be kept over a restart')
  await t.rejects(httpPlugOf('shelly_http', { host: old.host }, 'secret-7', generation(true)).read(signal), /older Shelly/)
  t.same(old.asked, ['GET /shelly'], 'nothing with a login was sent')
  t.match(await httpPlugOf('shelly_http', { host: old.host }, 'secret-7', generation(false)).read(signal), { isOn: true })
})

t.test('a plug has one place, however its address is written', async t => {
  const place = (kind: PlugKind, settings: PlugSettings) => placeOf({ kind, settings: JSON.stringify(settings) })
  const one = place('shelly_http', { host: 'Plug.lan' })
  t.equal(place('shelly_http', { host: 'plug.lan:80', channel: 0 }), one)
  t.equal(place('tasmota_http', { host: 'plug.lan.', channel: 1 }), one)
  t.not(place('shelly_http', { host: 'plug.lan', channel: 1 }), one)
  t.not(place('shelly_http', { host: 'plug.lan:8080' }), one)
  t.equal(place('tasmota', { topic: 'p' }), place('tasmota', { topic: 'p', channel: 1 }))
  t.not(place('shelly2', { topic: 'p' }), place('shelly2', { topic: 'p', channel: 1 }))
  t.equal(place('esphome', { topic: 'p', state: 's', power: 'w' }), place('esphome', { topic: 'p', state: 's' }))
})
