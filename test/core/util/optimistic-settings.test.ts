import t from 'tap'
import { createOptimisticSettings } from '../../../core/util/optimistic-settings.js'

const printer = {}
const other = {}
const OLD = { enabled: false, level: 'low' }

t.test('settings that were just sent count for three seconds, those of one printer', async t => {
  let now = 0
  const settings = createOptimisticSettings<object, typeof OLD>(() => now)
  t.equal(settings.over(printer, OLD), OLD)
  settings.set(printer, { enabled: true, level: 'high' })
  t.strictSame(settings.over(printer, OLD), { enabled: true, level: 'high' })
  t.equal(settings.over(other, OLD), OLD)
  now = 3_000
  t.strictSame(settings.over(printer, OLD), { enabled: true, level: 'high' })
  now = 3_001
  t.equal(settings.over(printer, OLD), OLD)
})

t.test('what was not sent is as reported, and what was not taken is forgotten', async t => {
  const settings = createOptimisticSettings<object, typeof OLD>(() => 0)
  settings.set(printer, { enabled: true })
  t.strictSame(settings.over(printer, { enabled: false, level: 'medium' }), { enabled: true, level: 'medium' })
  settings.forget(printer)
  t.equal(settings.over(printer, OLD), OLD)
})
