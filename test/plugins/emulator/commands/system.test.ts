import t from 'tap'
import { bench, type Bench, type Doc } from '../listener.js'

/** A rename has no command, so its answer is found by its id. */
async function rename (b: Bench, name: string, id: string): Promise<Doc> {
  const answer = b.wait(doc => doc.update?.sequence_id === id, 'answer to the rename')
  await b.send({ update: { name, sequence_id: id } })
  return (await answer).update
}

t.test('a rename is answered and shows', async t => {
  const b = await bench(t, { model: 'A1_MINI', name: 'first' })
  t.equal(b.printer.name, 'first')
  t.same(await rename(b, 'Küche 2', '1'), { name: 'Küche 2', sequence_id: '1', result: 'success', reason: 'success' })
  t.equal(b.printer.name, 'Küche 2')
  t.hasStrict(await rename(b, '  ', '2'), { result: 'fail' })
  t.equal(b.printer.name, 'Küche 2')
  t.hasStrict(b.printer.requests.find(({ section }) => section === 'update'), { command: '', body: { name: 'Küche 2' } })
})

t.test('the access code can be asked for', async t => {
  const { ask } = await bench(t, { model: 'X1C', accessCode: 'Zz9yY8xX' })
  t.hasStrict(await ask('system', 'get_access_code'), { access_code: 'Zz9yY8xX', result: 'success' })
})

t.test('firmware that wants signatures refuses print commands and says so', async t => {
  const { ask, status, printer } = await bench(t, { model: 'H2D', developerMode: false })
  t.equal((BigInt(`0x${(await status()).fun}`) >> 29n) & 1n, 1n)
  t.hasStrict(await ask('print', 'gcode_line', { param: 'M140 S60\n' }), {
    param: 'M140 S60\n',
    result: 'failed',
    reason: 'mqtt message verify failed',
    err_code: 84033543,
    is_from_mqtt: true
  })
  t.hasStrict(await ask('print', 'stop'), { result: 'failed' })
  const report = await status()
  t.equal(report.bed_target_temper, 0)
  t.same(report.hms, [{ attr: 0x05000500, code: 0x00010007 }])
  t.hasStrict(await ask('system', 'ledctrl', { led_node: 'chamber_light', led_mode: 'off' }), { result: 'success' })
  t.equal(printer.requests.filter(({ section }) => section === 'print').length, 2, 'they were received all the same')
})

t.test('printers that take unsigned commands show it', async t => {
  for (const model of ['X1C', 'P2S', 'H2S', 'X2D'] as const) {
    const { status } = await bench(t, { model })
    t.equal((BigInt(`0x${(await status()).fun}`) >> 29n) & 1n, 0n, model)
  }
})

t.test('a new P1 refuses a filament setting without a word of it', async t => {
  const { ask } = await bench(t, { model: 'P1S', developerMode: false, firmware: '01.10.00.00' })
  const answer = await ask('print', 'ams_filament_setting', { ams_id: 0, slot_id: 0, tray_type: 'PLA' })
  t.notOk('result' in answer)
  t.hasStrict(await ask('print', 'pause'), { result: 'failed' })
})

t.test('acknowledgements echo what was asked', async t => {
  const { ask } = await bench(t, { model: 'X1C' })
  const answer = await ask('print', 'pause', { param: '', user_id: 'x', extra: { deep: [1] } })
  t.hasStrict(answer, { command: 'pause', param: '', user_id: 'x', extra: { deep: [1] }, is_from_mqtt: true })
})
