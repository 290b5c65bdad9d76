import t from 'tap'
import { onceUnlessFailed } from '../../../core/index.js'

t.test('what failed is begun again, and what succeeded is kept', async t => {
  let begun = 0
  const load = onceUnlessFailed(async () => {
    begun++
    if (begun === 1) throw new Error('no file handles')
    return begun
  })
  await Promise.all([t.rejects(load(), { message: 'no file handles' }), t.rejects(load(), { message: 'no file handles' })])
  t.equal(begun, 1, 'callers at the same time share one attempt')
  t.equal(await load(), 2)
  t.equal(await load(), 2)
})
