import t from 'tap'
import { refuseSeconds } from '../../../core/index.js'

t.test('a time in seconds is refused by name, with what was meant', async t => {
  t.throws(() => refuseSeconds({ since: undefined, until: 1_790_000_000 }), {
    code: 'PRN_ERR_BAD_INPUT',
    message: 'until is in milliseconds since the epoch, and 1790000000 looks like seconds: give 1790000000000'
  })
  t.throws(() => refuseSeconds({ at: 1 }), { message: /at is in milliseconds/ })
  for (const time of [undefined, 0, -1, 100_000_000_000, 1_790_000_000_000]) {
    t.doesNotThrow(() => refuseSeconds({ time }))
  }
})
