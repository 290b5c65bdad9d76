import t, { type Test } from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { bootEnergy, MINUTE, START, stateOf, type WithPlugs } from './boot-plug.js'
import { shelly2, type Plug } from './plugs.js'

/** All that was booked, straight from the tables. */
const bookedIn = ({ kernel }: WithPlugs) => kernel.services.database.query<any, any>(async db => ({
  use: await db.selectFrom('energy_use').selectAll().execute(),
  prints: await db.selectFrom('energy_prints').selectAll().execute(),
  meters: await db.selectFrom('energy_meters').selectAll().execute()
}))

const sum = (rows: readonly { wh: number }[]) => rows.reduce((all, { wh }) => all + wh, 0)

/** The plug counts what it delivers, as its clock passes. */
function drive (booted: WithPlugs, plug: Plug) {
  let at = booted.clock.now()
  return () => {
    const now = booted.clock.now()
    plug.wh += plug.watts * (now - at) / 3_600_000
    at = now
  }
}

async function passWith (booted: WithPlugs, count: () => void, test: () => unknown, what: string) {
  await booted.passUntil(() => {
    count()
    return test()
  }, what)
}

t.test('energy of prints and of the time between adds up to what the plug counted', async t => {
  const plug = await shelly2(t)
  Object.assign(plug, { wh: 4_000, watts: 12 })
  const booted = await bootEnergy(t)
  const { http, name, pass, clock } = booted
  t.match((await http('PATCH', '/api/energy/prices', {
    currency: 'EUR', price: 0.4, windows: [], time_zone: 'UTC'
  } as never)).body, { price: 0.4 })
  const id = await booted.add({ settings: { host: plug.host }, printer: name })
  const count = drive(booted, plug)
  const until = (ms: number) => {
    const end = clock.now() + ms
    return passWith(booted, count, () => clock.now() >= end, 'time passes')
  }
  await until(10 * MINUTE)
  await eventually(async () => (await bookedIn(booted)).meters.length === 1)
  const first = (await bookedIn(booted)).meters[0].counter - (await bookedIn(booted)).meters[0].wh
  await booted.print(name, 20)
  await passWith(booted, count, () => stateOf(booted) === 'PREPARE' || stateOf(booted) === 'RUNNING', 'it begins')
  const [begunWh, begunAt] = [plug.wh, clock.now()]
  plug.watts = 180
  await passWith(booted, count, () => stateOf(booted) === 'FINISH', 'it ends')
  const printWh = plug.wh - begunWh
  plug.watts = 12
  await until(10 * MINUTE)
  await pass(20_000)
  const booked = await bookedIn(booted)
  const [meter] = booked.meters
  t.ok(Math.abs(sum(booked.use) - meter.wh) < 1e-6, `${sum(booked.use)} Wh in rows, ${meter.wh} Wh by the meter`)
  t.ok(Math.abs(first + meter.wh - meter.counter) < 1e-6, 'and that is the difference of the counter')
  t.ok(plug.wh - meter.counter < 1, 'nothing waits for long')
  const [print] = booked.prints
  t.equal(booked.prints.length, 1)
  t.ok(Math.abs(print.wh - printWh) < printWh * 0.03 + 1, `the print took ${printWh} Wh, booked were ${print.wh}`)
  const idle = booked.use.filter(({ print }: { print: string }) => print === '')
  t.ok(Math.abs(sum(idle) + print.wh - meter.wh) < 1e-6)
  t.match(await booted.plugOf(id), { counted_by: 'counter', today_wh: Number })

  const shown = (await http('GET', `/api/history/${print.id}`)).body as any
  t.match(shown.energy, { currency: 'EUR', is_estimated: false, is_partial: false })
  t.ok(Math.abs(shown.energy.cost - shown.energy.wh / 1_000 * 0.4) < 0.001)
  t.match((await http('GET', '/api/history/statistics')).body, { energy: { prints: 1, wh: shown.energy.wh } })
  t.match((await http('GET', '/api/history/statistics', { since: begunAt - MINUTE })).body, { energy: { prints: 1 } })
  t.match((await http('GET', '/api/history/statistics', { text: 'cube' })).body, { energy: null }, 'not known for these')
  const use = (await http('GET', '/api/energy/use')).body as any
  t.match(use, { today: '2026-11-29', days: [{ day: '2026-11-29' }], printers: [{ printer: name }], currency: 'EUR' })
  t.ok(Math.abs(use.wh - meter.wh) < 0.01 && Math.abs(use.prints_wh + use.idle_wh - use.wh) < 0.01)
})

t.test('a counter that lies, restarts or falls silent never books what cannot be', async t => {
  const plug = await shelly2(t)
  Object.assign(plug, { wh: 100, watts: 50 })
  const booted = await bootEnergy(t)
  await booted.add({ settings: { host: plug.host } })
  await booted.pass(3 * MINUTE)
  await eventually(async () => (await bookedIn(booted)).meters.length > 0)
  const meter = async () => (await bookedIn(booted)).meters[0]
  const steps: readonly (readonly [counter: unknown, booked: number, stored: number, what: string])[] = [
    [110, 10, 110, 'ten more'], [1e300, 10, 110, 'no number that a counter has'], [-4, 10, 110, 'negative'],
    [null, 10, 110, 'nothing'], [9e8, 10, 9e8, 'a jump that no plug can deliver'],
    [9e8 + 5, 15, 9e8 + 5, 'counted on from there'], [3, 18, 3, 'it was restarted'], [8, 23, 8, 'and counts on'],
    [7.5, 23, 8, 'an old message'], [9, 24, 9, 'and counts on']
  ]
  for (const [counter, booked, stored, what] of steps) {
    plug.wh = counter as number
    const asked = plug.asked.length
    await booted.passUntil(() => plug.asked.length > asked + 8, 'it was asked')
    await booted.passUntil(async () => (await meter())?.counter === stored, `${what}: the count is stored`)
    t.ok(Math.abs((await meter()).wh - booked) < 1e-6, `${what}: ${(await meter()).wh} Wh`)
  }
  plug.instead = 'no plug any more'
  await booted.pass(10 * MINUTE)
  t.match((await booted.http('GET', '/api/energy')).body, { plugs: [{ is_on: null, is_lost: true, watts: null }] })
  t.equal(booted.events.filter(({ what }) => what === 'lost').length, 1, 'said once')
})

t.test('a plug without a counter is counted by its power, and says so', async t => {
  const plug = await shelly2(t)
  plug.instead = JSON.stringify({ gen: 2, output: true, apower: 120 })
  const booted = await bootEnergy(t)
  const id = await booted.add({ settings: { host: plug.host } })
  await booted.pass(60 * MINUTE)
  const [meter] = (await bookedIn(booted)).meters
  t.equal(meter.counted_by, 'power')
  t.ok(Math.abs(meter.wh - 120) < 8, `${meter.wh} Wh in an hour at 120 W`)
  t.match(await booted.plugOf(id), { counted_by: 'power', watts: 120 })
})

async function restarted (t: Test, dataDir: string, plug: Plug, add: boolean, begin = START) {
  const booted = await bootEnergy(t, { config: { dataDir } }, begin)
  if (add) await booted.add({ settings: { host: plug.host } })
  return booted
}

t.test('a restart of the service loses nothing that the plug counted', async t => {
  const plug = await shelly2(t)
  Object.assign(plug, { wh: 1_000, watts: 100 })
  const dataDir = testFolder(t)
  const first = await restarted(t, dataDir, plug, true)
  await first.pass(3 * MINUTE)
  plug.wh = 1_005
  await first.pass(2 * MINUTE)
  const before = (await bookedIn(first)).meters[0].wh
  await first.close()
  plug.wh = 1_300
  const second = await restarted(t, dataDir, plug, false, START + 180 * MINUTE)
  await second.pass(3 * MINUTE)
  t.ok(Math.abs((await bookedIn(second)).meters[0].wh - before - 295) < 1e-6, 'what was counted meanwhile is booked')
})
