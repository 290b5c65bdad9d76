import t from 'tap'
import { retryDelayMs } from '../../../core/printer/timeouts.js'
import { CONNECTION_ERROR_CODES } from '../../../core/printer/connection-error.js'

const middle = () => 0.5

t.test('1, 2, 4, 8, 15 seconds, then every half minute', async t => {
  t.strictSame([0, 1, 2, 3, 4, 5, 6, 1000].map(attempt => retryDelayMs(attempt, 'unreachable', middle)),
    [1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 30_000, 30_000])
})

t.test('a fifth more or less, so that printers do not come back all at once', async t => {
  t.equal(retryDelayMs(0, 'connection_lost', () => 0), 800)
  t.equal(retryDelayMs(0, 'connection_lost', () => 1), 1_200)
  t.equal(retryDelayMs(9, undefined, () => 0), 24_000)
})

t.test('what the user must mend is tried every half minute at most', async t => {
  const slow = ['access_code_rejected', 'wrong_serial', 'certificate_changed', 'certificate_untrusted'] as const
  for (const problem of slow) {
    t.equal(retryDelayMs(0, problem, () => 0), 30_000, problem)
    t.equal(retryDelayMs(0, problem, () => 1), 36_000)
  }
  for (const problem of CONNECTION_ERROR_CODES.filter(code => !(slow as readonly string[]).includes(code))) {
    t.equal(retryDelayMs(0, problem, middle), 1_000, problem)
  }
})
