import t, { type Test } from 'tap'
import { definePreset, type Kernel } from '../../../core/index.js'
import audit from '../../../plugins/audit/index.js'
import { nightWith } from '../../../plugins/night/index.js'
import notify from '../../../plugins/notify/index.js'
import { boot, type Booted } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { startReceiver } from '../../helpers/receiver.js'
import { madeUp } from '../history/rows.js'
import { maintained } from '../maintenance/preset.js'

const WITHIN_MS = 30_000
const HOUR_MS = 3_600_000
const preset = definePreset({ name: 'at-night', plugins: [maintained.plugins, audit, notify, nightWith({ everyMs: 100 })] })

type Body = any

const start = (t: Test, targets: object, dataDir = testFolder(t), now?: () => number) => boot(t, {
  preset,
  models: [{ model: 'X1C', name: 'x1c', reportEveryMs: 200 }],
  config: { dataDir, plugins: { notify: { targets } } },
  ...now && { dependencies: { now } }
})

const hourNow = (offset: number, at = Date.now()) => `${String(new Date(at + offset * HOUR_MS).getUTCHours()).padStart(2, '0')}:00`

function printed ({ kernel, name }: { kernel: Kernel, name: string }, number: number, more: object = {}): void {
  const serial = kernel.printers.config(name)?.serial ?? ''
  const [head, ...filaments] = madeUp(number, Date.now() - 5 * HOUR_MS, 0)
  if (!head) throw new Error('no row')
  const { database } = kernel.services
  database.put({ ...head, values: { ...head.values, serial, printer: name, ...more } })
  for (const row of filaments) database.put(row)
}

t.test('everything is off at first, and what is set is checked', async t => {
  const { http, tool } = await start(t, {})
  t.match((await http('GET', '/api/night')).body, {
    settings: { quiet: { hours: null }, report: { at: null, targets: [] }, watch: { after_min: null } },
    quiet_now: false,
    acts: []
  })
  for (const bad of [{ quiet: { hours: '25:00-07:00' } }, { quiet: { printers: ['nobody'] } }, { report: { targets: ['nowhere'] } },
    { watch: { after_min: 0 } }, { time_zone: 'Mars/Phobos' }, { report: { language: 'fr' } }]) {
    t.equal((await http('PATCH', '/api/night', bad)).status, 400, JSON.stringify(bad))
  }
  t.match((await http('PATCH', '/api/night', { quiet: { hours: '22:00-07:00' }, time_zone: 'Europe/Berlin' })).body,
    { quiet: { hours: '22:00-07:00', printers: [], lights_off: false }, time_zone: 'Europe/Berlin' })
  t.match((await http('PATCH', '/api/night', { watch: { after_min: 5 } })).body,
    { quiet: { hours: '22:00-07:00' }, watch: { after_min: 5, steps: [] } })
  const { revision } = (await http('GET', '/api/night')).body
  t.equal((await http('PATCH', '/api/night', { quiet: { lights_off: true }, revision })).status, 200, 'as it was read')
  t.match(await http('PATCH', '/api/night', { watch: { after_min: 9 }, revision }), { status: 409, body: { error: 'settings_changed' } },
    'somebody changed it since')
  t.match((await tool('get_night_settings')).value, { settings: { quiet: { lights_off: true }, watch: { after_min: 5 } }, revision: revision + 1 })
  t.match((await tool('set_night_settings', { watch: { after_min: null } })).text, /user_permission/)
})

t.test('the queue starts nothing in quiet hours, and lights go off once', async t => {
  const { http, kernel } = await start(t, {})
  const queued = async () => (await http('GET', '/api/queue')).body.printers[0]
  const lights = () => kernel.printers.get('x1c')?.state?.lights.nodes.find(({ node }) => node === 'chamber_light')?.mode
  await http('PATCH', '/api/set_light_state', { printer: 'x1c', state: 'on' })
  await eventually(() => lights() === 'on', WITHIN_MS)
  await eventually(async () => !['night_unread', 'maintenance_unread'].includes((await queued()).why?.code), WITHIN_MS)
  t.not((await queued()).why?.code, 'quiet_hours')
  const hours = `${hourNow(0)}-${hourNow(2)}`
  await http('PATCH', '/api/night', { time_zone: 'UTC', quiet: { hours, lights_off: true } })
  await eventually(async () => (await queued()).why?.code === 'quiet_hours', WITHIN_MS)
  t.equal((await queued()).reason, `quiet hours until ${hourNow(2)}`)
  t.match((await http('GET', '/api/night')).body, { quiet_now: true })
  await eventually(() => lights() === 'off', WITHIN_MS)
  await eventually(async () => (await http('GET', '/api/night')).body.acts.length === 1, WITHIN_MS)
  t.match((await http('GET', '/api/night')).body.acts, [{ kind: 'lights', printer: 'x1c', detail: '' }])
  t.match((await http('GET', '/api/night/report')).body.acted, [{ surface: 'night', act: 'climate.setLight', words: 'set the light', printer: 'x1c', outcome_words: 'done' }],
    'and the report tells of it')
  await http('PATCH', '/api/set_light_state', { printer: 'x1c', state: 'on' })
  await eventually(() => lights() === 'on', WITHIN_MS)
  await http('PATCH', '/api/night', { quiet: { printers: ['x1c'] } })
  t.equal((await http('GET', '/api/night')).body.acts.length, 1, 'who switched it on again keeps it')
  await http('PATCH', '/api/night', { quiet: { hours: null } })
  await eventually(async () => (await queued()).why?.code !== 'quiet_hours', WITHIN_MS)
})

t.test('the report says what the records say', async t => {
  const booted = await start(t, {})
  const { http, kernel } = booted
  for (let number = 1; number <= 21; number++) {
    const earlier = { started_at: Date.now() - 31 * HOUR_MS, ended_at: Date.now() - 30 * HOUR_MS }
    printed(booted, number, number === 21 ? earlier : {})
  }
  await kernel.services.database.settled()
  const report = (await http('GET', '/api/night/report')).body
  const { prints } = (await http('GET', '/api/history', { limit: 100 })).body
  const ended = prints.filter((print: Body) => print.ended_at > report.from && print.ended_at <= report.until)
  t.equal(ended.length, 20)
  const sum = (of: (print: Body) => number) => ended.reduce((total: number, print: Body) => total + of(print), 0)
  const count = (result: string) => ended.filter((print: Body) => print.result === result).length
  t.match(report.printed, {
    prints: 20, finished: count('finished'), failed: count('failed'), cancelled: count('cancelled'), unknown: count('unknown')
  })
  const near = (one: number, other: number) => t.ok(Math.abs(one - other) < 0.01, `${one} is ${other}`)
  near(report.printed.hours, sum(print => print.printing_s) / 3_600)
  near(report.printed.grams, sum(print => print.filaments.reduce((total: number, { grams }: Body) => total + grams, 0)))
  t.same(report.failures.map(({ id }: Body) => id).sort(),
    ended.filter(({ result }: Body) => result === 'failed' || result === 'unknown').map(({ id }: Body) => id).sort())
  t.match(report.failures.find(({ result }: Body) => result === 'failed'), { why: /Filament ran out/ })
  const earlier = (await http('GET', '/api/night/report', { at: Date.now() - 24 * HOUR_MS })).body
  t.equal(earlier.printed.prints, 1)
})

t.test('the report is sent once, also over restarts', async t => {
  const { got, url } = await startReceiver(t)
  const dataDir = testFolder(t)
  let shift = 0
  const now = () => Date.now() + shift
  const targets = { phone: { type: 'webhook', url } }
  const first = await start(t, targets, dataDir, now)
  await first.http('PATCH', '/api/night', { time_zone: 'UTC', report: { at: hourNow(1), targets: ['phone'], language: 'de' } })
  t.same(got, [], 'not before its time')
  shift = HOUR_MS + 60_000
  await eventually(() => got.length === 1, WITHIN_MS)
  t.match(got[0], { alert: 'morning_report', title: /^Morgenbericht: 0 Drucke/, payload: { prints: 0 } })
  await eventually(async () => (await first.http('GET', '/api/night')).body.acts[0]?.detail === 'phone', WITHIN_MS)
  await first.close()
  const second = await start(t, targets, dataDir, now)
  await eventually(async () => (await second.http('GET', '/api/night')).body.acts.length === 1, WITHIN_MS)
  shift += 24 * HOUR_MS
  await eventually(() => got.length === 2, WITHIN_MS)
  t.not(got[0].id, got[1].id, 'the next morning')
})

const critical = ({ kernel }: Booted) => kernel.services.alerts.raise('x1c', { type: 'job_failed', severity: 'high', payload: { reason: 'clog' } })

t.test('a second and a third one are told until somebody acknowledges', async t => {
  const [ben, cleo] = [await startReceiver(t), await startReceiver(t)]
  let shift = 0
  const now = () => Date.now() + shift
  const booted = await start(t, { ben: { type: 'webhook', url: ben.url }, cleo: { type: 'webhook', url: cleo.url } }, testFolder(t), now)
  const { http } = booted
  critical(booted)
  shift = 120_000
  await http('PATCH', '/api/night', { watch: { after_min: 10, steps: ['ben', 'cleo'] } })
  shift = 240_000
  critical(booted)
  await eventually(async () => (await http('GET', '/api/alert_log/count')).body.unacknowledged === 2, WITHIN_MS)
  shift += 9 * 60_000
  t.same(ben.got, [])
  shift += 2 * 60_000
  await eventually(() => ben.got.length === 1, WITHIN_MS)
  t.match(ben.got[0], { alert: 'night_watch', severity: 'high', printer: 'x1c', title: /^Nobody has acknowledged this: x1c, Print failed/ })
  t.equal(ben.got[0].payload.alerts.length, 1, 'not what was before it was switched on')
  t.same(cleo.got, [])
  shift += 10 * 60_000
  await eventually(() => cleo.got.length === 1, WITHIN_MS)
  t.equal(ben.got.length, 1, 'once')

  critical(booted)
  await eventually(async () => (await http('GET', '/api/alert_log/count')).body.unacknowledged === 3, WITHIN_MS)
  await http('POST', '/api/alert_log/acknowledge', { until: new Date(now() + 1_000).toISOString() })
  shift += 30 * 60_000
  critical(booted)
  shift += 11 * 60_000
  await eventually(() => ben.got.length === 2, WITHIN_MS)
  t.equal(ben.got[1].payload.alerts.length, 1, 'only the newest: the one before was acknowledged')
  t.equal((await http('GET', '/api/night')).body.acts.length, 3)
})
