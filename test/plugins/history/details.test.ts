import t, { type Test } from 'tap'
import database from '../../../plugins/database/index.js'
import { createManualClock, type VirtualJob } from '../../../plugins/emulator/index.js'
import { historyWith } from '../../../plugins/history/index.js'
import { DAY_MS } from '../../../plugins/history/sums.js'
import live from '../../../plugins/live/index.js'
import { boot, featuresWith, type Booted } from '../../helpers/boot-features.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { startPostgres, withoutPostgres } from '../database/postgres.js'
import { madeUp } from './rows.js'

/** On a busy machine. */
const WITHIN_MS = 60_000
const JOB: VirtualJob = { name: 'cube', layers: 20, minutes: 10, filament: { ams: 0, slot: 0 } }
const NOW = Date.UTC(2026, 10, 20, 7)

interface Detail {
  readonly id: string
  readonly result: string
  readonly events: readonly { readonly kind: string, readonly name: string, readonly text: string }[]
  readonly telemetry: readonly { readonly series: string, readonly lowest: number, readonly highest: number }[]
  readonly [member: string]: unknown
}
type Series = readonly { readonly name: string, readonly points: readonly (readonly [number, number])[] }[]

const preset = featuresWith(live, database, historyWith({ sampleMs: 10, retainMs: 50 }))

const start = (t: Test, plugins: object, models: Parameters<typeof boot>[1] = {}): Promise<Booted> => boot(t, {
  preset,
  models: [{ model: 'P1S', name: 'p1s', speed: 600, reportEveryMs: 50 }],
  ...models,
  config: { dataDir: testFolder(t), plugins, ...models.config }
})

const get = async <T>({ http }: Booted, path: string, params = {}): Promise<T> => {
  const { status, body } = await http('GET', path, params)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body as T
}
const newest = async (booted: Booted) =>
  (await get<{ prints: Detail[] }>(booted, '/api/history', { limit: 1 })).prints[0]

/** Rows of made-up prints, with telemetry of that many bytes each. */
async function fill ({ kernel }: Booted, count: number, bytes: number): Promise<void> {
  for (let number = 0; number < count; number++) {
    const since = NOW - count * DAY_MS
    for (const row of madeUp(number, since, DAY_MS, 2)) kernel.services.database.put(row)
    const id = `print-${number}`
    kernel.services.database.put({
      table: 'history_telemetry', values: { id, at: since + number * DAY_MS, bytes, data: 'x' }
    })
  }
  await kernel.services.database.query(async () => {})
}

async function ids ({ kernel }: Booted, table: string): Promise<string[]> {
  const rows = await kernel.services.database.query<any, { id: string }[]>(db =>
    db.selectFrom(table).select('id').execute() as never)
  return rows.map(({ id }) => id).sort()
}

function suite (t: Test, database: (t: Test) => object): void {
  t.test('a print keeps its telemetry, events and alerts, and loses them with its record', async t => {
    // Slow enough for every state to be seen on a busy machine.
    const models = [{ model: 'P1S', name: 'p1s', speed: 60, reportEveryMs: 50 }] as const
    const booted = await start(t, { database: database(t) }, { models })
    booted.printer.startJob({ ...JOB, typeOfEnd: 'fail' })
    await eventually(async () => (await newest(booted))?.result === 'failed', WITHIN_MS)
    const { id } = await newest(booted) as Detail
    const { kernel } = booted
    kernel.events.emit('alert', {
      type: 'filament_low',
      printer: 'p1s',
      timestamp: new Date().toISOString(),
      severity: 'medium',
      payload: { message: `runs out, code ${booted.printer.accessCode}` }
    })
    let detail: Detail | undefined
    await eventually(async () => {
      detail = await get<Detail>(booted, `/api/history/${id}`)
      return detail.events.some(({ name }) => name === 'filament_low')
    }, WITHIN_MS)
    const names = detail?.events.map(({ kind, name }) => `${kind} ${name}`) ?? []
    t.ok(names.includes('state RUNNING') && names.includes('state FAILED'), names.join())
    t.ok(names.some(name => name === 'alert job_failed'), names.join())
    t.ok(names.indexOf('state RUNNING') < names.indexOf('state FAILED'))
    t.notMatch(JSON.stringify(detail), booted.printer.accessCode, 'no secret')
    const { series } = await get<{ series: Series }>(booted, `/api/history/${id}/telemetry`)
    const bed = series.find(({ name }) => name === 'bed')
    t.ok((bed?.points.length ?? 0) > 0)
    t.ok(series.some(({ name }) => name === 'speed'))
    t.ok((detail?.telemetry.find(one => one.series === 'tool')?.highest ?? 0) > 150, 'the nozzle was hot')
    await eventually(async () => (await ids(booted, 'history_telemetry')).includes(id), WITHIN_MS)

    t.equal((await booted.http('DELETE', `/api/history/${id}`)).status, 200)
    t.equal((await booted.http('GET', `/api/history/${id}/telemetry`)).status, 404)
    for (const table of ['history_telemetry', 'history_events']) t.same(await ids(booted, table), [], table)
  })

  t.test('what an earlier service kept of a print is part of what the next one keeps', async t => {
    const booted = await start(t, { database: database(t) })
    booted.printer.startJob({ ...JOB, minutes: 600 })
    await eventually(async () => (await newest(booted))?.result === 'running', WITHIN_MS)
    const { id } = await newest(booted) as Detail
    // As an earlier service wrote it, while this one has not written yet.
    await booted.kernel.services.database.query<any, unknown>(async db => {
      const { writeTelemetry } = await import('../../../plugins/history/details/queries.js')
      await writeTelemetry(db, id, NOW, { bed: [[0, 11.1]], gone_series: [[0, 1]] })
    })
    await booted.kernel.services.history.telemetry(id)
    t.equal((await booted.http('POST', '/api/stop_printing')).status, 200)
    await eventually(async () => (await newest(booted))?.result === 'cancelled', WITHIN_MS)
    await booted.kernel.services.database.settled()
    const { series } = await get<{ series: Series }>(booted, `/api/history/${id}/telemetry`)
    t.ok(series.find(({ name }) => name === 'bed')?.points.some(([, value]) => value === 11.1))
    t.same(series.at(-1), { name: 'gone_series', unit: '', points: [[0, 1]] })
    t.ok(series.some(({ name }) => name === 'tool'), 'beside its own')
  })

  t.test('telemetry goes by size and age, then records by age, and statistics stay', async t => {
    const dataDir = testFolder(t)
    const first = await start(t, { database: database(t) }, { models: [], config: { dataDir } })
    await fill(first, 10, 300_000)
    const before = await get<Record<string, unknown>>(first, '/api/history/statistics')
    const url = (first.kernel.config.plugins.database as { url?: string } | undefined)?.url
    await first.kernel.close()

    const plugins = { database: url === undefined ? {} : { url }, history: { keepTelemetryMiB: 1 } }
    const second = await start(t, plugins, { models: [], config: { dataDir }, clock: createManualClock(NOW) })
    await eventually(async () => (await ids(second, 'history_telemetry')).length < 10, WITHIN_MS)
    t.same(await ids(second, 'history_telemetry'), ['print-7', 'print-8', 'print-9'], 'the newest have room')
    t.equal((await ids(second, 'history_prints')).length, 10)
    await second.kernel.close()

    const old = { ...plugins, history: { keepTelemetryDays: 2, keepDays: 5 } }
    const third = await start(t, old, { models: [], config: { dataDir }, clock: createManualClock(NOW) })
    await eventually(async () => (await ids(third, 'history_prints')).length < 10, WITHIN_MS)
    t.same(await ids(third, 'history_prints'), [5, 6, 7, 8, 9].map(number => `print-${number}`))
    t.same(await ids(third, 'history_telemetry'), ['print-8', 'print-9'])
    const after = await get<Record<string, unknown>>(third, '/api/history/statistics')
    t.same(after, before, 'what was counted stays')
    const [first9] = (await get<{ prints: Detail[] }>(third, '/api/history')).prints
    t.equal((await third.http('DELETE', `/api/history/${first9?.id}`)).status, 200)
    t.equal((await get<{ prints: number }>(third, '/api/history/statistics')).prints, 9, 'but for what a person deletes')
  })
}

t.test('with SQLite', async t => suite(t, () => ({})))

t.test('with PostgreSQL', { skip: withoutPostgres }, async t => {
  const server = await startPostgres(t)
  suite(t, () => ({ url: server.newDatabase() }))
})
