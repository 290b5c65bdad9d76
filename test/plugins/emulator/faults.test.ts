import t from 'tap'
import mqtt from 'mqtt'
import { GARBAGE_KINDS } from '../../../plugins/emulator/index.js'
import { bench, listen, login, type Listener } from './listener.js'

const closed = ({ client }: Listener): Promise<void> =>
  new Promise(resolve => client.once('close', () => resolve()))

t.test('drop ends every connection, new ones are welcome', async t => {
  const b = await bench(t, { model: 'X1C' })
  const other = await listen(t, b.printer)
  const both = Promise.all([closed(b), closed(other)])
  b.printer.faults.drop()
  await both
  t.equal((await (await listen(t, b.printer)).status()).gcode_state, 'IDLE')
})

t.test('refused connections: standing ones stay, the port comes back', async t => {
  const b = await bench(t, { model: 'X1C' })
  const lift = b.printer.faults.refuseConnections()
  await t.rejects(mqtt.connectAsync(login(b.printer)), { code: 'ECONNREFUSED' })
  t.equal((await b.status()).gcode_state, 'IDLE')
  lift()
  await b.printer.faults.clear()
  await listen(t, b.printer)
  b.printer.faults.refuseConnections(30_000)
  await t.rejects(mqtt.connectAsync(login(b.printer)), { code: 'ECONNREFUSED' })
  b.clock.advance(30_000)
  await b.printer.faults.clear()
  await listen(t, b.printer)
})

t.test('silence: the connection lives, nothing else does', async t => {
  const b = await bench(t, { model: 'X1C' })
  await b.settle()
  const lift = b.printer.faults.silence()
  const { length } = b.heard
  await b.send({ print: { command: 'gcode_line', param: 'M140 S60\n', sequence_id: '1' } })
  b.clock.advance(120_000)
  const pong = new Promise<void>(resolve => b.client.on('packetreceive', ({ cmd }) => { if (cmd === 'pingresp') resolve() }))
  b.client.sendPing()
  await pong
  t.equal(b.heard.length, length)
  t.equal(b.printer.requests.at(-1)?.command, 'gcode_line', 'it was received')
  lift()
  t.equal((await b.status()).bed_target_temper, 0, 'and came to nothing')
})

t.test('silence without pings is a dead line; lifting it ends the connections of that time', async t => {
  const b = await bench(t, { model: 'X1C' })
  await b.settle()
  const lift = b.printer.faults.silence({ pings: false })
  let answered = false
  b.client.on('packetreceive', () => { answered = true })
  b.client.sendPing()
  b.client.publish(`device/${b.printer.serial}/request`, '{"pushing":{"command":"pushall"}}')
  await t.rejects(mqtt.connectAsync(login(b.printer, { connectTimeout: 200 })))
  t.equal(answered, false)
  const gone = closed(b)
  lift()
  await gone
  t.equal((await (await listen(t, b.printer)).status()).gcode_state, 'IDLE')
})

t.test('the access code is wrong from one moment to the next', async t => {
  const b = await bench(t, { model: 'P1S' })
  const gone = closed(b)
  const lift = b.printer.faults.rejectAccessCode()
  await gone
  await t.rejects(mqtt.connectAsync(login(b.printer)), { code: 5 })
  lift()
  await listen(t, b.printer)
})

t.test('another certificate, and the first again', async t => {
  const b = await bench(t, { model: 'X1C' })
  const { fingerprint } = b.printer
  const gone = closed(b)
  const changed = await b.printer.faults.changeCertificate()
  await gone
  t.not(changed, fingerprint)
  t.equal(b.printer.fingerprint, changed)
  const shown = async (): Promise<string> => {
    const { client } = await listen(t, b.printer)
    return (client.stream as unknown as { getPeerCertificate (): { fingerprint256: string } })
      .getPeerCertificate().fingerprint256
  }
  t.equal(await shown(), changed)
  await b.printer.faults.clear()
  t.equal(await shown(), fingerprint)
})

t.test('a command is refused once, always, by section or all alike', async t => {
  const { printer, ask, status } = await bench(t, { model: 'X1C' })
  const reason = { result: 'FAIL', reason: 'because', err_code: 83935307, errno: -7 }
  printer.faults.refuse('gcode_line', { ...reason, times: 1 })
  t.hasStrict(await ask('print', 'gcode_line', { param: 'M140 S60\n' }), { ...reason, param: 'M140 S60\n' })
  t.equal((await status()).bed_target_temper, 0)
  t.hasStrict(await ask('print', 'gcode_line', { param: 'M140 S60\n' }), { result: 'SUCCESS' })
  const lift = printer.faults.refuse('system.ledctrl')
  const light = { led_node: 'chamber_light', led_mode: 'off' }
  for (let i = 0; i < 3; i++) t.hasStrict(await ask('system', 'ledctrl', light), { result: 'fail' })
  lift()
  t.hasStrict(await ask('system', 'ledctrl', light), { result: 'success' })
  printer.faults.refuse('*')
  t.hasStrict(await ask('print', 'pause'), { result: 'fail' })
  t.hasStrict(await ask('print', 'stop'), { result: 'fail' })
  await printer.faults.clear()
  t.hasStrict(await ask('print', 'pause'), { result: 'success' })
})

t.test('a refusal with an index can be overridden', async t => {
  const { printer, ask } = await bench(t, { model: 'X1C' })
  printer.faults.refuse('ams_control', { err_code: 83935307, err_index: 3 })
  t.hasStrict(await ask('print', 'ams_control', { param: 'resume' }), { result: 'fail', err_index: 3 })
  t.hasStrict(await ask('print', 'ams_control', { param: 'resume', err_code: 0, err_ignored: [3] }), { result: 'success' })
  t.hasStrict(await ask('print', 'ams_control', { param: 'resume', err_code: 0, err_ignored: [4] }), { result: 'fail' })
})

t.test('a command that is never answered is carried out, or not', async t => {
  const { printer, tell } = await bench(t, { model: 'X1C' })
  const lift = printer.faults.ignore('gcode_line')
  t.equal((await tell('print', 'gcode_line', { param: 'M140 S60\n' })).bed_target_temper, 60)
  lift()
  printer.faults.ignore('gcode_line', { acts: false })
  t.equal((await tell('print', 'gcode_line', { param: 'M140 S70\n' })).bed_target_temper, 60)
})

t.test('answers come late or twice', async t => {
  const { printer, clock, send, wait, heard, settle } = await bench(t, { model: 'X1C' })
  const isAnswer = (id: string) => ({ doc }: Listener['heard'][number]): boolean => doc.print?.sequence_id === id
  const lift = printer.faults.delayReplies(3000)
  await send({ print: { command: 'pause', sequence_id: '1' } })
  clock.advance(2900)
  const late = wait(doc => doc.print?.sequence_id === '1')
  t.notOk(heard.some(isAnswer('1')))
  clock.advance(200)
  await late
  lift()
  printer.faults.duplicateReplies(3)
  await send({ print: { command: 'pause', sequence_id: '2' } })
  await printer.faults.clear()
  await settle()
  t.equal(heard.filter(isAnswer('2')).length, 3)
})

t.test('a health message comes and goes', async t => {
  const { printer, reports, live, status } = await bench(t, { model: 'P1S' })
  await status()
  const entry = { attr: 0x03000100, code: 0x00010007 }
  const lift = printer.faults.flapHms(entry, 10_000)
  await live(45)
  const course = reports().flatMap(({ hms }) => hms === undefined ? [] : [hms.length])
  t.same(course, [0, 1, 0, 1, 0, 1])
  lift()
  t.same((await status()).hms, [])
})

t.test('garbage of every kind leaves the printer as it was', async t => {
  const { printer, heard, status, settle } = await bench(t, { model: 'P1S' })
  await settle()
  for (const kind of GARBAGE_KINDS) {
    const before = heard.length
    printer.faults.garbage(kind)
    await settle()
    t.equal(heard.length, before + 2, kind)
  }
  const texts = heard.map(({ text }) => text)
  t.ok(texts.includes('') && texts.includes('null') && texts.some(text => text.length > 300_000))
  t.equal((await status()).gcode_state, 'IDLE')
})
