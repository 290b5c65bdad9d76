import { OPEN_STATES, type PlanRow, type RunRow } from './tables.js'
import { why, type HotUnit, type Setting, type SlotFacts, type UnitFacts, type Verdict, type Why } from './types.js'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Between the end of a drying and the next one of the same unit, so that a broken sensor does not heat for ever. */
export const PAUSE_MS = 12 * HOUR_MS
/** Long enough for the pause. */
const LOOK_BACK_DAYS = 7
/** Firmware ends a drying after this time. */
export const LONGEST_HOURS = 24

const familyName = (material: string): string => material.toUpperCase().split(/[-\s]/)[0] ?? ''

export const listOf = (text: string): string[] => text.split(',').map(part => part.trim()).filter(Boolean)

/** `PA` means `PA-CF` as well, but not the other way round. */
export function isMeant (materials: string, material: string): boolean {
  const wanted = listOf(materials).map(name => name.toUpperCase())
  return wanted.length === 0 || wanted.includes(material.toUpperCase()) || wanted.includes(familyName(material))
}

const minutesOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

/** Minutes since midnight in a time zone. */
function minuteOfDay (now: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(now)
  return minutesOf(parts)
}

/** Whether a plan may begin at this time of day. Hours may pass midnight; equal ones mean the whole day. */
export function isWithinHours ({ from_time: from, until_time: until, time_zone: zone }: PlanRow, now: number): boolean {
  if (from === '' || until === '' || from === until) return true
  const [at, begin, end] = [minuteOfDay(now, zone), minutesOf(from), minutesOf(until)]
  return begin < end ? at >= begin && at < end : at >= begin || at < end
}

/** As hot and long as every spool in the unit stands. */
function settingFor (plan: PlanRow, unit: UnitFacts, wanted: readonly SlotFacts[]):
{ setting?: Setting, reasons: Why[] } {
  const [weakest] = unit.slots.toSorted((a, b) => a.limitC - b.limitC)
  if (weakest === undefined) return { reasons: [] }
  const celsius = Math.floor(Math.min(weakest.limitC, plan.celsius ?? Infinity, unit.mostC))
  if (celsius < unit.leastC) {
    return weakest.limitC < unit.leastC
      ? { reasons: [why('too_hot', { slot: weakest.slot + 1, material: weakest.material, celsius: weakest.limitC, least: unit.leastC })] }
      : { reasons: [why('too_cool', { celsius: plan.celsius ?? 0, least: unit.leastC })] }
  }
  const hours = plan.hours ?? Math.max(1, ...wanted.map(slot => slot.hours))
  return { setting: { celsius, hours: Math.min(LONGEST_HOURS, Math.ceil(hours)) }, reasons: [] }
}

function isDue (plan: PlanRow, unit: UnitFacts, wanted: readonly SlotFacts[], now: number): boolean {
  if (plan.humidity !== null && unit.humidity >= plan.humidity) return true
  if (plan.days === null) return false
  const before = now - plan.days * DAY_MS
  return wanted.some(({ drySince }) => drySince === undefined || drySince <= before)
}

/** The parts of the situation beside the unit itself. */
export interface Around {
  readonly now: number
  /** Of the last days, any state. */
  readonly runs: readonly RunRow[]
  /** They say which units share a power group. */
  readonly plans: readonly PlanRow[]
  /** Units that may heat now, whoever started them. */
  readonly hot: readonly HotUnit[]
  /** Why the plan may not act on this unit as whoever accepted it. */
  readonly barred: Why | undefined
}

/** Units that no plan is for are of the group without a name. */
function isInGroup (unit: HotUnit, group: string, plans: readonly PlanRow[]): boolean {
  const own = plans.filter(plan => concerns(plan, unit))
  return own.length === 0 ? group === '' : own.some(plan => plan.power_group === group)
}

/** Other dryings that stand in the way. */
function inTheWay (plan: PlanRow, { serial, unit }: UnitFacts, { now, runs, plans, hot }: Around): Why[] {
  const isHere = (run: Pick<RunRow, 'serial' | 'unit'>) => run.serial === serial && run.unit === unit
  const open = runs.filter(run => OPEN_STATES.includes(run.state) && !isHere(run))
  const busy = open.find(run => run.power_group === plan.power_group) ??
    hot.find(other => !isHere(other) && isInGroup(other, plan.power_group, [plan, ...plans]))
  const last = runs.findLast(run => isHere(run) && run.ended_at !== null && run.ended_at > now - PAUSE_MS)
  return [
    ...(busy ? [why('power', { printer: busy.printer, unit: busy.unit })] : []),
    ...(last?.ended_at ? [why('pause', { hours: Math.ceil((last.ended_at + PAUSE_MS - now) / HOUR_MS) })] : [])
  ]
}

export const concerns = (plan: Pick<PlanRow, 'printer' | 'unit'>, unit: Pick<UnitFacts, 'printer' | 'unit'>): boolean =>
  (plan.printer === '' || plan.printer === unit.printer) && (plan.unit === null || plan.unit === unit.unit)

/** What a plan does with a unit now, and every reason why not. Pure. */
export function decide (plan: PlanRow, unit: UnitFacts, around: Around): Verdict {
  const wanted = unit.slots.filter(({ material }) => isMeant(plan.materials, material))
  const unknown = unit.slots.find(({ material }) => material === '')
  const { setting, reasons } = settingFor(plan, unit, wanted)
  const endsAt = around.now + (setting?.hours ?? 0) * HOUR_MS
  const { nextStartAt } = unit
  const all: Why[] = [
    ...(plan.accepted_by === '' ? [why('not_accepted')] : around.barred ? [around.barred] : []),
    ...unit.obstacles,
    ...(unit.slots.length === 0 ? [why('empty')] : []),
    ...(unknown ? [why('unknown', { slot: unknown.slot + 1 })] : []),
    ...(unit.slots.length > 0 && wanted.length === 0 ? [why('no_material')] : []),
    ...reasons,
    ...(wanted.length > 0 && !isDue(plan, unit, wanted, around.now) ? [why('not_due', { humidity: unit.humidity })] : []),
    ...(isWithinHours(plan, around.now) ? [] : [why('hours', { from: plan.from_time, until: plan.until_time, zone: plan.time_zone })]),
    ...inTheWay(plan, unit, around),
    ...(plan.holds_queue === 0 && nextStartAt !== undefined && nextStartAt < endsAt
      ? [why('next_print', { minutes: Math.max(0, Math.ceil((nextStartAt - around.now) / 60_000)) })]
      : [])
  ]
  return { reasons: all, setting }
}

/** Since when runs count: those after which a unit without known spools is not due yet. Pure. */
export const lookBackFrom = (plans: readonly Pick<PlanRow, 'days'>[], now: number): number =>
  now - (Math.max(LOOK_BACK_DAYS, ...plans.map(({ days }) => days ?? 0)) + 2) * DAY_MS

/** Spools of its begin that are still there: one that was taken out, or put in, was not dried. Pure. */
export function stillIn ({ spools }: Pick<RunRow, 'spools'>, facts: Pick<UnitFacts, 'slots'> | undefined): string {
  if (facts === undefined) return spools
  const there = new Set(facts.slots.map(({ spool }) => spool))
  return spools.split(',').filter(id => there.has(id)).join(',')
}
