import { randomUUID } from 'node:crypto'
import { Type, type Static } from 'typebox'
import { BadInput, operation } from '../../core/index.js'
import { acceptorOf } from './acceptor.js'
import { listOf } from './decide.js'
import type { Outlook } from './dryings-options.js'
import { DryingPlanChanged, NoDryingPlan, NotDryingAcceptor } from './errors.js'
import { OutlookView, planFields, PlanView, type GivenPlan, type RunView } from './schemas.js'
import type { PlanRow, RunRow } from './tables.js'
import { texts } from './texts/index.js'
import type { MeansCode, Said, WhyCode } from './types.js'

const Id = Type.String({ minLength: 1, maxLength: 64 })
const MOST_PLANS = 100

const filled = (text: string, values: Said['values']): string => text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]))

const whyView = ({ code, values }: Said<WhyCode>) => ({ code, values: { ...values }, text: filled(texts.en[`drying.why.${code}`], values) })

const means = (code: MeansCode, values: Said['values'] = {}): Said<MeansCode> => ({ code, values })

/** What a plan does once it is accepted, in sentences. */
function consequencesOf (plan: PlanRow): Said<MeansCode>[] {
  const { printer, unit, celsius, hours, humidity, days, from_time: from, until_time: until, time_zone: zone } = plan
  const materials = listOf(plan.materials).join(', ')
  return [
    printer === '' ? means('everywhere') : unit === null ? means('printer', { printer }) : means('unit', { printer, unit }),
    celsius === null ? means('limit') : means('heat', { celsius }),
    hours === null ? means('hours_auto') : means('hours', { hours }),
    materials === '' ? means('any_material') : means('materials', { materials }),
    ...(humidity === null ? [] : [means('humidity', { percent: humidity })]),
    ...(days === null ? [] : [means('days', { days })]),
    from === '' || until === '' || from === until ? means('any_time') : means('between', { from, until, zone }),
    ...(plan.holds_queue === 1 ? [means('holds_queue')] : []),
    means('unattended')
  ]
}

const meansView = ({ code, values }: Said<MeansCode>) => ({ code, values: { ...values }, text: filled(texts.en[`drying.means.${code}`], values) })

export const planView = (row: PlanRow): PlanView => ({
  id: row.id,
  name: row.name,
  printer: row.printer,
  unit: row.unit,
  materials: listOf(row.materials),
  humidity_percent: row.humidity,
  days: row.days,
  from: row.from_time,
  until: row.until_time,
  time_zone: row.time_zone,
  celsius: row.celsius,
  hours: row.hours,
  rotate: row.rotate === 1,
  power_group: row.power_group,
  holds_queue: row.holds_queue === 1,
  revision: row.revision,
  accepted_by: row.accepted_by,
  accepted_at: row.accepted_at,
  created_by: row.created_by,
  created_at: row.created_at,
  consequences: consequencesOf(row).map(meansView)
})

const runView = ({ id, plan, plan_name: planName, printer, unit, celsius, hours, materials, spools, ...rest }: RunRow):
Static<typeof RunView> => ({
  id,
  plan,
  plan_name: planName,
  printer,
  unit,
  celsius,
  hours,
  materials: listOf(materials),
  spools: listOf(spools),
  state: rest.state,
  reason: rest.reason,
  began_at: rest.began_at,
  ended_at: rest.ended_at
})

const outlookView = ({ plans, units, runs }: Outlook): Static<typeof OutlookView> => ({
  plans: plans.map(planView),
  units: units.map(({ printer, unit, model, humidity, slots, verdicts }) => ({
    printer,
    unit,
    model,
    humidity_percent: humidity === 0 ? null : humidity,
    slots: slots.map(({ slot, material, limitC, drySince = null, spool }) =>
      ({ slot, material, limit_c: limitC, dry_since: drySince, spool })),
    plans: verdicts.map(({ plan, reasons, setting }) => ({
      plan,
      starts: reasons.length === 0 && setting !== undefined,
      celsius: setting?.celsius ?? null,
      hours: setting?.hours ?? null,
      reasons: reasons.map(whyView)
    }))
  })),
  runs: runs.map(runView)
})

function isZone (name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** Columns of what is given; others stay as they are. */
function columnsOf (given: GivenPlan): Partial<PlanRow> {
  const { name, printer, unit, materials, humidity_percent: humidity, days, from, until, time_zone: zone } = given
  const { celsius, hours, rotate, power_group: group, holds_queue: holds } = given
  return {
    ...(name !== undefined && { name }),
    ...(printer !== undefined && { printer }),
    ...(unit !== undefined && { unit }),
    ...(materials !== undefined && { materials: materials.map(one => one.trim()).filter(Boolean).join(',') }),
    ...(humidity !== undefined && { humidity }),
    ...(days !== undefined && { days }),
    ...(from !== undefined && { from_time: from }),
    ...(until !== undefined && { until_time: until }),
    ...(zone !== undefined && { time_zone: zone }),
    ...(celsius !== undefined && { celsius }),
    ...(hours !== undefined && { hours }),
    ...(rotate !== undefined && { rotate: Number(rotate) }),
    ...(group !== undefined && { power_group: group }),
    ...(holds !== undefined && { holds_queue: Number(holds) })
  }
}

/** @throws PRN_ERR_BAD_INPUT for a plan that would never begin, or whose times mean nothing */
function checked (row: PlanRow): PlanRow {
  if (row.humidity === null && row.days === null) throw new BadInput('Give humidity_percent or days: without them nothing is ever due')
  if (!isZone(row.time_zone)) throw new BadInput(`There is no time zone '${row.time_zone}': give one such as Europe/Berlin`)
  if ((row.from_time === '') !== (row.until_time === '')) throw new BadInput('Give both from and until, or neither')
  if (row.unit !== null && row.printer === '') throw new BadInput('Give the printer of the unit')
  return row
}

const NOT_ACCEPTED = { accepted_by: '', accepted_kind: '', accepted_id: '', accepted_at: null } as const
const BLANK = {
  printer: '',
  unit: null,
  materials: '',
  humidity: null,
  days: null,
  from_time: '',
  until_time: '',
  celsius: null,
  hours: null,
  rotate: 0,
  power_group: '',
  holds_queue: 0,
  revision: 1,
  ...NOT_ACCEPTED
} as const

const zoneOfMachine = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

export const listDryingPlans = operation({
  name: 'drying.list',
  summary: 'Drying plans, what they would do with each unit now and why not, and what they did',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({}),
  output: OutlookView,
  run: async ({ services: { drying } }) => outlookView(await drying.outlook())
})

export const addDryingPlan = operation({
  name: 'drying.add',
  summary: 'Add a drying plan, which does nothing until a person accepts it',
  effect: 'write',
  scope: 'daemon',
  consequence: 'A plan is stored; nothing is heated before a person accepts it.',
  input: Type.Object({ ...planFields, name: Type.String({ minLength: 1, maxLength: 60 }) }),
  output: PlanView,
  async run ({ kernel, services: { drying }, askedBy }, given) {
    const { store } = drying
    if ((await store.plans()).length >= MOST_PLANS) throw new BadInput(`There are ${MOST_PLANS} plans already: remove one first`)
    const row = checked({
      ...BLANK,
      time_zone: zoneOfMachine(),
      ...columnsOf(given),
      id: `d${randomUUID().slice(0, 8)}`,
      name: given.name,
      created_by: askedBy,
      created_at: kernel.now()
    })
    await store.addPlan(row)
    drying.changed()
    return planView(row)
  }
})

export const changeDryingPlan = operation({
  name: 'drying.change',
  summary: 'Change a drying plan, which must then be accepted again',
  effect: 'write',
  scope: 'daemon',
  consequence: 'The plan changes and no longer counts as accepted: a drying that it began is ended.',
  input: Type.Object({ id: Id, ...planFields }),
  output: PlanView,
  errors: [NoDryingPlan, DryingPlanChanged],
  async run ({ services: { drying } }, { id, ...given }) {
    const before = await drying.plan(id)
    const row = checked({ ...before, ...columnsOf(given), ...NOT_ACCEPTED, revision: before.revision + 1 })
    const { id: _, ...columns } = row
    if (!await drying.store.changePlan(id, before.revision, columns)) throw new DryingPlanChanged()
    drying.changed()
    return planView(row)
  }
})

export const acceptDryingPlan = operation({
  name: 'drying.accept',
  summary: 'Accept what a drying plan does, as its consequences say',
  effect: 'write',
  scope: 'daemon',
  consequence: 'AMS units heat for hours by themselves whenever the plan says so; spools that cannot stand it would deform.',
  input: Type.Object({ id: Id, revision: Type.Integer({ minimum: 1, description: 'Of the plan that was read' }) }),
  output: PlanView,
  errors: [NoDryingPlan, DryingPlanChanged, NotDryingAcceptor],
  async run ({ kernel, services: { drying, http }, caller, trusted }, { id, revision }) {
    const acceptor = acceptorOf({ caller, trusted }, http.access.people)
    const before = await drying.plan(id)
    const accepted = { ...acceptor, accepted_at: kernel.now() }
    const isSame = before.revision === revision && await drying.store.changePlan(id, revision, accepted)
    if (!isSame) throw new DryingPlanChanged()
    drying.changed()
    return planView({ ...before, ...accepted })
  }
})

export const withdrawDryingPlan = operation({
  name: 'drying.withdraw',
  summary: 'Switch a drying plan off',
  effect: 'write',
  scope: 'daemon',
  consequence: 'The plan dries nothing any more, and a drying that it began is ended.',
  input: Type.Object({ id: Id }),
  output: PlanView,
  errors: [NoDryingPlan, DryingPlanChanged],
  async run ({ services: { drying } }, { id }) {
    const before = await drying.plan(id)
    if (!await drying.store.changePlan(id, before.revision, NOT_ACCEPTED)) throw new DryingPlanChanged()
    drying.changed()
    return planView({ ...before, ...NOT_ACCEPTED })
  }
})

export const removeDryingPlan = operation({
  name: 'drying.remove',
  summary: 'Remove a drying plan',
  effect: 'write',
  scope: 'daemon',
  consequence: 'The plan is gone, and a drying that it began is ended.',
  input: Type.Object({ id: Id }),
  output: Type.Object({ id: Type.String() }),
  errors: [NoDryingPlan],
  async run ({ services: { drying } }, { id }) {
    if (!await drying.store.removePlan(id)) throw new NoDryingPlan(id)
    drying.changed()
    return { id }
  }
})
