import t, { type Test } from 'tap'
import { dryingWith } from '../../../plugins/drying/index.js'
import spools from '../../../plugins/spools/index.js'
import { queueWith } from '../../../plugins/queue/index.js'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { recordedWith } from '../history/preset.js'

const preset = recordedWith(spools, queueWith(), dryingWith({ turnMs: 200, graceMs: 0 }))
const WITHIN_MS = 30_000
const HOUR_MS = 3_600_000
/** Of the H2D's AMS HT, which holds PA-CF. */
const HT = 128
type Body = any

/** A printer whose time runs fast; that of the service moves only by hand. */
async function start (t: Test, speed: number) {
  const clock = { now: Date.UTC(2026, 10, 29, 22) }
  const booted = await boot(t, {
    preset, models: [{ model: 'H2D', name: 'h2d', speed, reportEveryMs: 200 }], dependencies: { now: () => clock.now }
  })
  const { http, printer } = booted
  const outlook = async (): Promise<Body> => (await http('GET', '/api/drying_plans')).body
  return {
    ...booted,
    clock,
    outlook,
    add: async (plan: Record<string, unknown>): Promise<Body> => (await http('POST', '/api/drying_plans', plan)).body,
    accept: async ({ id, revision }: Body) => await http('POST', `/api/drying_plans/${id}/accept`, { revision }),
    commands: () => printer.requests.map(({ body }) => body as Body).filter(({ command }) => command === 'ams_filament_drying'),
    async reasons (unit: number, plan: string): Promise<string[]> {
      const { plans } = (await outlook()).units.find((one: Body) => one.unit === unit)
      return plans.find((one: Body) => one.plan === plan).reasons.map(({ code }: Body) => code)
    },
    newest: async (): Promise<Body> => (await outlook()).runs[0]
  }
}

t.test('a plan dries once a person has accepted what it does, and its spool is told', async t => {
  const { http, add, accept, commands, reasons, newest, clock, outlook, kernel } = await start(t, 60)
  const { slots } = (await http('GET', '/api/spools')).body as Body
  const slot = slots.find(({ place }: Body) => place === `ams ${HT} slot 0`)
  const spool: Body = (await http('POST', '/api/spools', { name: 'Nylon', material: 'PA-CF', tag: slot.tag, net_g: 1000 })).body
  const plan = await add({ name: 'Nylon', printer: 'h2d', unit: HT, materials: ['PA'], days: 3, hours: 2 })
  t.match(plan, { accepted_by: '', revision: 1, consequences: [{ code: 'unit' }, { code: 'limit' }, { code: 'hours', text: 'Each drying takes 2 h.' }, {}, {}, {}, { code: 'unattended' }] })
  t.same(await reasons(HT, plan.id), ['not_accepted'])
  t.match((await outlook()).units.find((one: Body) => one.unit === HT), { slots: [{ material: 'PA-CF', limit_c: 80, spool: spool.id }], plans: [{ starts: false, celsius: 80, hours: 2 }] })
  t.match(await http('POST', `/api/drying_plans/${plan.id}/accept`, { revision: 2 }), { status: 409, body: { error: 'drying_plan_changed' } })
  t.match((await http('PATCH', `/api/drying_plans/${plan.id}`, { celsius: 70 })).body, { revision: 2, celsius: 70 })
  t.equal((await accept(plan)).status, 409, 'it was changed since it was read')
  t.same(commands(), [], 'nothing was heated so far')

  t.equal((await accept({ ...plan, revision: 2 })).status, 200)
  await eventually(async () => (await newest())?.state === 'drying', WITHIN_MS)
  t.match(commands(), [{ ams_id: HT, mode: 1, temp: 70, duration: 2, rotate_tray: false }])
  t.match(await newest(), { plan_name: 'Nylon', printer: 'h2d', unit: HT, celsius: 70, hours: 2, spools: [spool.id], ended_at: null })

  const seen: Body[] = []
  kernel.events.on('drying:ended', run => seen.push(run))
  clock.now += 2 * HOUR_MS
  await kernel.call(kernel.operation('filament.stopDryer') as never, { ams_id: HT } as never, { printer: 'h2d' })
  await eventually(async () => (await newest()).state === 'finished', WITHIN_MS)
  t.match(seen, [{ state: 'finished', unit: HT }])
  await eventually(async () => (await http('GET', `/api/spools/${spool.id}`)).body.spool.dried_at === clock.now, WITHIN_MS)
  const page: Body = (await http('GET', `/api/spools/${spool.id}`)).body
  t.match(page.history.filter(({ kind }: Body) => kind === 'dried'), [{ grams: 0, left_g: 1000, note: '2 h · 70 °C · Nylon', by: 'h2d' }])
  await eventually(async () => (await reasons(HT, plan.id)).join() === 'not_due,pause', WITHIN_MS)
  t.equal(commands().filter(({ mode }: Body) => mode === 1).length, 1, 'it began once')
})

t.test('a print that needs the unit ends the drying, and so does whoever switches the plan off', async t => {
  const { http, add, accept, commands, reasons, newest, printer, clock, tool } = await start(t, 10)
  const plan = await add({ name: 'All', humidity_percent: 1, hours: 12, holds_queue: true })
  await accept(plan)
  await eventually(async () => (await newest())?.state === 'drying', WITHIN_MS)
  const { unit } = await newest()
  t.equal(unit, 0)
  t.match(commands(), [{ temp: 45 }], 'as PLA is in it')
  t.ok((await reasons(HT, plan.id)).includes('power'), 'one unit after the other')
  t.equal((await http('POST', '/api/queue/plate_clear', { printer: 'h2d' })).status, 200)
  await eventually(async () => (await http('GET', '/api/queue')).body.printers[0].why?.code !== 'plate_used', WITHIN_MS)
  t.match((await http('GET', '/api/queue')).body.printers, [{ why: { code: 'dries_by_plan', values: { unit: 0, plan: 'All' } } }])

  t.match(await tool('stop_drying_plan', { id: plan.id, user_permission: true }), { failed: false })
  await eventually(async () => (await newest()).state === 'stopped', WITHIN_MS)
  t.match(await newest(), { reason: 'withdrawn', unit: 0 })
  t.same((await reasons(0, plan.id))[0], 'not_accepted')
  clock.now += 24 * HOUR_MS

  await accept(plan)
  await eventually(async () => (await newest()).state === 'drying', WITHIN_MS)
  printer.startJob({ filament: { ams: 0, slot: 0 }, minutes: 600 })
  await eventually(async () => (await newest()).state === 'stopped', WITHIN_MS)
  t.match(await newest(), { reason: 'print', unit: 0 })
  t.match(commands().at(-1), { ams_id: 0, mode: 0 })
  t.ok((await reasons(HT, plan.id)).includes('prints'))
  t.equal((await http('DELETE', `/api/drying_plans/${plan.id}`)).status, 200)
  t.match(await http('POST', `/api/drying_plans/${plan.id}/withdraw`), { status: 404, body: { error: 'no_such_drying_plan' } })
})

t.test('a plan that means nothing is refused, and agents only propose', async t => {
  const { http, tool, outlook } = await start(t, 1)
  for (const [plan, words] of [
    [{ name: 'x' }, /humidity_percent or days/],
    [{ name: 'x', days: 3, time_zone: 'Mars/Base' }, /no time zone/],
    [{ name: 'x', days: 3, from: '22:00' }, /both from and until/],
    [{ name: 'x', days: 3, unit: 0 }, /printer of the unit/],
    [{ name: 'x', days: 3, from: '25:00', until: '06:00' }, /from/],
    [{ name: 'x', days: 3, celsius: 120 }, /celsius/]
  ] as const) {
    const { status, body } = await http('POST', '/api/drying_plans', plan)
    t.equal(status, 400)
    t.match(body.reason ?? body.detail, words)
  }
  t.match(await tool('propose_drying_plan', { name: 'Proposed', days: 3, user_permission: true }), { failed: false })
  t.match((await outlook()).plans, [{ name: 'Proposed', accepted_by: '' }])
})
