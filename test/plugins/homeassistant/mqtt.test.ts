import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { listen, NO_MOSQUITTO, PASSWORD, startMosquitto } from '../../helpers/mosquitto.js'
import { bootAt, start, topicsOf } from './service.js'

const skip = NO_MOSQUITTO

t.test('a printer is announced, shown, and told', { skip }, async t => {
  const { mosquitto, ha, booted: { printer, kernel, name }, own, discovery } = await start(t)
  await eventually(() => ha.json(`${own}/state`).bed_temperature !== undefined && ha.last(`${own}/availability`) === 'online')
  const later = await listen(t, mosquitto.url)
  await eventually(() => later.last(`${own}/state`) !== '' && later.last('prnd/status') === 'online')
  for (const topic of [discovery, `${own}/state`, `${own}/availability`, 'prnd/status']) {
    t.ok(later.on(topic)[0]?.retained, `${topic} is retained`)
  }
  t.match(ha.json(discovery), { device: { name, serial_number: printer.serial }, state_topic: `${own}/state` })
  t.match(ha.json(`${own}/state`), { print_status: 'idle', printing: false, light: 'ON' })

  await ha.say(`${own}/bed_target/set`, '55')
  await eventually(() => ha.json(`${own}/state`).bed_target === 55)
  t.match(printer.report(), { bed_target_temper: 55 }, 'the printer has the target')
  await ha.say(`${own}/light/set`, 'OFF')
  await eventually(() => ha.json(`${own}/state`).light === 'OFF')
  await ha.say(`${own}/part_cooling_fan/set`, '40')
  await eventually(() => ha.json(`${own}/state`).part_cooling_fan === 40)

  printer.startJob({ name: 'benchy', layers: 100, minutes: 60 })
  await eventually(() => ha.json(`${own}/state`).print_status === 'running', 20_000)
  t.match(ha.json(`${own}/state`), { printing: true, job_name: 'benchy' })
  await ha.say(`${own}/pause/set`, 'PRESS')
  await eventually(() => ha.json(`${own}/state`).print_status === 'pause', 20_000)
  const paused = () => ha.on(`${own}/alert`).find(({ text }) => text.includes('job_paused'))
  await eventually(() => paused() !== undefined)
  t.match(JSON.parse(paused()?.text ?? ''), { event_type: 'job_paused', severity: 'medium', timestamp: /^\d{4}-/ })
  t.equal(paused()?.retained, false, 'an event is not kept')

  kernel.events.emit('health:verdict', name, { verdict: 'warning', score: 0.5 })
  await eventually(() => ha.json(`${own}/state`).print_health === 'warning')
  const told = { printer: name, timestamp: '', severity: 'low' as const }
  kernel.events.emit('alert', { ...told, type: 'too_quiet', payload: { event_type: 'x', since: 3 } })
  await eventually(() => ha.json(`${own}/alert`).alert_type === 'too_quiet')
  t.match(ha.json(`${own}/alert`), { event_type: 'other', since: 3 }, 'an alert that Home Assistant does not know')

  const said = ha.heard.map(({ text }) => text).join('\n')
  t.notOk(said.includes(printer.accessCode) || said.includes(PASSWORD), 'no secret was published')
  t.notOk(kernel.redact(`mqtt://ha:${PASSWORD}@here, ${PASSWORD}`).includes(PASSWORD), 'the password is masked')
  await kernel.close()
  await eventually(() => ha.last('prnd/status') === 'offline')
})

t.test('what cannot be carried out is refused, with an event', { skip }, async t => {
  const { ha, booted: { printer }, own } = await start(t)
  await eventually(() => ha.last(`${own}/state`) !== '')
  printer.startJob({ name: 'benchy', layers: 100, minutes: 60 })
  await eventually(() => ha.json(`${own}/state`).print_status === 'running', 20_000)
  const before = printer.requests.length
  const refusals: readonly [entity: string, payload: string, reason: RegExp][] = [
    ['unload', 'PRESS', /running|RUNNING/],
    ['bed_target', '300', /at most/],
    ['bed_target', 'hot', /makes no sense/],
    ['bed_target', '', /makes no sense/],
    ['bed_target', '9'.repeat(100), /too long/],
    ['speed', 'warp', /level/],
    ['light', '\u0000{', /makes no sense/],
    ['chamber_target', '40', /no such entity/],
    ['constructor', '1', /no such entity/],
    ['bed_temperature', '40', /no commands/]
  ]
  for (const [entity, payload, reason] of refusals) {
    const count = ha.on(`${own}/alert`).filter(({ text }) => text.includes('command_refused')).length
    await ha.say(`${own}/${entity}/set`, payload)
    await eventually(() => ha.on(`${own}/alert`).filter(({ text }) => text.includes('command_refused')).length > count)
    t.match(ha.json(`${own}/alert`), { event_type: 'command_refused', entity, reason }, `${entity} ${payload}`)
  }
  await ha.say('prnd/NOBODY/light/set', 'ON')
  await ha.say(`${own}/light/set`, 'OFF')
  await eventually(() => ha.json(`${own}/state`).light === 'OFF')
  const sent = new Set(printer.requests.slice(before).map(({ command }) => command))
  t.same([...sent].filter(command => command !== 'get_version' && command !== 'pushall'), ['ledctrl'],
    'nothing but the light reached the printer')
})

t.test('a command that the broker kept is not carried out', { skip }, async t => {
  const mosquitto = await startMosquitto(t)
  const ha = await listen(t, mosquitto.url)
  const serial = '01P00A000000042'
  const { own } = topicsOf(serial)
  await ha.say(`${own}/bed_target/set`, '60', true)
  const { printer } = await bootAt(t, mosquitto.url, { models: [{ model: 'P1S', serial, reportEveryMs: 100 }] })
  await eventually(() => ha.last(`${own}/state`) !== '')
  await ha.say(`${own}/light/set`, 'OFF')
  await eventually(() => ha.json(`${own}/state`).light === 'OFF')
  t.match(printer.report(), { bed_target_temper: 0 })
})

t.test('a rename keeps ids and topics; a removal clears them', { skip }, async t => {
  const { mosquitto, ha, booted: { kernel, name }, own, discovery } = await start(t)
  await eventually(() => ha.last(discovery) !== '' && ha.last(`${own}/state`) !== '')
  const idsOf = () => Object.values<{ unique_id: string }>(ha.json(discovery).components).map(({ unique_id: id }) => id)
  const ids = idsOf()
  const config = kernel.printers.config(name)
  if (config === undefined) return t.fail('it is configured')
  await kernel.printers.remove(name)
  await kernel.printers.add({ ...config, accessCode: config.accessCode, name: 'attic' })
  await eventually(() => ha.json(discovery).device?.name === 'attic', 20_000)
  t.same(idsOf(), ids)
  t.notOk(ha.on(discovery).some(({ text }) => text === ''), 'and the device was never gone')

  await kernel.printers.remove('attic')
  const topics = [discovery, `${own}/state`, `${own}/availability`]
  await eventually(() => topics.every(topic => ha.last(topic) === ''))
  const later = await listen(t, mosquitto.url)
  await eventually(() => later.last('prnd/status') === 'online')
  t.same(later.heard.map(({ topic }) => topic), ['prnd/status'], 'nothing of it is left')
})

t.test('Home Assistant is told anew when it begins', { skip }, async t => {
  const { ha, own, discovery } = await start(t)
  await eventually(() => ha.last(discovery) !== '' && ha.last(`${own}/state`) !== '')
  const count = ha.on(discovery).length
  await ha.say('homeassistant/status', 'offline')
  await ha.say('homeassistant/status', 'online')
  await eventually(() => ha.on(discovery).length > count)
  t.equal(ha.on(discovery).at(-1)?.text, ha.on(discovery)[count - 1]?.text, 'the same again')
})

t.test('a picture comes with an alert, if wanted', { skip }, async t => {
  const { ha, booted: { printer }, own, discovery } = await start(t, { homeassistant: { imageOnAlert: true } })
  await eventually(() => ha.last(discovery) !== '')
  t.match(ha.json(discovery).components.image, { platform: 'image', image_topic: `${own}/image` })
  t.equal(ha.on(`${own}/image`).length, 0)
  printer.startJob({ name: 'benchy', layers: 100, minutes: 60 })
  await eventually(() => ha.json(`${own}/state`).print_status === 'running', 20_000)
  await ha.say(`${own}/pause/set`, 'PRESS')
  await eventually(() => ha.on(`${own}/image`).length > 0, 30_000)
  t.same(ha.on(`${own}/image`)[0]?.bytes.subarray(0, 2), Buffer.from([0xFF, 0xD8]), 'a JPEG')
})

t.test('what may only be looked at takes no commands', { skip }, async t => {
  const { ha, discovery } = await start(t, { homeassistant: { readOnly: true } })
  await eventually(() => ha.last(discovery) !== '')
  const platforms = Object.values<{ platform: string }>(ha.json(discovery).components).map(({ platform }) => platform)
  t.same([...new Set(platforms)].sort(), ['binary_sensor', 'event', 'sensor', 'update'])
})
