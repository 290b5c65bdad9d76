import t from 'tap'
import { createVirtualPrinter, MODELS, parseModel } from '../../../plugins/emulator/index.js'
import { bench, type Doc } from './listener.js'

t.test('model names are read in any spelling', async t => {
  for (const text of ['a1mini', 'A1 mini', 'a1-mini', 'A1_MINI', 'a1 MINI']) t.equal(parseModel(text), 'A1_MINI')
  t.equal(parseModel('h2d'), 'H2D')
  t.equal(parseModel('H2D Pro'), 'H2D_PRO')
  for (const model of MODELS) t.equal(parseModel(model.toLowerCase()), model)
})

t.test('an unknown model is refused with the names there are', async t => {
  t.throws(() => parseModel('ender3'), { name: 'RangeError', message: /'ender3'.*a1-mini.*x1c.*h2d/ })
  t.throws(() => parseModel(''), RangeError)
})

t.test('serials start with the model, are 15 long and depend on the name alone', async t => {
  for (const model of MODELS) {
    const [one, same, other] = [undefined, undefined, 'other']
      .map(name => createVirtualPrinter({ model, ...(name === undefined ? {} : { name }) }))
    t.match(one?.serial, /^[0-9A-Z]{15}$/)
    t.equal(one?.serial, same?.serial)
    t.not(one?.serial, other?.serial)
  }
  t.match(createVirtualPrinter({ model: 'X1C' }).serial, /^00M/)
  t.match(createVirtualPrinter({ model: 'H2D' }).serial, /^094/)
})

t.test('options that no printer could have are refused', async t => {
  t.throws(() => createVirtualPrinter({ model: 'NOPE' as 'X1C' }), RangeError)
  t.throws(() => createVirtualPrinter({ model: 'X1C', ams: ['AMS', 'AMS', 'AMS', 'AMS', 'AMS'] }), RangeError)
  t.throws(() => createVirtualPrinter({ model: 'X1C', ams: ['BOX' as 'AMS'] }), /AMS_HT/)
  t.throws(() => createVirtualPrinter({ model: 'X1C', speed: 0 }), RangeError)
  t.throws(() => createVirtualPrinter({ model: 'X1C', reportEveryMs: 0 }), RangeError)
})

const names = (modules: Doc[]): string[] => modules.map(({ name }) => name)

t.test('the small printers answer get_version in the older form', async t => {
  const { ask, printer } = await bench(t, { model: 'A1_MINI', firmware: '01.07.00.00' })
  const answer = await ask('info', 'get_version')
  t.hasStrict(answer, { result: 'success', reason: '' })
  t.same(names(answer.module), ['ota', 'esp32', 'mc', 'th', 'ams_f1/0'])
  t.hasStrict(answer.module[0], { project_name: 'N1', sw_ver: '01.07.00.00', sn: printer.serial })
  t.notOk('product_name' in answer.module[0])
  t.match(answer.module[4], { hw_ver: 'AMS_F102', sn: /^03C/, product_name: '' })
  const p1 = await bench(t, { model: 'P1S' })
  const { module } = await p1.ask('info', 'get_version')
  t.same(names(module), ['ota', 'esp32', 'mc', 'th', 'ams/0'])
  t.match(module[4], { hw_ver: 'AMS08', sn: /^006/ })
})

t.test('the newer printers answer get_version in the newer form', async t => {
  const { ask, printer } = await bench(t, { model: 'H2D' })
  const answer = await ask('info', 'get_version')
  t.notOk('result' in answer || 'reason' in answer)
  t.same(names(answer.module).sort(),
    ['ahb', 'ap', 'ext', 'mc', 'mc-sub', 'n3f/0', 'n3s/128', 'ota', 'smc', 'th'])
  t.hasStrict(answer.module[0], { name: 'ota', product_name: 'Bambu Lab H2D', sn: printer.serial, visible: true })
  t.match(answer.module.find(({ name }: Doc) => name === 'n3s/128'), { product_name: 'AMS HT (1)', hw_ver: 'N3S05', sn: /^19F/ })
  const x1 = await bench(t, { model: 'X1C' })
  const { module } = await x1.ask('info', 'get_version')
  t.same(module.filter(({ name }: Doc) => name.startsWith('ams/')).map((one: Doc) => one.product_name), ['AMS (1)', 'AMS (2)'])
})

t.test('the AMS kinds asked for are there, whatever the model', async t => {
  const { status } = await bench(t, { model: 'X1C', ams: ['AMS', 'AMS_2_PRO', 'AMS_HT', 'AMS_HT'] })
  const { ams } = await status()
  t.same(ams.ams.map(({ id, info }: Doc) => [id, info]), [['0', '1001'], ['1', '2003'], ['128', '2004'], ['129', '2004']])
  t.equal(ams.ams_exist_bits, '33')
  t.equal(ams.tray_exist_bits, '300f7')
  const none = await bench(t, { model: 'P1S', ams: [] })
  t.hasStrict((await none.status()).ams, { ams: [], ams_exist_bits: '0', tray_now: '255' })
})

t.test('older firmware lacks what came later', async t => {
  const { status, tell } = await bench(t, { model: 'P1S', firmware: '01.06.00.00' })
  const [unit] = (await status()).ams.ams
  t.notOk('info' in unit || 'humidity_raw' in unit || 'dry_time' in unit)
  await tell('print', 'ams_get_rfid', { ams_id: 0, slot_id: 0 })
})

t.test('every model starts, reports what its family does and takes a job', async t => {
  for (const model of MODELS) {
    const { printer, status, live } = await bench(t, { model })
    const report = await status()
    t.equal(report.device !== undefined, report.fun !== undefined, model)
    t.equal(report.device?.extruder.info.length ?? 1, ['H2D', 'H2D_PRO', 'X2D'].includes(model) ? 2 : 1)
    printer.startJob({ minutes: 1, layers: 5 })
    await live(260)
    t.equal((await status()).gcode_state, 'FINISH', model)
  }
})

t.test('an X1E is told from an X1C, by its name and by its board', async t => {
  const { ask } = await bench(t, { model: 'X1E' })
  const { module } = await ask('info', 'get_version')
  t.hasStrict(module[0], { name: 'ota', product_name: 'Bambu Lab X1E' })
  t.hasStrict(module.find(({ name }: Doc) => name === 'ap'), { hw_ver: 'AP02' })
})
