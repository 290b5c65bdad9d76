import t, { type Test } from 'tap'
import { toneOf } from '../../../plugins/alertlog/alert-row.js'
import { boot, type Booted } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { browse, noBrowser } from '../charts/chromium.js'
import { barriers, read } from '../web/desk.js'
import { startPostgres, withoutPostgres } from '../database/postgres.js'

const THIS_YEAR = new Date().getUTCFullYear()

const alert = (type: string, printer: string, second: number, payload = {}, severity = 'high') =>
  ({ type, printer, timestamp: `${THIS_YEAR}-01-01T12:00:${String(second).padStart(2, '0')}Z`, severity, payload }) as never

const raise = ({ kernel }: Booted) => {
  kernel.events.emit('alert', alert('job_started', 'p1s', 0))
  kernel.events.emit('alert', alert('job_failed', 'p1s', 1, { subtask_name: 'cube' }))
  kernel.events.emit('alert', alert('job_failed', 'p1s', 2, { cancelled: true }))
  const errors = [{ code: 'HMS_1', description: 'The bed is <b>cold</b>' }]
  kernel.events.emit('alert', alert('hms_error_new', 'other', 3, { errors }))
}

const get = async ({ http }: Booted, params = {}) => (await http('GET', '/api/alert_log', params)).body

t.test('red is for errors, amber for warnings, what a person did is neither', async t => {
  const tone = (type: string, severity: 'high' | 'medium' | 'low', payload = {}) => toneOf({ type, severity, payload })
  t.equal(tone('job_failed', 'high'), 'bad')
  t.equal(tone('job_failed', 'high', { cancelled: true }), 'plain')
  t.equal(tone('job_finished', 'high'), 'plain')
  t.equal(tone('job_paused', 'medium'), 'warn')
  t.equal(tone('anything', 'medium'), 'warn')
})

t.test('old alerts are removed with the first one after a start', async t => {
  const config = { dataDir: testFolder(t), plugins: { alertlog: { keepDays: 1 } } }
  const options = { models: [{ model: 'P1S', name: 'p1s' }], config } as const
  const raiseAt = ({ kernel }: Booted, ms: number) => kernel.events.emit('alert',
    { type: 'job_failed', printer: 'p1s', timestamp: new Date(ms).toISOString(), severity: 'high', payload: {} })
  const times = async (booted: Booted) => (await get(booted)).alerts.map(({ at }: { at: string }) => Date.parse(at))
  const count = async (booted: Booted) => (await times(booted)).length
  const first = await boot(t, options)
  raiseAt(first, Date.now())
  await eventually(async () => await count(first) === 1)
  raiseAt(first, Date.now() - 3 * 86_400_000)
  await eventually(async () => await count(first) === 2)
  await first.close()
  const second = await boot(t, options)
  t.equal(await count(second), 2)
  raiseAt(second, Date.now() + 1_000)
  await eventually(async () => (await times(second)).every((ms: number) => ms > Date.now() - 86_400_000))
  t.equal(await count(second), 2, 'the old one is gone, the new one is there')
})

async function kept (t: Test, config: object) {
  const dataDir = testFolder(t)
  const options = { models: [{ model: 'P1S', name: 'p1s' }], config: { dataDir, ...config } } as const
  const first = await boot(t, options)
  const queue = first.kernel.services.alerts.queue
  queue.push(alert('job_failed', 'p1s', 1))
  raise(first)
  t.match(await get(first), {
    unacknowledged: 2,
    cursor: null,
    alerts: [
      { type: 'hms_error_new', tone: 'bad' }, { tone: 'plain' },
      { type: 'job_failed', tone: 'bad', payload: { subtask_name: 'cube' } }
    ]
  })
  t.equal(queue.peek('p1s').length, 1, 'the queue that programs read is as it was')
  t.same((await get(first, { printer_name: 'other' })).alerts.length, 1)
  const { cursor } = await get(first, { limit: 2 })
  t.match(await get(first, { limit: 2, cursor }), { alerts: [{ type: 'job_failed' }], cursor: null })
  await first.close()

  const second = await boot(t, options)
  const { alerts } = await get(second, { open: true })
  t.equal(alerts.length, 2, 'they last')
  const acknowledge = (params: object) => second.http('POST', '/api/alert_log/acknowledge', params as never)
  t.match((await acknowledge({ ids: [alerts[0].id] })).body, { acknowledged: 1, unacknowledged: 1 })
  t.match((await acknowledge({ ids: [alerts[0].id, 'nothing'] })).body, { acknowledged: 0, unacknowledged: 1 })
  for (const bad of [{}, { until: 'soon' }, { ids: ['a'], until: alerts[0].at }]) {
    t.equal((await acknowledge(bad)).status, 400)
  }
  t.match((await get(second)).alerts.map(({ acknowledged_by: by }: { acknowledged_by: string | null }) => by),
    ['http (local)', null, null], 'who did it is kept; what needs nobody was acknowledged by nobody')
  raise(second)
  second.kernel.events.emit('alert:past', alert('job_paused', 'other', 0))
  t.match(await get(second), { unacknowledged: 2, alerts: Array.from({ length: 4 }, () => ({})) }, 'those that come again are there')
  t.match((await acknowledge({ until: alerts[0].at })).body, { acknowledged: 2, unacknowledged: 0 })
  t.same((await second.http('GET', '/api/alert_log/count')).body, { unacknowledged: 0 })
  t.equal((await second.http('GET', '/api/alert_log', { cursor: 'x' })).status, 400)
}

t.test('alerts last until somebody has seen them, in SQLite', async t => await kept(t, {}))

t.test('and in PostgreSQL', { skip: withoutPostgres }, async t => {
  const server = await startPostgres(t)
  await kept(t, { plugins: { database: { url: server.newDatabase() } } })
})

t.test('the page of alerts', { skip: noBrowser }, async t => {
  const booted = await boot(t, {
    models: [{ model: 'P1S', name: 'p1s' }],
    listen: true,
    config: { api: { host: '127.0.0.1' }, dataDir: testFolder(t) }
  })
  raise(booted)
  const { page, pageErrors } = await browse(t)
  await page.goto(`http://127.0.0.1:${booted.kernel.apiPort}/alerts`)
  const rows = page.locator('#list > li')
  await eventually(async () => await rows.count() === 3)
  await page.getByText('The bed is <b>cold</b>').waitFor()
  await page.getByText('Print cancelled: p1s').waitFor()
  await page.getByRole('link', { name: 'Alerts' }).getByText('2').waitFor()
  for (const [width, height] of [[390, 844], [768, 1024], [1440, 900]] as const) {
    await page.setViewportSize({ width, height })
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme })
      t.same(await barriers(page), [], `${width} px, ${scheme}`)
    }
    t.notOk(await read(page, 'document.documentElement.scrollWidth > innerWidth'), `${width} px`)
  }
  await rows.first().getByRole('button', { name: 'Acknowledge' }).click()
  await page.getByText('One is new').waitFor()
  await rows.first().getByText(/^Acknowledged by somebody on the service’s machine, /).waitFor()
  booted.kernel.events.emit('alert', alert('job_paused', 'p1s', 9, { stage_name: 'Paused by the user' }, 'medium'))
  await page.getByText('Print paused: p1s').waitFor()
  const blocked = { job: 'id', job_name: 'vase', reason: 'PETG black missing' }
  booted.kernel.events.emit('alert', alert('queue_blocked', 'p1s', 10, blocked, 'medium'))
  await page.getByText('The queue needs you: p1s').waitFor()
  await page.getByText('vase · PETG black missing').waitFor()
  await page.getByRole('button', { name: 'Acknowledge all' }).click()
  await page.getByText('0 are new').waitFor()
  t.same(pageErrors, [])
})
