import { bringsAbout } from '../engine/chains.js'
import type { Draft, Step, Trigger } from '../types.js'
import type { Report } from './check-context.js'

/** What rules may heat; the values of each begin with the same word as what they compare. */
export const HEATERS: ReadonlySet<string> = new Set(['climate.setBedTarget', 'climate.setChamberTarget', 'climate.setNozzleTarget'])
/** From the begin of heating to its end. */
const LONGEST_HEAT_S = 14_400
/** A heater passes its target before it holds it. */
const OVERSHOOT = 15

type CallStep = Extract<Step, { kind: 'call' }>

const heats = (step: Step): step is CallStep => step.kind === 'call' && HEATERS.has(step.operation)
const isOff = ({ input }: CallStep): boolean => input?.celsius === 0

/** Whether a step switches off what another one heats. */
const ends = (step: Step, { operation, printer = 'event', input }: CallStep): boolean =>
  heats(step) && isOff(step) && step.operation === operation && (step.printer ?? 'event') === printer &&
  (step.input?.extruder ?? -1) === (input?.extruder ?? -1)

/** What may come between: nothing that could end the run while it is hot. */
const isHarmless = (step: Step): boolean =>
  step.kind === 'wait' || step.kind === 'message' || (step.kind === 'wait_until' && step.otherwise === 'go_on')

/** At most. */
const secondsOf = (steps: readonly Step[]): number =>
  steps.reduce((sum, one) => sum + (one.kind === 'wait' ? one.seconds : one.kind === 'wait_until' ? one.most_s : 0), 0)

/** How long a step heats at most, s; 0: it does not. */
export function heatSeconds (then: readonly Step[], at: number): number {
  const step = then[at]
  if (step === undefined || !heats(step) || isOff(step)) return 0
  const end = then.findIndex((later, index) => index > at && ends(later, step))
  return end < 0 ? LONGEST_HEAT_S : Math.min(LONGEST_HEAT_S, secondsOf(then.slice(at + 1, end)))
}

/** Heat has an end in the rule itself, since nobody may be there to end it. */
export function checkHeat (then: readonly Step[], report: Report): void {
  for (const [at, step] of then.entries()) {
    if (!heats(step) || isOff(step)) continue
    const path = `then[${at}]`
    const end = then.findIndex((later, index) => index > at && ends(later, step))
    if (end < 0) {
      report(path, 'heat_no_end')
      continue
    }
    const between = then.slice(at + 1, end)
    if (!between.every(one => isHarmless(one) || heats(one))) {
      report(path, 'heat_between')
    }
    if (secondsOf(between) > LONGEST_HEAT_S) report(path, 'heat_long', { hours: LONGEST_HEAT_S / 3_600 })
  }
}

/** Whether what an act sets is away from where the value makes the rule begin. */
function leadsAway ({ operation, input = {} }: Pick<CallStep, 'operation' | 'input'>, trigger: Extract<Trigger, { kind: 'state' }>): boolean {
  const { is, than, value } = trigger
  const { celsius, on, paused } = input
  if (operation === 'queue.pause') return paused === true
  if (operation === 'climate.setLight') return (is === 'equal' && on === true && than === 'off') || (is === 'equal' && on === false && than === 'on')
  const isHeat = HEATERS.has(operation) && /\.(celsius|target)$/.test(value)
  if (!isHeat || typeof celsius !== 'number' || typeof than !== 'number') return false
  if (is === 'above') return celsius + (celsius === 0 ? 0 : OVERSHOOT) <= than
  return is === 'below' && celsius - OVERSHOOT >= than
}

/** Whether an act, however slowly, brings about what a trigger begins with. */
export function brings (act: Pick<CallStep, 'operation' | 'input'>, trigger: Trigger): boolean {
  if (trigger.kind !== 'event' && trigger.kind !== 'state') return false
  if (!bringsAbout(act.operation, trigger.kind === 'event' ? trigger.event : trigger.value)) return false
  if (act.operation === 'queue.pause' && act.input?.paused === true) return false
  return trigger.kind === 'event' || !leadsAway(act, trigger)
}

/** A rule that brings about what it begins with would run for ever. */
export function checkLoops ({ when, then, printers }: Pick<Draft, 'when' | 'then' | 'printers'>, report: Report): void {
  for (const [at, trigger] of when.entries()) {
    if (trigger.kind !== 'event' && trigger.kind !== 'state') continue
    const source = trigger.kind === 'event' ? trigger.event : trigger.value
    const cause = then.find((step): step is CallStep => {
      if (step.kind !== 'call' || !brings(step, trigger)) return false
      const isElsewhere = printers !== null && step.printer !== undefined && step.printer !== 'event' && !printers.includes(step.printer)
      return !isElsewhere
    })
    if (cause !== undefined) report(`when[${at}]`, 'causes_itself', { operation: cause.operation, source })
  }
}
