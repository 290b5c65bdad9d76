import t from 'tap'
import { resolveModel } from '../../../core/printer/models.js'
import { GIVE_UP_MS, checkSilence, silenceLimitMs, SILENCE_MS } from '../../../core/printer/silence-watchdog.js'

const CONNECTED = 1_000_000
const judge = (afterMs: number, more: { messageAt?: number, requestedAt?: number, silenceMs?: number } = {}) =>
  checkSilence(CONNECTED + afterMs, {
    connectedAt: CONNECTED, messageAt: undefined, requestedAt: undefined, silenceMs: SILENCE_MS.full, ...more
  })

t.test('half a minute for printers that report fully, a whole one for the others', async t => {
  t.strictSame(SILENCE_MS, { full: 30_000, incremental: 60_000 })
  t.equal(GIVE_UP_MS, 30_000)
  t.strictSame(['X1C', 'H2D', 'P1S', 'A1'].map(name => silenceLimitMs(resolveModel('', name))), [30_000, 30_000, 60_000, 60_000])
})

t.test('a connection on which nothing ever comes', async t => {
  t.equal(judge(0), 'none')
  t.equal(judge(29_999), 'none')
  t.equal(judge(30_000), 'request')
  t.equal(judge(59_999, { silenceMs: SILENCE_MS.incremental }), 'none')
  t.equal(judge(60_000, { silenceMs: SILENCE_MS.incremental }), 'request')
})

t.test('each message starts the time anew', async t => {
  t.equal(judge(40_000, { messageAt: CONNECTED + 20_000 }), 'none')
  t.equal(judge(50_000, { messageAt: CONNECTED + 20_000 }), 'request')
})

t.test('messages of an earlier connection do not count', async t => {
  t.equal(judge(10_000, { messageAt: CONNECTED - 60_000 }), 'none')
})

t.test('after asking it waits, then gives up', async t => {
  const asked = { requestedAt: CONNECTED + 30_000 }
  t.equal(judge(30_001, asked), 'wait')
  t.equal(judge(59_999, asked), 'wait')
  t.equal(judge(60_000, asked), 'reconnect')
})

t.test('a message after asking ends it', async t => {
  t.equal(judge(45_000, { requestedAt: CONNECTED + 30_000, messageAt: CONNECTED + 31_000 }), 'none')
  t.equal(judge(61_000, { requestedAt: CONNECTED + 30_000, messageAt: CONNECTED + 31_000 }), 'request')
})
