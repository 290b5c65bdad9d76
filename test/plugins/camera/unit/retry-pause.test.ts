import t from 'tap'
import { RetryPause } from '../../../../plugins/camera/retry-pause.js'

const LONG_MS = 1_000_000

t.test('a new request or an abort ends the pause before a retry', async t => {
  const pause = new RetryPause()
  pause.end() // without a pause it does nothing
  const leaves = new AbortController()
  const first = pause.begin(LONG_MS, leaves.signal)
  pause.end()
  await first
  const second = pause.begin(LONG_MS, leaves.signal)
  leaves.abort()
  await second
  t.pass('both ended')
})

t.test('the pause ends by itself', async t => {
  const alive = setInterval(() => {}, LONG_MS) // a pause keeps no process alive
  t.teardown(() => clearInterval(alive))
  await new RetryPause().begin(1, new AbortController().signal)
  t.pass('it ended')
})
