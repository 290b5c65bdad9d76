import t from 'tap'
import { isTrusted } from '../../../core/kernel/access.js'

t.test('a caller with a budget has no trusted access, whatever the role', async t => {
  const kernel = { config: { api: { trustLan: true } } } as never
  const anna = { name: 'anna', role: 'administrate', printers: undefined } as const
  t.equal(isTrusted(kernel, anna), true)
  t.equal(isTrusted(kernel, { ...anna, budget: {} as never }), false)
  t.equal(isTrusted(kernel, { ...anna, role: 'operate' }), false)
})
