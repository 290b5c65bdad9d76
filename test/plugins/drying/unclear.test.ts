import t from 'tap'
import type { DryingsOptions } from '../../../plugins/drying/dryings-options.js'
import { Dryings } from '../../../plugins/drying/dryings.js'
import type { RunRow } from '../../../plugins/drying/tables.js'
import { eventually } from '../../helpers/eventually.js'

const MINUTE_MS = 60_000
const PLAN = { id: 'd1', name: 'Night', accepted_by: 'Ann', printer: '', unit: null, materials: '', power_group: '' }

/** One run whose start was sent, of a unit in some state. */
function scene (before: string) {
  const dryer = { state: before, refusals: [] }
  const clock = { now: 100 * MINUTE_MS }
  const run = {
    id: 'r',
    plan: 'd1',
    serial: 'S',
    printer: 'x1',
    unit: 0,
    hours: 8,
    celsius: 60,
    power_group: '',
    state: 'starting',
    reason: '',
    began_at: clock.now,
    ended_at: null
  }
  const stops: number[] = []
  const alarms: string[] = []
  const ended: RunRow[] = []
  const state = { ams: { units: [{ id: 0, model: 'NONE', dryer }] }, job: { gcodeState: 'IDLE' }, spools: [] }
  const session = {
    name: 'x1', service: 'CONNECTED', live: true, state, config: { serial: 'S' }, context: { start: undefined }
  }
  const database = { isAway: false }
  const reached = async () => { if (database.isAway) throw new Error('the database is away') }
  const openRuns = async () => {
    await reached()
    return run.ended_at === null ? [{ ...run }] : []
  }
  const options = {
    kernel: {
      printers: { sessions: [session] }, now: () => clock.now, redact: String, signal: new AbortController().signal
    },
    store: {
      openRuns,
      plans: async () => [PLAN],
      runsSince: openRuns,
      untold: async () => [],
      async step (_id: string, from: string, to: object) {
        await reached()
        return run.state === from && !!Object.assign(run, to)
      }
    },
    spools: { kind: 'prnd', slots: () => [], inventory: { list: async () => [], typesBySpool: async () => new Map() } },
    commands: { start: async () => {}, stop: async () => { stops.push(clock.now) } },
    changed () {},
    ended: (row: RunRow) => ended.push(row),
    alarm: ({ reason }: RunRow) => alarms.push(reason),
    caller: () => ({ name: 'Ann', role: 'operate', printers: undefined }),
    log: { warn () {}, info () {} },
    turnMs: 5,
    graceMs: 0
  }
  const dryings = new Dryings(options as unknown as DryingsOptions)
  dryings.wake()
  return { dryer, clock, run, stops, alarms, ended, dryings, database }
}

t.test('a unit that still checks keeps its run open, and is told to stop when it is not known to dry in time', async t => {
  const { dryer, clock, run, stops, ended, dryings } = scene('CHECKING')
  t.teardown(() => dryings.close())
  clock.now += 4 * MINUTE_MS
  await new Promise(resolve => setTimeout(resolve, 100))
  t.match(run, { state: 'starting', ended_at: null })
  clock.now += 2 * MINUTE_MS
  await eventually(() => run.state === 'stopping' && stops.length > 1)
  t.match(run, { reason: 'unclear', ended_at: null }, 'it may heat still')
  dryer.state = 'OFF'
  await eventually(() => ended.length === 1)
  t.match(ended, [{ state: 'failed', reason: 'unclear' }])
})

t.test('a unit that is off after a start whose answer was lost is told to stop as well', async t => {
  const { clock, stops, ended, dryings } = scene('OFF')
  t.teardown(() => dryings.close())
  clock.now += 6 * MINUTE_MS
  await eventually(() => ended.length === 1)
  t.equal(stops.length, 1)
  t.match(ended, [{ state: 'failed', reason: 'unclear' }])
})

t.test('a unit that dries late is watched, and one whose heater cannot be stopped keeps its run open', async t => {
  const { dryer, run, stops, alarms, dryings } = scene('DRYING')
  t.teardown(() => dryings.close())
  await eventually(() => run.state === 'drying')
  dryer.state = 'CANNOT_STOP_HEAT_OOC'
  await eventually(() => run.state === 'stopping' && stops.length > 1)
  t.same(alarms, ['unit_fault'])
  t.match(run, { reason: 'unit_fault', ended_at: null })
})

t.test('a fault of a unit ends its drying while the database is away, and is told once', async t => {
  const { dryer, run, stops, alarms, dryings, database } = scene('DRYING')
  t.teardown(() => dryings.close())
  await eventually(() => run.state === 'drying')
  database.isAway = true
  await new Promise(resolve => setTimeout(resolve, 50))
  t.same(stops, [], 'it dries on')
  dryer.state = 'ERROR'
  await eventually(() => stops.length > 1)
  t.equal(run.state, 'drying')
  database.isAway = false
  await eventually(() => run.state === 'stopping')
  t.same(alarms, ['unit_fault'])
})
