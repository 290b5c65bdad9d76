import t from 'tap'
import { createTold } from '../../../plugins/live/told.js'

const isSame = (a: unknown, b: unknown) => a === b

t.test('the same is not told twice', async t => {
  const told = createTold(isSame)
  t.ok(told.isNews('a', 1))
  t.notOk(told.isNews('a', 1))
  t.ok(told.isNews('b', 1), 'of each printer by itself')
  t.ok(told.isNews('a', 2))
  told.forget('a')
  t.ok(told.isNews('a', 2))
  t.ok(told.isNews('c', undefined))
  t.notOk(told.isNews('c', undefined), 'nothing is a value like any other')
})

t.test('who comes later and is told something newer does not keep it from the others', async t => {
  const told = createTold(isSame)
  told.joined('a', 1)
  t.notOk(told.isNews('a', 1), 'the only one knows it')
  told.joined('a', 2)
  told.joined('a', 2)
  t.ok(told.isNews('a', 2), 'the first one does not')
  told.joined('a', 2)
  t.notOk(told.isNews('a', 2), 'now all do')
})
