import t from 'tap'
import { CallLoad } from '../../../../plugins/fleet/node/call-load.js'

const MOST_AT_ONCE = 256

t.test('running calls of one hub leave room for those of another', t => {
  const load = new CallLoad()
  for (let count = 0; count < MOST_AT_ONCE; count++) {
    t.notOk(load.isFull('a', true))
    load.begin('a', true)
  }
  t.strictSame([load.isFull('a', true), load.isFull('b', true)], [true, false])
  load.end('a')
  t.notOk(load.isFull('a', true))
  t.end()
})

t.test('a hub whose remembered writes fill the memory may still read, until they are forgotten', t => {
  const load = new CallLoad()
  for (let count = 0; !load.isFull('a', false); count++) {
    if (count > 100_000) return t.fail('it is never full')
    load.begin('a', false)
    load.end('a')
  }
  t.notOk(load.isFull('a', true))
  load.forget('a')
  t.notOk(load.isFull('a', false))
  t.end()
})
