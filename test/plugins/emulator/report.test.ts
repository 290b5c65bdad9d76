import t from 'tap'
import { bench, listen, type Doc } from './listener.js'

t.test('an X1 sends full reports with a counting id, printed with four spaces', async t => {
  const { heard, reports, live } = await bench(t, { model: 'X1C' })
  await live(8)
  const full = reports().filter(report => report.ams !== undefined)
  t.ok(full.length >= 4, 'one soon after the subscription, then about one in two seconds')
  t.ok(reports().every(({ msg }) => msg === 0))
  const ids = reports().map(report => Number(report.sequence_id))
  t.same(ids, ids.map((_, at) => (ids[0] ?? 0) + at))
  t.match(heard[0]?.text, /^\{\n {4}"print": \{\n {8}"command"/)
  t.match(full[0], { fun: /^[0-9A-F]+$/, cfg: /^[0-9A-F]+$/, device: { type: 1 }, vt_tray: { id: '255' } })
})

t.test('an X1 slips in a heartbeat of a few keys', async t => {
  const { reports, live } = await bench(t, { model: 'X1C' })
  await live(40)
  const beats = reports().filter(report => report.ams === undefined)
  t.ok(beats.length >= 1)
  t.ok(beats.every(beat => beat.msg === 0 && beat.wifi_signal !== undefined && beat.device === undefined))
})

t.test('an H2D keeps one id and sends a partial report now and then', async t => {
  const { reports, live } = await bench(t, { model: 'H2D' })
  await live(30)
  t.ok(reports().every(({ sequence_id: id }) => id === '2021'))
  const partial = reports().filter(({ msg }) => msg === 1)
  t.ok(partial.length >= 2)
  t.same(partial[0]?.device.extruder.info.map(({ id }: Doc) => id), [0, 1])
  t.same(Object.keys(partial[0]?.ams.ams[0]), ['id', 'humidity', 'temp', 'tray'])
  t.ok(reports().length - partial.length > partial.length, 'most are full')
})

for (const model of ['P1S', 'A1_MINI'] as const) {
  t.test(`a ${model} sends differences only, until it is asked for everything`, async t => {
    const { heard, reports, status, live } = await bench(t, { model })
    await live(1)
    const [first] = reports()
    t.equal(first?.msg, 1)
    t.notOk('ams' in (first ?? {}), 'the first message is a small one')
    const full = await status()
    t.equal(full.msg, 0)
    t.equal(full.chamber_temper, 5, 'no chamber sensor')
    t.notOk('fun' in full || 'device' in full || 'stat' in full)
    t.notMatch(heard.at(-2)?.text, /\n/, 'on one line')
    const before = reports().length
    await live(30)
    const changes = reports().slice(before)
    t.ok(changes.length >= 2 && changes.length <= 7, 'Wi-Fi and temperatures every few seconds')
    t.ok(changes.every(report => report.msg === 1 && Object.keys(report).length < 8))
  })
}

t.test('pushall is answered without the clock moving', async t => {
  const { status, printer } = await bench(t, { model: 'P1S' })
  t.equal((await status()).gcode_state, 'IDLE')
  t.hasStrict(printer.requests.at(-2), { section: 'pushing', command: 'pushall', topic: `device/${printer.serial}/request` })
})

t.test('a new tray_now comes without the list of units, a new spool with its unit only', async t => {
  const { printer, reports, status, settle, ask, clock } = await bench(t, { model: 'P1S', ams: ['AMS', 'AMS'] })
  await status()
  printer.patch({ ams: { tray_now: '3' } })
  await settle()
  t.same(reports().at(-1)?.ams, { tray_now: '3' })
  await ask('print', 'ams_filament_setting', { ams_id: 1, slot_id: 2, tray_id: 2, tray_type: 'TPU', tray_color: '112233FF' })
  clock.advance(200)
  await settle()
  const { ams } = reports().at(-1) ?? {}
  t.same(ams.ams.map(({ id }: Doc) => id), ['1'])
  t.equal(ams.ams[0].tray[2].tray_type, 'TPU')
})

t.test('a unit of which only the air changed comes with its slots', async t => {
  const { printer, reports, status, settle } = await bench(t, { model: 'P1S' })
  await status()
  printer.patch({ ams: { ams: [{ id: '0', humidity_raw: '55' }] } })
  await settle()
  const [unit] = reports().at(-1)?.ams.ams ?? []
  t.hasStrict(unit, { id: '0', humidity_raw: '55', humidity: '2' })
  t.same(unit.tray.map(({ id }: Doc) => id), ['0', '1', '2', '3'])
})

t.test('no report of any family names a unit without its slots', async t => {
  for (const model of ['P1S', 'A1_MINI', 'X1C', 'H2D'] as const) {
    const { printer, reports, status, live } = await bench(t, { model })
    await status()
    printer.startJob({ minutes: 1, layers: 5 })
    await live(60)
    const units = reports().flatMap(({ ams }) => ams?.ams ?? [])
    t.ok(units.length > 0, model)
    t.ok(units.every(({ tray }: Doc) => Array.isArray(tray)), `${model}: slots`)
  }
})

t.test('what older programs read of external spools, of all models', async t => {
  for (const model of ['A1', 'X1C', 'H2D', 'P2S'] as const) {
    const { status } = await bench(t, { model })
    const { vt_tray: only, vir_slot: list = [] } = await status()
    const spools = [only, ...list].filter(spool => spool !== undefined)
    t.ok(spools.length > 0)
    for (const spool of spools) t.match(spool, { k: 0.02, n: 1, tray_temp: String, tray_time: String }, model)
  }
})

t.test('the kind of nozzle is a word before the firmware that gives codes', async t => {
  for (const [firmware, wanted] of [['01.01.03.00', 'hardened_steel'], ['01.03.00.00', 'HH01']] as const) {
    const { status } = await bench(t, { model: 'H2D', firmware })
    t.hasStrict(await status(), { nozzle_type: wanted, device: { nozzle: { info: [{ type: 'HH01' }, { type: 'HH05' }] } } })
  }
})

t.test('a request nested thousands of levels deep is no request, and the printer goes on', async t => {
  const { printer, status, send } = await bench(t, { model: 'X1C' })
  const depth = 20_000
  await send(`{"print":{"command":"pause","x":${'['.repeat(depth)}${']'.repeat(depth)}}}`)
  await send(`${'{"print":'.repeat(depth)}1${'}'.repeat(depth)}`)
  t.equal((await status()).gcode_state, 'IDLE')
  t.notOk(printer.requests.some(({ command }) => command === 'pause'))
})

t.test('brackets in texts are no depth', async t => {
  const { ask } = await bench(t, { model: 'X1C' })
  const param = `; ${'[{'.repeat(100)} "\\ [\n`
  t.hasStrict(await ask('print', 'gcode_line', { param }), { result: 'SUCCESS', param })
})

t.test('stop ends the periodic reports, start and a new listener bring them back', async t => {
  const { printer, send, reports, settle, live } = await bench(t, { model: 'X1C' })
  await send({ pushing: { command: 'stop', sequence_id: '1' } })
  await settle()
  const before = reports().length
  await live(20)
  t.equal(reports().length, before)
  await send({ pushing: { command: 'start', sequence_id: '2' } })
  await live(5)
  t.ok(reports().length > before)
  await send({ pushing: { command: 'stop', sequence_id: '3' } })
  await listen(t, printer)
  const again = reports().length
  await live(5)
  t.ok(reports().length > again)
})

t.test('indentation can be chosen', async t => {
  const { heard, status } = await bench(t, { model: 'H2D', indent: false })
  await status()
  t.ok(heard.every(({ text }) => !text.includes('\n')))
})

t.test('numbers stand as text and bits as hex where a printer has them so', async t => {
  const { status } = await bench(t, { model: 'H2D' })
  const report = await status()
  t.match(report, {
    gcode_file_prepare_percent: '0',
    mc_print_stage: '1',
    cooling_fan_speed: '0',
    nozzle_diameter: '0.4',
    wifi_signal: /^-\d\ddBm$/,
    home_flag: -1066969712,
    fun: '4027FF18FFF9CB3',
    stat: '640258000',
    net: { info: [{ ip: 0x0100007F }] }
  })
  t.hasStrict(report.ams, { tray_now: '255', ams_exist_bits: '11', tray_exist_bits: '10007' })
  t.hasStrict(report.ams.ams[0], { id: '0', humidity: '4', temp: '26.0', info: '10002003', dry_time: 0, dry_sf_reason: [] })
  t.hasStrict(report.ams.ams[1], { id: '128', info: '10002104', tray: [{ id: '0', tray_type: 'PA-CF' }] })
  t.same(report.vir_slot.map(({ id }: Doc) => id), ['254', '255'])
  t.same(report.device.extruder.info.map(({ snow }: Doc) => snow), [65535, 65279])
  t.equal(report.device.extruder.state, 2)
})
