import t from 'tap'
import { envelope, isReply, readReply, wantsSignature } from '../../../../core/printer/mqtt/command.js'

const reply = (body: Record<string, unknown>, section = 'print') => readReply(section, { command: 'x', ...body })

t.test('a request on the wire', async t => {
  t.strictSame(envelope({ section: 'print', command: 'pause', param: '' }, '20007'),
    { print: { command: 'pause', param: '', sequence_id: '20007' } })
  t.strictSame(envelope({ section: 'update', name: 'Bench' }, '20008'), { update: { name: 'Bench', sequence_id: '20008' } })
})

t.test('accepted, in any spelling', async t => {
  for (const result of ['success', 'SUCCESS', 0]) t.equal(reply({ result }).accepted, true, String(result))
  t.equal(reply({ result: 'success', err_code: 0, errno: 0 }).accepted, true)
})

t.test('refused, in any spelling', async t => {
  for (const result of ['fail', 'FAIL', 'failed', 'Failure', 1, -1]) t.equal(reply({ result }).accepted, false, String(result))
  t.equal(reply({ result: 'success', err_code: 83935311 }).accepted, false, 'an error number says more than a word')
  t.equal(reply({ errno: -2, soft_temp: 45 }).accepted, false, 'a reason number alone')
  t.equal(reply({ result: 'fail', errno: -9, err_code: 83935311 }).accepted, false)
})

t.test('what a refusal carries', async t => {
  t.hasStrict(reply({ result: 'failed', reason: 'mqtt message verify failed', err_code: 84033543 }),
    { section: 'print', command: 'x', reason: 'mqtt message verify failed', errorNumber: 84033543, errno: 0 })
  t.hasStrict(reply({ result: 'fail', err_code: -2147483648, errno: '-4' }), { errorNumber: 0x80000000, errno: -4 })
  t.equal(reply({ result: 'success', reason: 'SUCCESS' }).reason, '', 'success is no reason')
})

t.test('a chamber target that is too low counts as "off", not as refused', async t => {
  t.equal(readReply('print', { command: 'set_ctt', ctt_val: 30, result: 'fail', errno: -4 }).accepted, true)
  t.equal(readReply('print', { command: 'set_ctt', ctt_val: 50, result: 'fail', errno: -2 }).accepted, false)
  t.equal(readReply('print', { command: 'ams_change_filament', errno: -4 }).accepted, false, 'elsewhere -4 is a refusal')
})

t.test('what is an answer at all', async t => {
  t.ok(isReply('print', { command: 'pause', result: 'success' }))
  t.ok(isReply('camera', { command: 'ipcam_get_media_info', result: 0 }))
  t.ok(isReply('update', { name: 'x', result: 'success' }))
  t.ok(isReply('print', { command: 'ams_change_filament', errno: -2 }))
  t.notOk(isReply('print', { command: 'push_status', result: 'success' }))
  t.notOk(isReply('pushing', { command: 'pushall', result: 'success' }))
  t.notOk(isReply('print', { command: 'project_prepare', job_id: '1' }))
  t.notOk(isReply('print', { command: 'ams_filament_setting', tray_id: 1 }), 'an echo without a result')
  t.notOk(isReply('print', { command: 'ams_filament_setting', err_code: 0 }), 'nor one that only says "no error"')
})

t.test('refusals for want of a signature', async t => {
  for (const errorNumber of [0x05024007, 84033543, 84033544, 84033545, 84033548]) t.ok(wantsSignature({ errorNumber, reason: '' }))
  for (const errorNumber of [0, 0x05024006, 84033549, 83935311]) t.notOk(wantsSignature({ errorNumber, reason: '' }))
  t.ok(wantsSignature({ errorNumber: 0, reason: 'MQTT message verify failed' }))
})
