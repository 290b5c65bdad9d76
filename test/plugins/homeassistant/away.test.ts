import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { printerPorts } from '../../helpers/ports.js'
import { testFolder } from '../../helpers/folder.js'
import { listen, NO_MOSQUITTO, NO_TLS, PASSWORD, startCable, startMosquitto } from '../../helpers/mosquitto.js'
import { bootAt, start, topicsOf } from './service.js'

const skip = NO_MOSQUITTO

t.test('what was removed while the service was down is cleared at its start', { skip }, async t => {
  const mosquitto = await startMosquitto(t)
  const ha = await listen(t, mosquitto.url)
  const dataDir = testFolder(t)
  const first = await bootAt(t, mosquitto.url, { config: { dataDir } })
  const { own, discovery } = topicsOf(first.printer.serial)
  await eventually(() => ha.last(discovery) !== '' && ha.last(`${own}/state`) !== '')
  await first.close()
  t.ok(ha.last(discovery), 'it stays while the service is down')
  t.match(JSON.parse(await readFile(join(dataDir, 'plugins/homeassistant/retained.json'), 'utf8')),
    { [discovery]: { light: 'light' } })
  await bootAt(t, mosquitto.url, { config: { dataDir }, models: [] })
  await eventually(() => [discovery, `${own}/state`, `${own}/availability`].every(topic => ha.last(topic) === ''))
})

t.test('a broker that was away and forgot everything is told everything', { skip }, async t => {
  const { mosquitto, ha, booted: { printer }, own, discovery } = await start(t)
  await eventually(() => ha.last(`${own}/state`) !== '' && ha.last(discovery) !== '')
  await mosquitto.stop()
  printer.patch({ bed_target_temper: 70 })
  await mosquitto.start()
  const later = await listen(t, mosquitto.url)
  await eventually(() => later.json(`${own}/state`).bed_target === 70 && later.last(discovery) !== '', 20_000)
  await eventually(() => later.last('prnd/status') === 'online' && later.last(`${own}/availability`) === 'online')
  await later.say(`${own}/bed_target/set`, '50')
  await eventually(() => later.json(`${own}/state`).bed_target === 50)
  t.match(printer.report(), { bed_target_temper: 50 }, 'commands come in again')
})

t.test('a connection that breaks makes everything unavailable, until it is back', { skip }, async t => {
  const mosquitto = await startMosquitto(t)
  const ha = await listen(t, mosquitto.url)
  const cable = await startCable(t, mosquitto.url)
  await bootAt(t, cable.url)
  await eventually(() => ha.last('prnd/status') === 'online')
  await cable.unplug()
  await eventually(() => ha.last('prnd/status') === 'offline')
  await cable.plug()
  await eventually(() => ha.last('prnd/status') === 'online', 20_000)
  t.same(ha.on('prnd/status').map(({ text }) => text), ['online', 'offline', 'online'])
})

t.test('a broker with TLS must show a certificate that is vouched for', { skip: NO_TLS }, async t => {
  const { url, ca } = await startMosquitto(t, { tls: true })
  const ha = await listen(t, url, ca)
  const stranger = await bootAt(t, url)
  const { own } = await bootAt(t, url, { homeassistant: { ca, topicPrefix: 'vouched' } })
    .then(({ printer }) => ({ own: `vouched/${printer.serial}` }))
  await eventually(() => ha.last(`${own}/state`) !== '')
  t.same(ha.on('prnd/status'), [], 'without the authority nothing is said')
  t.ok(stranger.kernel.ready)
})

t.test('a printer that is off is unavailable, and stays announced', { skip }, async t => {
  const { ha, booted: { printer }, own, discovery } = await start(t, {
    models: [{ model: 'P1S', reportEveryMs: 100, ports: await printerPorts() }]
  })
  await eventually(() => ha.last(`${own}/availability`) === 'online' && ha.last(discovery) !== '')
  await printer.stop()
  await eventually(() => ha.last(`${own}/availability`) === 'offline', 20_000)
  t.ok(ha.last(discovery))
  await printer.start()
  await eventually(() => ha.last(`${own}/availability`) === 'online', 30_000)
})

t.test('a broker that refuses us hinders nothing, and one complaint is enough', { skip }, async t => {
  const mosquitto = await startMosquitto(t)
  const { http, name } = await bootAt(t, mosquitto.url.replace(PASSWORD, 'wrong-password'))
  t.equal((await http('PATCH', '/api/set_bed_target_temp', { printer: name, temp: 40 })).status, 200)
})
