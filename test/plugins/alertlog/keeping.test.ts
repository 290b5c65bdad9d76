import t from 'tap'
import { definePreset } from '../../../core/index.js'
import alertlog from '../../../plugins/alertlog/index.js'
import audit from '../../../plugins/audit/index.js'
import database from '../../../plugins/database/index.js'
import http from '../../../plugins/http/index.js'
import { features } from '../../../presets/features.js'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'

const preset = definePreset({ name: 'kept', plugins: [http, features, database, alertlog, audit] })
const DAY_MS = 86_400_000

const alertRow = (id: string, at: number) => ({
  table: 'alertlog_alerts',
  values: { id, at, printer: 'p1s', type: 'job_failed', tone: 'bad', payload: '{}', acknowledged_at: null, acknowledged_by: null }
})
const auditRow = (at: number) => ({
  table: 'audit_entries',
  values: { id: `${at.toString(36).padStart(9, '0')}-000000000000`, at, who: 'local', face: 'http', act: 'print.stop', printer: null, outcome: 'done', detail: null }
})

t.test('what a shorter time would delete is said before, and deleted after', async t => {
  const dataDir = testFolder(t)
  const { http: ask, kernel } = await boot(t, { preset, models: [], config: { dataDir, printers: [] } })
  const { database } = kernel.services
  const now = Date.now()
  for (const days of [1, 40, 80]) {
    database.put(alertRow(`alert${days}`, now - days * DAY_MS))
    database.put(auditRow(now - days * DAY_MS))
  }
  await database.settled()

  t.match((await ask('GET', '/api/alert_log/keeping')).body, { origin: 'none', keep_days: 365, alerts: 3, oldest_at: now - 80 * DAY_MS, may_change: true })
  t.same((await ask('GET', '/api/alert_log/keeping/effect', { keep_days: 60 })).body, { alerts: 1 })
  t.equal((await ask('PATCH', '/api/alert_log/keeping', { keep_days: 0 } as never)).status, 400)
  t.match((await ask('PATCH', '/api/alert_log/keeping', { keep_days: 60 } as never)).body, { keep_days: 60 })
  t.match((await ask('GET', '/api/alert_log/keeping')).body, { origin: 'stored', keep_days: 60, alerts: 3 })
  kernel.events.emit('alert', { id: 'new', printer: 'p1s', type: 'job_failed', severity: 'high', timestamp: new Date(now).toISOString(), payload: {} } as never)
  const ids = async () => ((await ask('GET', '/api/alert_log')).body as any).alerts.map(({ id }: { id: string }) => id)
  await eventually(async () => !(await ids()).includes('alert80'))
  t.ok((await ids()).includes('alert40'))

  t.match((await ask('GET', '/api/audit/keeping')).body, { origin: 'none', keep_days: 365, most_entries: 200_000, oldest_at: now - 80 * DAY_MS })
  t.same((await ask('GET', '/api/audit/keeping/effect', { keep_days: 30 })).body, { entries: 2 })
  t.match((await ask('PATCH', '/api/audit/keeping', { keep_days: 30 } as never)).body, { keep_days: 30, most_entries: 200_000 })
})

t.test('what the configuration file says is only changed there', async t => {
  const plugins = { alertlog: { keepDays: 30 }, audit: { mostEntries: 5_000 } }
  const { http: ask } = await boot(t, { preset, models: [], config: { dataDir: testFolder(t), printers: [], plugins } })
  t.match((await ask('GET', '/api/alert_log/keeping')).body, { origin: 'file', keep_days: 30 })
  t.match((await ask('GET', '/api/audit/keeping')).body, { origin: 'file', keep_days: 365, most_entries: 5_000 })
  t.match(await ask('PATCH', '/api/alert_log/keeping', { keep_days: 60 } as never), { status: 409, body: { error: 'set_in_file', reason: /plugins\.alertlog\.keepDays/ } })
  t.match(await ask('PATCH', '/api/audit/keeping', { keep_days: 60 } as never), { status: 409, body: { reason: /plugins\.audit\.mostEntries/ } })
})
