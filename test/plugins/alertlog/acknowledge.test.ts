import t from 'tap'
import { acknowledgeAlerts } from '../../../plugins/alertlog/operations.js'
import { alert, logOfAlerts } from './log-of-alerts.js'

t.test('acknowledging all alerts of one printer leaves those of the others', async t => {
  const { database, keep, rows } = await logOfAlerts(t)
  keep(alert('job_failed', 'p1s', 1), alert('hms_error_new', 'x1c', 5), alert('job_failed', 'x1c', 30))
  const context = { kernel: { now: () => 1 }, askedBy: 'http (anna)', services: { database } } as never
  const until = '2026-01-01T12:00:05Z'
  t.same(await acknowledgeAlerts.run(context, { until, printer_name: 'x1c' }), { acknowledged: 1, unacknowledged: 2 })
  const open = (await rows()).filter(({ acknowledged_at: at }) => at === null)
  t.same(open.map(({ printer, type }) => `${printer} ${type}`), ['x1c job_failed', 'p1s job_failed'])
  t.same(await acknowledgeAlerts.run(context, { ids: open.map(({ id }) => id), printer_name: 'p1s' }), { acknowledged: 1, unacknowledged: 1 })
})
