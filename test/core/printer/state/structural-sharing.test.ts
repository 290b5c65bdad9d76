import t from 'tap'
import { share } from '../../../../core/printer/state/structural-sharing.js'

t.test('sharing keeps equal objects and freezes new ones', async t => {
  const before = share(undefined, { a: [{ b: 1 }, { b: 2 }], c: { d: 'x' }, e: undefined })
  t.equal(share(before, { a: [{ b: 1 }, { b: 2 }], c: { d: 'x' }, e: undefined }), before)
  const after = share(before, { a: [{ b: 1 }, { b: 3 }], c: { d: 'x' }, e: undefined })
  t.not(after, before)
  t.equal(after.a[0], before.a[0])
  t.not(after.a[1], before.a[1])
  t.equal(after.c, before.c)
  for (const object of [after, after.a, after.a[1], after.c]) t.ok(Object.isFrozen(object))
})

t.test('a list or object of another length is another one', async t => {
  const before = share<{ list: number[], [key: string]: unknown }>(undefined, { list: [1, 2], key: 1 })
  t.strictSame(share(before, { list: [1], key: 1 }), { list: [1], key: 1 })
  t.strictSame(share(before, { list: [1, 2] }), { list: [1, 2] })
  t.strictSame(share(before, { list: [1, 2], key: 1, more: undefined }), { list: [1, 2], key: 1, more: undefined })
})
