import t from 'tap'
import { mergeDeep, prune, same } from '../../../plugins/emulator/json-merge.js'
import { bench } from './listener.js'

t.test('a patch is published at once, whole on an X1, as a difference on a P1', async t => {
  const x1 = await bench(t, { model: 'X1C' })
  x1.printer.patch({ upgrade_state: { status: 'DOWNLOADING' } })
  await x1.settle()
  t.hasStrict(x1.reports().at(-1), { msg: 0, upgrade_state: { status: 'DOWNLOADING', message: '' }, gcode_state: 'IDLE' })
  const p1 = await bench(t, { model: 'P1S' })
  await p1.status()
  p1.printer.patch({ upgrade_state: { status: 'DOWNLOADING' } })
  await p1.settle()
  const { command, msg, sequence_id: id, ...changes } = p1.reports().at(-1) ?? {}
  t.same(Object.keys(changes), ['upgrade_state'])
})

t.test('an error that was patched in can be cleared on the wire', async t => {
  const { printer, ask, status } = await bench(t, { model: 'X1C' })
  printer.patch({ print_error: 0x03008003, hms: [{ attr: 1, code: 2 }] })
  t.hasStrict(await status(), { print_error: 0x03008003, hms: [{ attr: 1, code: 2 }] })
  await ask('print', 'clean_print_error', { print_error: 0, subtask_id: '' })
  t.hasStrict(await status(), { print_error: 0, hms: [{ attr: 1, code: 2 }] })
})

t.test('the door opens on both kinds of word and stays open', async t => {
  const x1 = await bench(t, { model: 'X1C' })
  const closed = Number(x1.printer.report().home_flag)
  x1.printer.patch({ home_flag: closed | (1 << 23) })
  await x1.live(10)
  t.equal((await x1.status()).home_flag, closed | (1 << 23))
  const h2 = await bench(t, { model: 'H2D' })
  const stat = BigInt(`0x${String(h2.printer.report().stat)}`) | (1n << 23n)
  h2.printer.patch({ stat: stat.toString(16) })
  await h2.live(10)
  t.equal((await h2.status()).stat, stat.toString(16).toUpperCase())
})

t.test('a patched temperature lives on from there', async t => {
  const { printer, status, live } = await bench(t, { model: 'P1S' })
  printer.patch({ nozzle_temper: 200 })
  t.equal((await status()).nozzle_temper, 200)
  await live(30)
  const { nozzle_temper: now } = await status()
  t.ok(now < 180 && now > 100)
})

t.test('a spool can be taken out and put in', async t => {
  const { printer, status } = await bench(t, { model: 'X1C' })
  printer.patch({ ams: { ams: [{ id: '0', tray: [{ id: '0' }] }] } })
  const out = await status()
  t.same(out.ams.ams[0].tray[0], { id: '0' })
  t.equal(out.ams.tray_exist_bits, 'f6', 'bit 0 is gone')
  printer.patch({ ams: { ams: [{ id: '0', tray: [{ id: '0', tray_type: 'PETG', tray_color: '000000FF' }] }] } })
  const back = await status()
  t.equal(back.ams.ams[0].tray[0].tray_type, 'PETG')
  t.equal(back.ams.tray_exist_bits, 'f7')
})

t.test('other values hold until the printer changes them itself', async t => {
  const { printer, status, live } = await bench(t, { model: 'X1C' })
  printer.patch({ gcode_state: 'SLICING', device: { bed: { state: 2 } } })
  await live(20)
  t.hasStrict(await status(), { gcode_state: 'SLICING', device: { bed: { state: 2 }, type: 1 } })
  printer.startJob()
  t.equal((await status()).gcode_state, 'PREPARE')
})

t.test('report gives a copy without the envelope', async t => {
  const { printer } = await bench(t, { model: 'H2D' })
  const copy = printer.report() as { device: { bed: { state: number } }, msg?: number }
  copy.device.bed.state = 9
  t.equal((printer.report() as typeof copy).device.bed.state, 0)
  t.equal(copy.msg, undefined)
})

t.test('merging, comparing and pruning', async t => {
  const base = { a: 1, list: [{ id: '0', x: 1 }, { id: '1', x: 2 }], plain: [1, 2] }
  t.same(mergeDeep(base, { list: [{ id: 1, y: 3 }, { id: '2' }], plain: [3] }),
    { a: 1, list: [{ id: '0', x: 1 }, { id: 1, x: 2, y: 3 }, { id: '2' }], plain: [3] })
  t.same(base.list.length, 2, 'the base is left alone')
  t.ok(same({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }))
  t.notOk(same({ a: undefined }, { b: undefined }))
  t.notOk(same([1], { 0: 1, length: 1 }))
  const overlay = { a: 5, b: { c: 6, d: 7 } }
  t.same(prune(overlay, { a: 1, b: { c: 1, d: 1 } }, { a: 1, b: { c: 2, d: 1 } }), { a: 5, b: { d: 7 } })
})
