import t from 'tap'
import { createLastSent } from '../../../../plugins/live/last-sent.js'

const isSame = (a: unknown, b: unknown) => a === b

t.test('the same is not lastSent twice', async t => {
  const lastSent = createLastSent(isSame)
  t.ok(lastSent.isNews('a', 1))
  t.notOk(lastSent.isNews('a', 1))
  t.ok(lastSent.isNews('b', 1), 'of each printer by itself')
  t.ok(lastSent.isNews('a', 2))
  lastSent.forget('a')
  t.ok(lastSent.isNews('a', 2))
  t.ok(lastSent.isNews('c', undefined))
  t.notOk(lastSent.isNews('c', undefined), 'nothing is a value like any other')
})

t.test('who comes later and is lastSent something newer does not keep it from the others', async t => {
  const lastSent = createLastSent(isSame)
  lastSent.joined('a', 1)
  t.notOk(lastSent.isNews('a', 1), 'the only one knows it')
  lastSent.joined('a', 2)
  lastSent.joined('a', 2)
  t.ok(lastSent.isNews('a', 2), 'the first one does not')
  lastSent.joined('a', 2)
  t.notOk(lastSent.isNews('a', 2), 'now all do')
})
