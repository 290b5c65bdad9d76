import t from 'tap'
import { readReply, type Command } from '../../../../core/printer/mqtt/command.js'
import { createPendingCommands } from '../../../../core/printer/mqtt/pending-commands.js'

const PAUSE: Command = { section: 'print', command: 'pause', param: '' }
const HOME: Command = { section: 'print', command: 'gcode_line', param: 'G28\n' }
const first = () => 0

t.test('ids count from 20000 to 29999 and around, as decimal text', async t => {
  const pending = createPendingCommands(first)
  t.equal(pending.add(PAUSE, 0).sequenceId, '20000')
  t.equal(pending.add(PAUSE, 0).sequenceId, '20001')
  const last = createPendingCommands(() => 0.99999)
  t.equal(last.add(PAUSE, 0).sequenceId, '29999')
  t.equal(last.add(PAUSE, 0).sequenceId, '20000')
})

t.test('no two commands that may still be answered share an id, whatever is sent', async t => {
  const pending = createPendingCommands(first)
  const times = new Map<string, number>()
  for (let at = 0; at < 25_000; at++) times.set(pending.add(PAUSE, 0).sequenceId, at)
  const newest = [...times].sort((a, b) => b[1] - a[1]).slice(0, 1000)
  t.equal(newest.at(-1)?.[1], 24_000, 'the newest 1000 are all different')
  const claimed = newest.filter(([id]) => pending.match('print', { command: 'pause', sequence_id: id }, 0))
  t.equal(claimed.length, 1000, 'and each finds its own command')
  t.equal(pending.match('print', { command: 'pause' }, 0), undefined, 'and no older one is kept')
})

t.test('an answer belongs to the command of its section, name and id', async t => {
  const pending = createPendingCommands(first)
  const sent = pending.add(PAUSE, 0)
  pending.add(PAUSE, 0)
  t.equal(pending.match('system', { command: 'pause', sequence_id: '20000' }, 0), undefined, 'another section')
  t.equal(pending.match('print', { command: 'resume', sequence_id: '20000' }, 0), undefined, 'another name')
  t.equal(pending.match('print', { command: 'pause', sequence_id: '21000' }, 0), undefined, 'another client')
  t.equal(pending.match('print', { command: 'pause', sequence_id: '20000' }, 0), sent)
})

t.test('an answer counts once', async t => {
  const pending = createPendingCommands(first)
  pending.add(PAUSE, 0)
  t.ok(pending.match('print', { command: 'pause', sequence_id: '20000' }, 0))
  t.equal(pending.match('print', { command: 'pause', sequence_id: '20000' }, 0), undefined)
})

t.test('ids as numbers, and under their old name', async t => {
  const pending = createPendingCommands(first)
  const sent = [pending.add(PAUSE, 0), pending.add(PAUSE, 0), pending.add(PAUSE, 0)]
  t.equal(pending.match('print', { command: 'pause', sequence_id: 20001 }, 0), sent[1])
  t.equal(pending.match('print', { command: 'pause', sequenceId: '20002' }, 0), sent[2])
})

t.test('without an id the first command of that name is meant', async t => {
  const pending = createPendingCommands(first)
  pending.add(HOME, 0)
  const sent = [pending.add(PAUSE, 0), pending.add(PAUSE, 0)]
  t.equal(pending.match('print', { command: 'pause' }, 0), sent[0])
  t.equal(pending.match('print', { command: 'pause', sequence_id: '' }, 0), sent[1])
})

t.test('other parameters are another client', async t => {
  const pending = createPendingCommands(first)
  pending.add(HOME, 0)
  t.equal(pending.match('print', { command: 'gcode_line', sequence_id: '20000', param: 'M104 S0\n' }, 0), undefined)
  t.ok(pending.match('print', { command: 'gcode_line', sequence_id: '20000', param: 'G28\n' }, 0))
  pending.add({ section: 'print', command: 'ams_get_rfid', ams_id: 0, slot_id: 1 }, 0)
  t.equal(pending.match('print', { command: 'ams_get_rfid', ams_id: 1 }, 0), undefined)
  t.ok(pending.match('print', { command: 'ams_get_rfid', ams_id: '0' }, 0), 'a number as text is the same')
})

t.test('the request without a name', async t => {
  const pending = createPendingCommands(first)
  const sent = pending.add({ section: 'update', name: 'Bench' }, 0)
  t.equal(pending.match('update', { name: 'Bench', result: 'success' }, 0), sent)
})

t.test('after two minutes an answer is somebody else\'s', async t => {
  const pending = createPendingCommands(first)
  pending.add(PAUSE, 1_000)
  t.ok(pending.match('print', { command: 'pause', sequence_id: '20000' }, 120_999), 'late, but ours')
  pending.add(PAUSE, 1_000)
  t.equal(pending.match('print', { command: 'pause', sequence_id: '20001' }, 121_000), undefined)
})

const answer = (body = {}) => readReply('print', { command: 'pause', result: 'success', ...body })

t.test('waiting: the answer, nothing in time, the end', async t => {
  const pending = createPendingCommands(first)
  const { signal } = new AbortController()
  const sent = pending.add(PAUSE, 0)
  const waiting = pending.reply(sent, 5_000, signal)
  const reply = answer()
  pending.settle(sent, reply)
  t.equal(await waiting, reply)
  t.equal(await pending.reply(pending.add(PAUSE, 0), 5, signal), undefined, 'none came')
  const ended = new AbortController()
  const aborted = pending.reply(pending.add(PAUSE, 0), 60_000, ended.signal)
  ended.abort()
  t.equal(await aborted, undefined)
})

t.test('settling what nobody waits for does nothing', async t => {
  const pending = createPendingCommands(first)
  pending.settle(pending.add(PAUSE, 0), answer())
  t.pass('no error')
})

t.test('a lost connection ends every wait, and its answers are not ours any more', async t => {
  const pending = createPendingCommands(first)
  const { signal } = new AbortController()
  const timeouts = [pending.add(PAUSE, 0), pending.add(HOME, 0)].map(sent => pending.reply(sent, 60_000, signal))
  pending.clear()
  t.strictSame(await Promise.all(timeouts), [undefined, undefined])
  t.equal(pending.match('print', { command: 'pause', sequence_id: '20000' }, 0), undefined)
  t.equal(pending.add(PAUSE, 0).sequenceId, '20002', 'numbers go on')
})
