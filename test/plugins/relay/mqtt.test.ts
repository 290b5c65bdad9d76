import t from 'tap'
import { connectAsync } from 'mqtt'
import { eventually } from '../../helpers/eventually.js'
import { OUTSIDE } from '../toolpath/faulty-plates.js'
import { connectClient, FULL, READ, REAL, relay } from './relay.js'

t.test('two clients at once, each with its own code', async t => {
  const service = await relay(t)
  const { printer, kernel, name } = service
  const done: [string, string | undefined][] = []
  kernel.events.on('operation:done', ({ operation, surface }) => { done.push([operation, surface]) })
  const slicer = await connectClient(t, service)
  const viewer = await connectClient(t, service, READ)

  await t.test('a newcomer gets the whole state, and then the bytes of the printer', async t => {
    const whole = await viewer.answer('print', ({ msg, ams }) => msg === 0 && ams !== undefined)
    t.equal(whole.gcode_state, 'IDLE')
    t.match(viewer.heard[0]?.toString(), /^\{\n {4}"print"/, 'printed as this family prints')
    const odd = '{ "print" :{"command":"push_status","msg":1,  "wifi_signal":"-33dBm"}}\n'
    printer.publish(odd)
    await eventually(() => [viewer, slicer].every(({ heard }) => heard.some(bytes => bytes.toString() === odd)))
  })

  await t.test('what is known is answered from here, with the number of whoever asked', async t => {
    await eventually(() => kernel.printers.get(name)?.context.modules.length !== 0)
    const before = printer.requests.length
    await viewer.ask({ pushing: { command: 'pushall', sequence_id: '777' } })
    await viewer.ask({ info: { command: 'get_version', sequence_id: '778' } })
    t.match(await viewer.answer('print', ({ sequence_id: id }) => id === '777'), { command: 'push_status', msg: 0 })
    t.type((await viewer.answer('info', ({ sequence_id: id }) => id === '778')).module, Array)
    t.equal(slicer.sections('print').filter(({ sequence_id: id }) => id === '777').length, 0, 'the other did not ask')
    t.equal(printer.requests.length, before, 'the printer was not asked')
  })

  await t.test('two write at once with the same number; each is answered with it', async t => {
    const other = await connectClient(t, service)
    const light = (mode: string) => ({ system: { command: 'ledctrl', led_node: 'chamber_light', led_mode: mode, sequence_id: '5' } })
    await Promise.all([slicer.ask(light('on')), other.ask(light('off'))])
    const mine = (mode: string) => (body: Record<string, any>) => body.sequence_id === '5' && body.led_mode === mode
    t.equal((await slicer.answer('system', mine('on'))).result, 'success')
    t.equal((await other.answer('system', mine('off'))).result, 'success')
    t.equal(slicer.sections('system').some(mine('off')), false, 'the reply to the other bears no number of this one')
    const sent = printer.requests.filter(({ command }) => command === 'ledctrl').map(({ body }) => body.sequence_id)
    t.equal(new Set(sent).size, 2, 'the printer was given two numbers')
    t.same(done.slice(0, 2), [['climate.setLight', 'relay (Slicer)'], ['climate.setLight', 'relay (Slicer)']])
  })

  await t.test('read-only is read-only, and some things are for nobody', async t => {
    const sent = printer.requests.length
    await viewer.ask({ print: { command: 'stop', sequence_id: '9' } })
    t.match(await viewer.answer('print', ({ sequence_id: id }) => id === '9'), { command: 'stop', result: 'failed', reason: /reading only/ })
    for (const [section, command] of [['system', 'get_access_code'], ['upgrade', 'start'], ['print', 'unheard_of']] as const) {
      await slicer.ask({ [section]: { command, sequence_id: command } })
      t.match(await slicer.answer(section, ({ sequence_id: id }) => id === command), { result: 'failed' })
    }
    t.equal(printer.requests.length, sent, 'none of it was sent')
  })

  await t.test('the guards of the operations hold', async t => {
    await slicer.ask({ print: { command: 'pause', sequence_id: '20' } })
    t.match(await slicer.answer('print', ({ sequence_id: id }) => id === '20'), { result: 'failed', reason: /has no job/ })
    for (const [at, param] of ['M104 S500\n', 'G28\nm140s200', 'M109 T1 R1000'].entries()) {
      await slicer.ask({ print: { command: 'gcode_line', param, sequence_id: `3${at}` } })
      t.match(await slicer.answer('print', ({ sequence_id: id }) => id === `3${at}`), { result: 'failed', reason: /more than/ }, param)
    }
    const before = printer.requests.length
    for (const [at, param] of ['M303 E0 S450', 'M104 S9 99', 'G28\nM303 E-1 S110 C8'].entries()) {
      await slicer.ask({ print: { command: 'gcode_line', param, sequence_id: `6${at}` } })
      t.match(await slicer.answer('print', ({ sequence_id: id }) => id === `6${at}`), { result: 'failed', reason: /not known what/ }, param)
    }
    t.equal(printer.requests.length, before, 'none of it was sent')
    printer.startJob({ name: 'cube', seconds: 600 } as never)
    await eventually(() => kernel.printers.get(name)?.state?.job.gcodeState === 'RUNNING')
    await slicer.ask({ print: { command: 'gcode_line', param: 'G28\n', sequence_id: '40' } })
    t.match(await slicer.answer('print', ({ sequence_id: id }) => id === '40'), { result: 'failed' })
    await slicer.ask({ print: { command: 'project_file', url: 'ftp:///a.3mf', param: 'Metadata/plate_1.gcode', sequence_id: '41' } })
    t.match(await slicer.answer('print', ({ sequence_id: id }) => id === '41'), { result: 'failed' })
    await slicer.ask({ print: { command: 'gcode_line', param: 'M104 S210\n', sequence_id: '42' } })
    t.match(await slicer.answer('print', ({ sequence_id: id }) => id === '42'), { result: /success/i })
    await slicer.ask({ print: { command: 'stop', sequence_id: '43' } })
    t.match(await slicer.answer('print', ({ sequence_id: id }) => id === '43'), { result: /success/i })
    await eventually(() => done.some(([operation, surface]) => operation === 'print.stop' && surface === 'relay (Slicer)'))
  })

  await t.test('the code of the printer stays here', async t => {
    printer.publish(JSON.stringify({ system: { command: 'get_access_code', access_code: REAL, sequence_id: '1' } }))
    await viewer.answer('system', ({ command }) => command === 'get_access_code')
    t.notMatch([...viewer.heard, ...slicer.heard].map(String).join(''), REAL)
    await t.rejects(connectAsync(`mqtts://127.0.0.1:${service.ports.mqtt}`,
      { username: 'bblp', password: REAL, rejectUnauthorized: false, reconnectPeriod: 0, protocolVersion: 4 }), { code: 5 })
    const { body } = await service.http('GET', '/api/relay')
    t.match(body, { printers: [{ printer: 'x1c', problem: '', clients: ['Slicer (mqtt)', 'Viewer (mqtt)'] }] })
    t.notMatch(JSON.stringify(body), new RegExp([REAL, FULL, READ].join('|')))
  })

  await t.test('a client takes no other one\'s place, leaves no will, and speaks for no printer', async t => {
    const will = { topic: `device/${service.serial}/request`, payload: Buffer.from('{"print":{"command":"stop"}}'), qos: 0 as const, retain: false }
    const guest = await connectClient(t, service, FULL, { clientId: slicer.client.options.clientId, will })
    await guest.client.publishAsync(`device/${service.serial}/report`, '{"print":{"gcode_state":"FORGED"}}', { qos: 1 })
    const sent = printer.requests.length
    guest.client.stream.destroy()
    await viewer.ask({ pushing: { command: 'pushall', sequence_id: 'after' } })
    await viewer.answer('print', ({ sequence_id: id }) => id === 'after')
    t.equal(slicer.client.connected, true)
    t.equal(printer.requests.length, sent)
    t.equal(viewer.heard.some(bytes => bytes.includes('FORGED')), false)
  })

  await t.test('nothing that comes in ends the service', async t => {
    const guest = await connectClient(t, service)
    const topic = `device/${service.serial}/request`
    const deep = '['.repeat(20_000)
    for (const bytes of ['', '\0', '{', 'null', '[]', '{"print":1}', '{"print":{"command":{}}}', `{"print":${deep}`, '{"__proto__":{"command":"stop"}}',
      '{"constructor":{"command":"prototype"}}', '{"print":{"command":"gcode_line","param":7}}', '{"print":{"command":"__proto__"}}']) {
      await guest.client.publishAsync(topic, bytes, { qos: 1 })
    }
    await guest.ask({ pushing: { command: 'pushall', sequence_id: 'alive' } })
    await guest.answer('print', ({ sequence_id: id }) => id === 'alive')
    guest.client.publish(topic, Buffer.alloc(300_000, 'x'))
    await eventually(() => !guest.client.connected)
    t.equal(slicer.client.connected, true)
  })

  await t.test('a printer that is gone is said to be gone', async t => {
    await printer.stop()
    await eventually(() => kernel.printers.get(name)?.service === 'DISCONNECTED')
    await slicer.ask({ system: { command: 'ledctrl', led_node: 'chamber_light', led_mode: 'on', sequence_id: '90' } })
    t.match(await slicer.answer('system', ({ sequence_id: id }) => id === '90'), { result: 'failed', reason: /not connected/i })
    await printer.start()
    const count = slicer.heard.length
    await eventually(() => slicer.heard.length > count + 2)
  })
})

t.test('a start passes with the spools that the slicer names, also where two colours are swapped', async t => {
  const model = { model: 'X1C', name: 'printer', accessCode: REAL, reportEveryMs: 100, sdCard: { samples: true } } as const
  const service = await relay(t, { models: [model] })
  const slicer = await connectClient(t, service)
  const start = {
    command: 'project_file',
    url: 'ftp:///desk-organiser.gcode.3mf',
    param: 'Metadata/plate_2.gcode',
    subtask_name: 'desk',
    use_ams: true,
    ams_mapping: [4, 1],
    sequence_id: '70'
  }
  await slicer.ask({ print: start })
  t.match(await slicer.answer('print', ({ sequence_id: id }) => id === '70'), { result: /success/i })
  t.match(service.printer.requests.find(({ command }) => command === 'project_file')?.body, { ams_mapping: [4, 1], use_ams: true })
})

t.test('a plate that must not be printed is refused with the line and what to do', async t => {
  const model = { model: 'X1C', name: 'printer', accessCode: REAL, reportEveryMs: 100, sdCard: { samples: true } } as const
  const service = await relay(t, { models: [model] })
  await service.printer.card.put('/cache/outside.gcode.3mf', OUTSIDE)
  const slicer = await connectClient(t, service)
  for (const [id, url] of ['ftp:///cache/outside.gcode.3mf', 'file:///sdcard/cache/outside.gcode.3mf'].entries()) {
    await slicer.ask({
      print: {
        command: 'project_file', url, param: 'Metadata/plate_1.gcode', use_ams: true, ams_mapping: [0], sequence_id: `8${id}`
      }
    })
    t.match(await slicer.answer('print', ({ sequence_id: answered }) => answered === `8${id}`),
      { result: 'failed', reason: /Line \d+, layer 2: .*300/ })
  }
  t.same(service.printer.requests.filter(({ command }) => command === 'project_file'), [])
})
