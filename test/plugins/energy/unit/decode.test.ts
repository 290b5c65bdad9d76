import t from 'tap'
import { topicsOf } from '../../../../plugins/energy/link/topics.js'
import { shelly1Status, shelly2Switch } from '../../../../plugins/energy/decode/shelly.js'
import { tasmotaFields } from '../../../../plugins/energy/decode/tasmota.js'
import type { PlugKind, PlugSettings } from '../../../../plugins/energy/kinds.data.js'
import { digestOf } from '../../../../plugins/energy/link/digest.js'
import { isLocal, lanRequest } from '../../../../plugins/energy/link/lan-request.js'

/** What a plug of that kind says, message by message, and what is understood. */
type Said = readonly [kind: PlugKind, settings: PlugSettings, topic: string, text: string, reading: object | undefined]
const SAID: readonly Said[] = [
  ['tasmota', { topic: 'plug1' }, 'stat/plug1/POWER', 'ON', { isOn: true }],
  ['tasmota', { topic: 'plug1' }, 'stat/plug1/RESULT', '{"POWER":"OFF"}', { isOn: false }],
  ['tasmota', { topic: 'plug1' }, 'tele/plug1/LWT', 'Offline', { isOnline: false }],
  ['tasmota', { topic: 'plug1' }, 'tele/plug1/STATE', '{"Time":"2026-11-29T12:00:00","POWER":"ON"}', { isOn: true }],
  ['tasmota', { topic: 'plug1' }, 'tele/plug1/SENSOR', '{"ENERGY":{"Total":1.234,"Power":87,"Voltage":230}}', { watts: 87, wh: 1_234 }],
  ['tasmota', { topic: 'plug1' }, 'stat/plug1/STATUS8', '{"StatusSNS":{"ENERGY":{"Total":0.5,"Power":3}}}', { watts: 3, wh: 500 }],
  ['tasmota', { topic: 'strip', channel: 2 }, 'stat/strip/RESULT', '{"POWER2":"ON"}', { isOn: true }],
  ['tasmota', { topic: 'strip', channel: 2 }, 'stat/strip/RESULT', '{"POWER1":"ON"}', undefined],
  ['tasmota', { topic: 'strip', channel: 2 }, 'tele/strip/SENSOR', '{"ENERGY":{"Total":[1,2],"Power":[10,20]}}', { watts: 20, wh: 2_000 }],
  ['tasmota', { topic: 'plug1' }, 'stat/plug2/POWER', 'ON', undefined],
  ['shelly1', { topic: 'shellies/s1' }, 'shellies/s1/relay/0', 'on', { isOn: true }],
  ['shelly1', { topic: 'shellies/s1' }, 'shellies/s1/relay/0/power', '45.6', { watts: 45.6 }],
  ['shelly1', { topic: 'shellies/s1' }, 'shellies/s1/relay/0/energy', '6000', { wh: 100 }],
  ['shelly1', { topic: 'shellies/s1' }, 'shellies/s1/online', 'false', { isOnline: false }],
  ['shelly2', { topic: 'sp' }, 'sp/status/switch:0', '{"id":0,"output":true,"apower":8.9,"aenergy":{"total":6.5}}', { isOn: true, watts: 8.9, wh: 6.5 }],
  ['shelly2', { topic: 'sp' }, 'sp/events/rpc', '{"method":"NotifyStatus","params":{"ts":1,"switch:0":{"id":0,"apower":12}}}', { watts: 12 }],
  ['shelly2', { topic: 'sp' }, 'prnd/plugs/ID/rpc', '{"id":1,"result":{"output":false,"apower":0}}', { isOn: false, watts: 0 }],
  ['shelly2', { topic: 'sp', channel: 1 }, 'sp/events/rpc', '{"params":{"switch:0":{"output":true}}}', undefined],
  ['zigbee2mqtt', { topic: 'zigbee2mqtt/Plug' }, 'zigbee2mqtt/Plug', '{"state":"ON","power":150.2,"energy":3.21,"linkquality":90}', { isOn: true, watts: 150.2, wh: 3_210 }],
  ['zigbee2mqtt', { topic: 'zigbee2mqtt/Plug' }, 'zigbee2mqtt/Plug/availability', '{"state":"offline"}', { isOnline: false }],
  ['zigbee2mqtt', { topic: 'zigbee2mqtt/Plug' }, 'zigbee2mqtt/Plug/availability', 'online', { isOnline: true }],
  ['esphome', { topic: 'node', state: 'relay', power: 'power', energy: 'total', energy_unit: 'kWh' }, 'node/switch/relay/state', 'OFF', { isOn: false }],
  ['esphome', { topic: 'node', state: 'relay', power: 'power' }, 'node/sensor/power/state', '99.5', { watts: 99.5 }],
  ['esphome', { topic: 'node', state: 'relay', energy: 'total', energy_unit: 'Wh' }, 'node/sensor/total/state', '12', { wh: 12 }],
  ['homeassistant', { topic: 'ha', state: 'switch.p', energy: 'sensor.p_energy' }, 'ha/sensor/p_energy/state', '1.5', { wh: 1_500 }],
  ['homeassistant', { topic: 'ha', state: 'switch.p' }, 'ha/switch/p/state', 'on', { isOn: true }],
  ['homeassistant', { topic: 'ha', state: 'switch.p' }, 'ha/switch/p/state', 'unavailable', { isOnline: false }]
]

t.test('what plugs say on their topics is understood', async t => {
  for (const [kind, settings, topic, text, reading] of SAID) {
    t.same(topicsOf(kind, settings, 'ID')?.decode(topic, text), reading, `${kind}: ${topic} ${text}`)
  }
})

t.test('each kind is told to switch in its own words', async t => {
  const told = (kind: PlugKind, settings: PlugSettings) => topicsOf(kind, settings, 'ID')?.turn(false)
  t.same(told('tasmota', { topic: 'p' }), { topic: 'cmnd/p/POWER1', text: 'OFF' })
  t.same(told('shelly1', { topic: 'shellies/p' }), { topic: 'shellies/p/relay/0/command', text: 'off' })
  t.match(told('shelly2', { topic: 'p' }), { topic: 'p/rpc', text: '"method":"Switch.Set","params":{"id":0,"on":false}' })
  t.same(told('zigbee2mqtt', { topic: 'zigbee2mqtt/p' }), { topic: 'zigbee2mqtt/p/set', text: '{"state":"OFF"}' })
  t.same(told('esphome', { topic: 'p', state: 'r' }), { topic: 'p/switch/r/command', text: 'OFF' })
  t.same(told('homeassistant', { topic: 'ha', state: 'switch.p' }), { topic: 'ha/switch/p/set', text: 'off' })
  t.equal(told('shelly_http', { host: 'h' }), undefined)
})

t.test('values out of all bounds are no readings', async t => {
  for (const value of [-1e300, -6, NaN, Infinity, 1e300, 8_001, null, [], {}, true, '1e300', '--1', '', 'nan', '9'.repeat(400)]) {
    t.same(shelly2Switch({ output: true, apower: value as never }), { isOn: true }, `power ${JSON.stringify(value)}`)
  }
  for (const value of [-1, 1e300, 'x', null, NaN]) {
    t.same(shelly2Switch({ output: true, aenergy: { total: value as never } }), { isOn: true }, `counter ${JSON.stringify(value)}`)
  }
  t.same(shelly2Switch({ apower: -0.4 }), { watts: 0 }, 'noise around zero')
  const meters = [{ power: 5, is_valid: false, total: 60 }]
  t.same(shelly1Status({ relays: [{ ison: true }], meters }, 0), { isOn: true, wh: 1 })
  t.equal(tasmotaFields({ StatusSTS: 'no', StatusSNS: [] }, 1), undefined)
})

/** A small generator of numbers, the same in every run. */
function createRandom (seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return Math.floor(state / 4_294_967_296 * below)
  }
}

t.test('no message, however damaged, throws or yields what no plug can measure', async t => {
  const random = createRandom(7)
  const odd = ['{', '[', '}', '"', '\u0000', '1e999', '-', 'null', '{"ENERGY":', '\ud800', '[[[[[[[[[[', 'true', '{}', '😀', '"__proto__":{"output":true},']
  let understood = 0
  for (let turn = 0; turn < 20_000; turn++) {
    const [kind, settings, topic, text] = SAID[random(SAID.length)] ?? SAID[0]!
    const cut = random(text.length + 1)
    const damaged = text.slice(0, cut) + (odd[random(odd.length)] ?? '') + text.slice(cut + random(4))
    const reading = topicsOf(kind, settings, 'ID')?.decode(random(5) === 0 ? `${topic}/x` : topic, damaged)
    if (reading === undefined) continue
    understood++
    const { watts = 0, wh = 0, isOn = true, isOnline = true } = reading
    const isSane = watts >= 0 && watts <= 8_000 && wh >= 0 && wh <= 1e9 && typeof isOn === 'boolean' && typeof isOnline === 'boolean'
    if (!isSane) t.fail(`${kind} ${damaged}: ${JSON.stringify(reading)}`)
  }
  t.ok(understood > 1_000, `${understood} were understood all the same`)
  t.equal(topicsOf('zigbee2mqtt', { topic: 'a' }, 'ID')?.decode('a', `{"state":"ON","x":"${'x'.repeat(20_000)}"}`), undefined, 'too long')
  t.equal(topicsOf('zigbee2mqtt', { topic: 'a' }, 'ID')?.decode('a', `{"state":${'['.repeat(8_000)}`), undefined, 'too deep')
})

t.test('a login by digest is what RFC 7616 says, and odd challenges are not answered', async t => {
  const login = { user: 'admin', password: 'Mufasa' }
  const of = (challenge: string) => digestOf(challenge, { method: 'GET', path: '/rpc' }, login, 'c')
  t.match(of('Digest qop="auth", realm="shelly", nonce="61", algorithm=SHA-256'),
    /^Digest username="admin", realm="shelly", nonce="61", uri="\/rpc", algorithm=SHA-256, qop=auth, nc=00000001, cnonce="c", response="[0-9a-f]{64}"$/)
  for (const challenge of ['', 'Basic realm="x"', 'Digest realm="x"', 'Digest realm="x", nonce="1", algorithm=MD5',
    'Digest realm="a\r\nb", nonce="1", algorithm=SHA-256', `Digest realm="${'x'.repeat(5_000)}", nonce="1", algorithm=SHA-256`]) {
    t.equal(of(challenge), undefined, challenge.slice(0, 60))
  }
})

t.test('requests go to the local network only', async t => {
  for (const address of ['192.168.1.4', '10.1.2.3', '172.16.0.9', '127.0.0.1', '100.64.0.1', 'fd12::1', '::1']) t.ok(isLocal(address), address)
  for (const address of ['8.8.8.8', '169.254.169.254', '172.32.0.1', '0.0.0.0', '2001:db8::1', 'fe80::1', 'name', '']) t.notOk(isLocal(address), address)
  const never = new AbortController().signal
  await t.rejects(lanRequest({ host: '8.8.8.8', path: '/' }, never), /not on the local network/)
  await t.rejects(lanRequest({ host: '[2001:db8::1]:80', path: '/' }, never), /not on the local network/)
})
