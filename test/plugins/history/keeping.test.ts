import t from 'tap'
import { definePreset } from '../../../core/index.js'
import database from '../../../plugins/database/index.js'
import { historyWith } from '../../../plugins/history/index.js'
import { RetentionRuns } from '../../../plugins/history/retention.js'
import { DAY_MS } from '../../../plugins/history/sums.js'
import http from '../../../plugins/http/index.js'
import live from '../../../plugins/live/index.js'
import { features } from '../../../presets/features.js'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { madeUp } from './rows.js'

const preset = definePreset({ name: 'kept', plugins: [http, features, live, database, historyWith({ retainMs: 50 })] })
const MIB = 1024 * 1024

t.test('what a shorter time would delete is said before, and deleted after', async t => {
  const dataDir = testFolder(t)
  const booted = await boot(t, { preset, models: [], config: { dataDir, printers: [] } })
  const { http: ask, kernel: { services: { database } } } = booted
  const now = Date.now()
  for (let number = 0; number < 20; number++) {
    for (const row of madeUp(number, now - 200 * DAY_MS, 10 * DAY_MS)) database.put(row)
  }
  await database.settled()
  await database.query<any, void>(async db => {
    for (let number = 0; number < 20; number++) {
      const at = now - (200 - 10 * number) * DAY_MS
      await db.insertInto('history_telemetry').values({ id: `print-${number}`, at, bytes: MIB, data: '{}' } as never).execute()
    }
  })
  const read = async () => (await ask('GET', '/api/history/keeping')).body as Record<string, any>
  t.match(await read(), {
    origin: 'none', keep_days: 0, keep_telemetry_days: 365, keep_telemetry_mib: 2_048, prints: 20, telemetry_bytes: 20 * MIB, may_change: true
  })
  const effect = async (limits: object) => (await ask('GET', '/api/history/keeping/effect', { ...limits })).body
  t.same(await effect({}), { prints: 0, telemetry_bytes: 0 })
  t.same(await effect({ keep_days: 95 }), { prints: 11, telemetry_bytes: 0 })
  t.same(await effect({ keep_telemetry_days: 155 }), { prints: 0, telemetry_bytes: 5 * MIB })
  t.same(await effect({ keep_telemetry_days: 155, keep_telemetry_mib: 12 }), { prints: 0, telemetry_bytes: 8 * MIB })
  t.match(await ask('PATCH', '/api/history/keeping', { keep_days: 95, dry_run: true } as never), { status: 200 })
  t.equal((await ask('PATCH', '/api/history/keeping', { keep_days: -1 } as never)).status, 400)
  t.match(await read(), { origin: 'none', prints: 20 })
  t.match((await ask('PATCH', '/api/history/keeping', { keep_days: 95 } as never)).body, { keep_days: 95, keep_telemetry_days: 365 })
  await eventually(async () => (await read()).prints === 9)
  t.match(await read(), { origin: 'stored', keep_days: 95 })
  t.equal((await ask('GET', '/api/history/statistics')).body.prints, 20, 'statistics still count them')
})

t.test('what the configuration file limits is only changed there', async t => {
  const { http: ask } = await boot(t, {
    preset,
    models: [],
    config: { dataDir: testFolder(t), printers: [], plugins: { history: { keepTelemetryDays: 30 } } }
  })
  t.match((await ask('GET', '/api/history/keeping')).body, { origin: 'file', keep_days: 0, keep_telemetry_days: 30 })
  t.match(await ask('PATCH', '/api/history/keeping', { keep_days: 9 } as never),
    { status: 409, body: { error: 'set_in_file', reason: /plugins\.history\.keepTelemetryDays/ } })
})

t.test('nothing is removed while it is not known what to keep', async t => {
  const problems: string[] = []
  const runs = new RetentionRuns(async () => { throw new Error('away') }, ({ message }) => { problems.push(message) })
  runs.begin()
  await runs.settled()
  t.same(problems, ['away'])
})
