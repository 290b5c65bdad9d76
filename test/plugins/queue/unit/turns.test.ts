import t from 'tap'
import { Turns } from '../../../../plugins/queue/turns.js'
import { eventually } from '../../../helpers/eventually.js'

t.test('a change during a turn leads to one more turn, and none begins after the end', async t => {
  const ends: (() => void)[] = []
  const turns = new Turns(() => new Promise(resolve => { ends.push(resolve) }), { turnMs: 1, idleMs: 3_600_000 })
  turns.wake()
  turns.wake()
  await eventually(() => ends.length === 1)
  turns.wake()
  turns.wake()
  await new Promise(setImmediate)
  t.equal(ends.length, 1, 'one at a time')
  ends[0]?.()
  await eventually(() => ends.length === 2)

  let isClosed = false
  turns.wake()
  const closing = turns.close().then(() => { isClosed = true })
  await new Promise(setImmediate)
  t.notOk(isClosed, 'it waits for the turn under way')
  ends[1]?.()
  await closing
  turns.wake()
  t.equal(ends.length, 2)
})
