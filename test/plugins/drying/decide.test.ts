import t from 'tap'
import { acceptorOf, callerOf } from '../../../plugins/drying/acceptor.js'
import { decide, isMeant, isWithinHours, lookBackFrom, stillIn } from '../../../plugins/drying/decide.js'
import { mayHeat, slotFacts } from '../../../plugins/drying/read-units.js'
import type { PlanRow, RunRow } from '../../../plugins/drying/tables.js'
import type { SlotFacts, UnitFacts } from '../../../plugins/drying/types.js'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const NOW = Date.UTC(2026, 10, 29, 22, 30)

const plan = (more: Partial<PlanRow> = {}): PlanRow => ({
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
  revision: 1,
  accepted_by: 'Ann',
  accepted_kind: 'user',
  accepted_id: 'user 1',
  accepted_at: 1,
  created_by: 'Ann',
  created_at: 1,
  ...more
})
const slot = (more: Partial<SlotFacts> = {}): SlotFacts =>
  ({ slot: 0, material: 'PETG', limitC: 65, hours: 8, drySince: NOW - 10 * DAY_MS, spool: 's1', ...more })
const unit = (more: Partial<UnitFacts> = {}): UnitFacts => ({
  printer: 'x1', serial: 'S', unit: 0, model: 'AMS_2_PRO', humidity: 40, leastC: 45, mostC: 65, slots: [slot()], obstacles: [], nextStartAt: undefined, ...more
})
t.test('the last drying counts as long as the days of a plan', async t => {
  const from = lookBackFrom([{ days: null }, { days: 180 }], NOW)
  t.ok(from < NOW - 180 * DAY_MS && from > NOW - 190 * DAY_MS)
  t.ok(lookBackFrom([], NOW) < NOW - DAY_MS)
})

const run = (more: Partial<RunRow> = {}): RunRow => ({
  id: 'r',
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
  state: 'finished',
  reason: '',
  began_at: NOW - DAY_MS,
  ended_at: NOW - DAY_MS,
  told: 1,
  ...more
})
const AROUND = { now: NOW, runs: [], plans: [], hot: [], barred: undefined }
const reasons = (plan: PlanRow, unit: UnitFacts, runs: readonly RunRow[] = []): string[] =>
  decide(plan, unit, { ...AROUND, runs }).reasons.map(({ code }) => code)

t.test('a unit is heated only as far as each of its spools stands', async t => {
  const setting = (slots: SlotFacts[], more: Partial<PlanRow> = {}) =>
    decide(plan(more), unit({ slots }), AROUND).setting
  t.same(setting([slot()]), { celsius: 65, hours: 8 })
  t.same(setting([slot(), slot({ slot: 1, material: 'PLA', limitC: 45, hours: 12 })]), { celsius: 45, hours: 12 })
  t.same(setting([slot(), slot({ slot: 1, material: 'PLA', limitC: 50.5, hours: 12 })], { materials: 'PETG', celsius: 60, hours: 6 }), { celsius: 50, hours: 6 })
  t.same(setting([slot({ limitC: 90 })]), { celsius: 65, hours: 8 }, 'never above what the unit can')
  t.same(setting([slot({ hours: 30 })]), { celsius: 65, hours: 24 })
  t.same(reasons(plan(), unit({ slots: [slot(), slot({ slot: 2, material: 'PLA', limitC: 40 })] })), ['too_hot'])
  t.same(reasons(plan({ celsius: 45 }), unit({ leastC: 50 })), ['too_cool'])
  t.same(reasons(plan(), unit({ slots: [slot(), slot({ slot: 3, material: '' })] })), ['unknown'], 'what is not known is not heated')
  t.same(reasons(plan(), unit({ slots: [] })), ['empty'])
})

t.test('a spool stands the least of what its type, its tag and its material say', async t => {
  const loaded = { slot: 1, type: 'PETG', dryingC: 0, dryingHours: 0 }
  const known = (dry: number | null, hours: number | null) =>
    ({ id: 's1', type: { dry_temp: dry, dry_hours: hours } as any, driedAt: 5, openedAt: 9 })
  t.match(slotFacts(loaded, 'AMS_2_PRO', undefined, undefined), { limitC: 65, hours: 12, drySince: undefined, spool: '' })
  t.match(slotFacts({ ...loaded, dryingC: 55, dryingHours: 20 }, 'AMS_2_PRO', known(60, null), undefined), { limitC: 55, hours: 20, drySince: 9, spool: 's1' })
  t.match(slotFacts({ ...loaded, dryingC: 80 }, 'AMS_HT', known(50, 6), undefined), { limitC: 50, hours: 6 })
  t.match(slotFacts({ ...loaded, type: 'PLA', dryingC: 55 }, 'AMS_2_PRO', undefined, 7), { limitC: 45, drySince: 7 })
  t.match(slotFacts({ ...loaded, type: 'Mystery' }, 'AMS_HT', undefined, undefined), { limitC: 45 })
})

t.test('a plan begins when something is due, and says every reason why not', async t => {
  t.same(reasons(plan(), unit()), [])
  t.same(reasons(plan(), unit({ humidity: 29 })), ['not_due'])
  t.same(reasons(plan(), unit({ humidity: 0 })), ['not_due'], 'a humidity that is not reported begins nothing')
  t.same(reasons(plan({ humidity: null, days: 7 }), unit()), [])
  t.same(reasons(plan({ humidity: null, days: 11 }), unit()), ['not_due'])
  t.same(reasons(plan({ humidity: null, days: 11 }), unit({ slots: [slot({ drySince: undefined })] })), [], 'never dried as far as anyone knows')
  t.same(reasons(plan({ humidity: 90, days: 7 }), unit()), [], 'one of the two is enough')
  t.same(reasons(plan({ materials: 'PLA' }), unit()), ['no_material'])
  t.same(reasons(plan({ accepted_by: '', materials: 'PLA' }), unit({ obstacles: [{ code: 'prints', values: {} }] })), ['not_accepted', 'prints', 'no_material'])
  t.ok(isMeant('PA, petg', 'PA-CF'))
  t.ok(isMeant('PA, petg', 'PETG'))
  t.notOk(isMeant('PA-CF', 'PA'))
})

t.test('hours are those of the time zone, and may pass midnight', async t => {
  const within = (from: string, until: string, zone: string, now = NOW) =>
    isWithinHours(plan({ from_time: from, until_time: until, time_zone: zone }), now)
  t.ok(within('22:00', '06:00', 'UTC'))
  t.notOk(within('22:00', '06:00', 'America/New_York'), 'there it is half past five')
  t.ok(within('23:00', '23:31', 'Europe/Berlin'))
  t.notOk(within('06:00', '22:00', 'UTC'))
  t.ok(within('22:30', '22:31', 'UTC'))
  t.notOk(within('22:00', '22:30', 'UTC'), 'the end is not part of it')
  t.ok(within('', '', 'UTC'))
  t.ok(within('22:00', '06:00', 'Europe/Berlin', Date.UTC(2026, 6, 1, 3, 59)), 'summer time')
  t.notOk(within('22:00', '06:00', 'Europe/Berlin', Date.UTC(2026, 6, 1, 4, 0)))
  t.same(reasons(plan({ from_time: '01:00', until_time: '02:00' }), unit()), ['hours'])
})

t.test('one unit of a power group dries at a time, and none again within twelve hours', async t => {
  t.same(reasons(plan(), unit(), [run({ serial: 'T', state: 'drying', ended_at: null })]), ['power'])
  t.same(reasons(plan(), unit(), [run({ unit: 128, state: 'stopping', ended_at: null })]), ['power'])
  t.same(reasons(plan({ power_group: 'b' }), unit(), [run({ serial: 'T', state: 'drying', ended_at: null })]), [])
  t.same(reasons(plan(), unit(), [run({ ended_at: NOW - 11 * HOUR_MS })]), ['pause'])
  t.same(reasons(plan(), unit(), [run({ ended_at: NOW - 13 * HOUR_MS })]), [])
  t.same(reasons(plan(), unit(), [run({ unit: 128, ended_at: NOW - HOUR_MS })]), [], 'another unit')
})

t.test('nothing begins that the next print of the queue would interrupt, unless the queue waits', async t => {
  t.same(reasons(plan(), unit({ nextStartAt: NOW + 7 * HOUR_MS })), ['next_print'])
  t.same(reasons(plan(), unit({ nextStartAt: NOW + 9 * HOUR_MS })), [])
  t.same(reasons(plan({ holds_queue: 1 }), unit({ nextStartAt: NOW })), [])
})

t.test('a dryer that somebody else started takes the power of its group', async t => {
  const hot = [{ printer: 'x2', serial: 'T', unit: 0 }]
  const codes = (own: PlanRow, plans: PlanRow[], here = hot) =>
    decide(own, unit(), { ...AROUND, plans, hot: here }).reasons.map(({ code }) => code)
  t.same(codes(plan(), []), ['power'], 'the plan is for every printer')
  t.same(codes(plan({ printer: 'x1', power_group: 'b' }), [plan({ printer: 'x2', power_group: 'b' })]), ['power'])
  t.same(codes(plan({ printer: 'x1', power_group: 'b' }), [plan({ printer: 'x2', power_group: 'c' })]), [])
  t.same(codes(plan({ printer: 'x1' }), []), ['power'], 'no plan says that it has power of its own')
  t.same(codes(plan(), [], [{ printer: 'x1', serial: 'S', unit: 0 }]), [], 'the unit itself is another matter')
})

t.test('a plan acts with the rights that whoever accepted it has now', async t => {
  const rights = (more: object) => ({ name: 'Ann', id: 'user 1', role: 'administrate' as const, printers: undefined, ...more })
  const as = (found: ReturnType<typeof rights> | undefined, own = plan()) =>
    callerOf(own, 'x1', { people: { isLocked: true, rightsOf: () => found }, trustLan: false })
  t.match(as(rights({})), { name: 'drying plan Night of Ann', id: 'user 1', role: 'operate' })
  t.match(as(undefined), { code: 'acceptor_gone' })
  t.match(as(rights({ role: 'view' })), { code: 'acceptor_may_not' })
  t.match(as(rights({ printers: new Set(['x2']) })), { code: 'acceptor_may_not' })
  t.match(as(undefined, plan({ accepted_kind: '' })), { code: 'accept_again' })
  t.match(as(undefined, plan({ accepted_kind: 'network' })), { code: 'accept_again' })
  t.match(as(undefined, plan({ accepted_by: 'local', accepted_kind: 'local' })), { role: 'operate' })

  const people = { isLocked: true, rightsOf: () => rights({}) }
  t.match(acceptorOf({ caller: rights({}), trusted: true }, people), { accepted_by: 'Ann', accepted_kind: 'user', accepted_id: 'user 1' })
  t.throws(() => acceptorOf({ caller: rights({ name: 'key robot' }), trusted: true }, people), { code: 'PRN_ERR_DRYING_ACCEPTOR' }, 'a key')
  t.throws(() => acceptorOf({ caller: rights({ budget: {} }), trusted: true }, people), { code: 'PRN_ERR_DRYING_ACCEPTOR' })
  t.throws(() => acceptorOf({ caller: 'network', trusted: false }, undefined), { code: 'PRN_ERR_DRYING_ACCEPTOR' })
})

t.test('a heater counts as on unless the unit says that it is off', async t => {
  const states = ['OFF', 'COOLING', 'DRYING', 'CHECKING', 'STOPPING', 'ERROR', 'CANNOT_STOP_HEAT_OOC', 'PRODUCT_TEST'] as const
  t.same(states.filter(state => !mayHeat({ dryer: { state } as never })), ['OFF', 'COOLING'])
})

t.test('a spool that was changed while its unit dried counts as dried no more than the one that came', async t => {
  const run = { spools: 's1,s2' }
  t.equal(stillIn(run, unit({ slots: [slot(), slot({ slot: 1, spool: 's3' }), slot({ slot: 2, spool: '' })] })), 's1')
  t.equal(stillIn(run, undefined), 's1,s2', 'the unit is not known at the moment')
  t.equal(stillIn({ spools: '' }, unit()), '')
})
