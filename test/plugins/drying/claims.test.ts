import { join } from 'node:path'
import t, { type Test } from 'tap'
import { Type } from 'typebox'
import { openJsonStore } from '../../../core/index.js'
import { connectPostgres, connectSqlite } from '../../../plugins/database/connect.js'
import { createDatabase } from '../../../plugins/database/database.js'
import type { Row } from '../../../plugins/database/index.js'
import { stepsOf } from '../../../plugins/database/migrate.js'
import { migrations } from '../../../plugins/drying/migrations.js'
import { createStore, type Store } from '../../../plugins/drying/store.js'
import type { PlanRow, RunRow } from '../../../plugins/drying/tables.js'
import { testFolder } from '../../helpers/folder.js'
import { startPostgres, withoutPostgres } from '../database/postgres.js'

const HOUR_MS = 3_600_000
const NOW = 100 * HOUR_MS
const PAUSE_MS = 12 * HOUR_MS

async function open (t: Test, url?: string): Promise<Store> {
  const folder = testFolder(t)
  const journal = await openJsonStore(join(folder, 'journal.json'), { schema: Type.Unsafe<Row[]>(Type.Array(Type.Any())), initial: [], warn () {} })
  const { service, close } = createDatabase({
    kind: url === undefined ? 'sqlite' : 'postgres',
    connect: url === undefined ? connectSqlite(async () => folder) : connectPostgres(url, () => {}),
    steps: stepsOf(migrations, () => 'drying'),
    journal,
    log: { warn () {}, info () {} } as any
  })
  t.teardown(close)
  return createStore(service)
}

const PLAN: PlanRow = {
  id: 'd1',
  name: 'Night',
  printer: '',
  unit: null,
  materials: '',
  humidity: 30,
  days: null,
  from_time: '',
  until_time: '',
  time_zone: 'UTC',
  celsius: null,
  hours: null,
  rotate: 0,
  power_group: '',
  holds_queue: 0,
  revision: 3,
  accepted_by: 'Ann',
  accepted_kind: 'user',
  accepted_id: 'user 1',
  accepted_at: 1,
  created_by: 'Ann',
  created_at: 1
}
const run = (id: string, more: Partial<RunRow> = {}): RunRow => ({
  id,
  plan: 'd1',
  plan_name: 'Night',
  serial: 'S',
  printer: 'x1',
  unit: 0,
  power_group: '',
  holds_queue: 0,
  celsius: 60,
  hours: 8,
  spools: '',
  materials: '',
  state: 'starting',
  reason: '',
  began_at: NOW,
  ended_at: null,
  told: 0,
  ...more
})

async function suite (t: Test, one: Store, other: Store): Promise<void> {
  await one.addPlan(PLAN)
  const both = await Promise.all([one.claim(run('a'), PLAN, PAUSE_MS), other.claim(run('b'), PLAN, PAUSE_MS), other.claim(run('c', { serial: 'T' }), PLAN, PAUSE_MS)])
  t.equal(both.filter(Boolean).length, 1, 'of claims for one power group one succeeds')
  const [open] = await other.openRuns()
  t.equal(await one.claim(run('d', { power_group: 'b', serial: open?.serial ?? '' }), PLAN, PAUSE_MS), false, 'the unit is taken, whatever the group')
  t.equal(await one.claim(run('e', { power_group: 'b', unit: 128 }), PLAN, PAUSE_MS), true)
  const ended = { state: 'finished', ended_at: NOW + HOUR_MS } as const
  const steps = await Promise.all([one.step(open?.id ?? '', 'starting', ended), other.step(open?.id ?? '', 'starting', ended)])
  t.equal(steps.filter(Boolean).length, 1, 'and it ends once')
  t.equal(await one.claim(run('f', { serial: open?.serial ?? '', began_at: NOW + 12 * HOUR_MS }), PLAN, PAUSE_MS), false, 'not within the pause')
  t.equal(await one.claim(run('g', { serial: open?.serial ?? '', began_at: NOW + 14 * HOUR_MS }), { revision: 2 }, PAUSE_MS), false, 'the plan was changed')
  t.equal(await other.changePlan('d1', 3, { accepted_by: '', accepted_at: null }), true)
  t.equal(await one.claim(run('h', { serial: open?.serial ?? '', began_at: NOW + 14 * HOUR_MS }), PLAN, PAUSE_MS), false, 'nobody accepts it any more')
  t.match(await one.untold(NOW + 2 * HOUR_MS), [{ id: open?.id }])
  await one.markTold(open?.id ?? '')
  t.same(await other.untold(NOW + 2 * HOUR_MS), [])
}

t.test('with SQLite', async t => {
  const store = await open(t)
  await suite(t, store, store)
})

t.test('with PostgreSQL and two services', { skip: withoutPostgres }, async t => {
  const server = await startPostgres(t)
  const url = server.newDatabase()
  await suite(t, await open(t, url), await open(t, url))
})
