import t from 'tap'
import { freeze } from '../../../core/util/freeze.js'

t.test('a tree is frozen all the way down, and is the same object', async t => {
  const tree = { a: { b: [{ c: 1 }] }, d: null, e: 'text' }
  t.equal(freeze(tree), tree)
  t.throws(() => { tree.a.b[0] = { c: 2 } }, TypeError)
  t.throws(() => { tree.a.b.push({ c: 2 }) }, TypeError)
  t.throws(() => { (tree.a.b[0] as { c: number }).c = 2 }, TypeError)
})

t.test('plain values pass through', async t => {
  for (const value of [1, 'a', null, undefined, true]) t.equal(freeze(value), value)
})
