import t from 'tap'
import type { Alert } from '../../../../plugins/alerts/index.js'
import type { Delivery } from '../../../../plugins/notify/deliveries.js'
import type { HeldStore } from '../../../../plugins/notify/held-alerts.js'
import { HeldAlerts } from '../../../../plugins/notify/held-alerts.js'
import { createMessenger } from '../../../../plugins/notify/messenger.js'

const HOUR_MS = 3_600_000
const NOW = Date.UTC(2026, 0, 1)

type Kept = ReturnType<HeldStore['get']>

/** Runs of the service, one after the other, on the same file and clock. */
function desk () {
  let at = 0
  let kept: Kept = { version: 1, alerts: [] }
  let writes = 0
  const store = { path: '', get: () => kept, set: async (value: Kept) => { kept = value; writes++ }, settled: async () => {} }
  const start = () => {
    const sent: Delivery[] = []
    const router = {
      withoutIgnored: (alert: Alert) => alert,
      ofAlert: () => [{ rule: { attach: 'none' }, target: 'phone', dueAt: 0 }],
      ofClip: () => []
    }
    const messenger = createMessenger({
      router: () => router as never,
      sender: { add: delivery => { sent.push(delivery) } },
      targets: new Map(),
      attachments: {} as never,
      printers: { get: () => undefined },
      store,
      mayGet: () => true,
      redact: text => text.replaceAll('hidden', '***'),
      giveUpAfterMs: 24 * HOUR_MS,
      now: () => NOW + at,
      steady: () => at,
      log: { debug () {} }
    })
    return { messenger, sent }
  }
  return {
    start,
    kept: () => kept.alerts,
    writes: () => writes,
    pass (ms: number, messenger?: ReturnType<typeof createMessenger>) {
      for (let left = ms; left > 0; left -= 1_000) { at += 1_000; messenger?.tick() }
    },
    alert: (type: string, payload: object = {}): Alert =>
      ({ type, printer: 'x1c', timestamp: new Date(NOW + at).toISOString(), severity: 'high', payload: { ...payload } })
  }
}

t.test('a failure that waits survives a kill, and is told once by the next run', async t => {
  const { start, kept, pass, alert } = desk()
  const first = start()
  first.messenger.onAlert(alert('job_failed', { subtask_name: 'a hidden cube' }))
  t.same(first.sent, [])
  t.match(kept(), [{ type: 'job_failed', payload: { subtask_name: 'a *** cube' } }])
  const second = start()
  pass(8_000, second.messenger)
  t.match(second.sent, [{ alert: 'job_failed', printer: 'x1c', at: '2026-01-01T00:00:00.000Z' }])
  t.equal(second.sent.length, 1)
  t.same(kept(), [])
  const third = start()
  pass(8_000, third.messenger)
  t.same(third.sent, [], 'and not again')
})

t.test('what repeats is kept too, counted, and written rarely', async t => {
  const { start, kept, writes, pass, alert } = desk()
  const first = start()
  for (let times = 0; times < 20; times++) {
    first.messenger.onAlert(alert('hms_error_new', { errors: [{ code: 'A' }] }))
    pass(1_000, first.messenger)
  }
  t.match(kept(), [{ type: 'hms_error_new', payload: { errors: [{ code: 'A' }], repeated: Number } }])
  t.ok(writes() <= 5, `${writes()} writes`)
  const second = start()
  pass(1_000, second.messenger)
  t.match(second.sent, [{ alert: 'hms_error_new' }])
})

t.test('what was sent leaves the file a moment later, and what is older than a day is not told any more', async t => {
  const { start, kept, pass, alert } = desk()
  const first = start()
  first.messenger.onAlert(alert('job_failed'))
  pass(5_000, first.messenger)
  t.equal(first.sent.length, 1)
  t.equal(kept().length, 1, 'it may not be written elsewhere yet')
  pass(1_000, first.messenger)
  t.same(kept(), [])
  first.messenger.onAlert(alert('job_failed', { text: 'x'.repeat(10_000) }))
  t.same(kept().map(({ payload }) => payload), [{}], 'a payload without end is left out')
  pass(25 * HOUR_MS)
  const second = start()
  pass(1_000, second.messenger)
  t.same(second.sent, [])
})

t.test('failures are kept where not all can be, and what could not be written is tried again', async t => {
  const alert = (type: string, printer: string): Alert => ({ type, printer, timestamp: '', severity: 'high', payload: {} })
  const faults = Array.from({ length: 600 }, (_, at) => alert('hms_error_new', `p${at}`))
  let kept: Kept = { version: 1, alerts: [] }
  let isFull = true
  let at = 0
  const held = new HeldAlerts({
    store: {
      path: '',
      get: () => kept,
      set: async (value: Kept) => {
        if (isFull) throw new Error('no room')
        kept = value
      },
      settled: async () => {}
    },
    held: () => [alert('job_failed', 'x1c'), ...faults],
    redact: text => text,
    steady: () => at,
    log: { debug () {} }
  })
  held.write()
  await new Promise(setImmediate)
  t.same(kept.alerts, [])
  isFull = false
  at += 60_000
  held.write()
  t.equal(kept.alerts.length, 512)
  t.match(kept.alerts.at(-1), { type: 'job_failed', printer: 'x1c' })
})
