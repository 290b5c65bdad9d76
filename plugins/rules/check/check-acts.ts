import { bringsAbout } from '../engine/chains.js'
import { timeInWords } from '../words/rule-in-words.js'
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

/** Heat has an end in the rule itself, since nobody may be there to end it. */
export function checkHeat (then: readonly Step[], report: Report): void {
  for (const [at, step] of then.entries()) {
    if (!heats(step) || isOff(step)) continue
    const path = `then[${at}]`
    const end = then.findIndex((later, index) => index > at && ends(later, step))
    if (end < 0) {
      report(path, 'it heats without an end: a later step must set the same target to 0')
      continue
    }
    const between = then.slice(at + 1, end)
    if (!between.every(one => isHarmless(one) || heats(one))) {
      report(path, 'between heating and its end there may only be waits that go on, messages, and other targets')
    }
    const seconds = between.reduce((sum, one) =>
      sum + (one.kind === 'wait' ? one.seconds : one.kind === 'wait_until' ? one.most_s : 0), 0)
    if (seconds > LONGEST_HEAT_S) report(path, `it heats for longer than ${timeInWords(LONGEST_HEAT_S, 'en')}`)
  }
}

/** Whether what an act sets is away from where the value makes the rule begin. */
function leadsAway ({ operation, input = {} }: CallStep, trigger: Extract<Trigger, { kind: 'state' }>): boolean {
  const { is, than, value } = trigger
  const { celsius, on, paused } = input
  if (operation === 'queue.pause') return paused === true
  if (operation === 'climate.setLight') return (is === 'equal' && on === true && than === 'off') || (is === 'equal' && on === false && than === 'on')
  const isHeat = HEATERS.has(operation) && /\.(celsius|target)$/.test(value)
  if (!isHeat || typeof celsius !== 'number' || typeof than !== 'number') return false
  if (is === 'above') return celsius + (celsius === 0 ? 0 : OVERSHOOT) <= than
  return is === 'below' && celsius - OVERSHOOT >= than
}

/** A rule that brings about what it begins with would run for ever. */
export function checkLoops ({ when, then, printers }: Pick<Draft, 'when' | 'then' | 'printers'>, report: Report): void {
  for (const [at, trigger] of when.entries()) {
    if (trigger.kind !== 'event' && trigger.kind !== 'state') continue
    const source = trigger.kind === 'event' ? trigger.event : trigger.value
    const cause = then.find((step): step is CallStep => {
      if (step.kind !== 'call' || !bringsAbout(step.operation, source)) return false
      const isElsewhere = printers !== null && step.printer !== undefined && step.printer !== 'event' && !printers.includes(step.printer)
      if (isElsewhere) return false
      if (trigger.kind === 'state') return !leadsAway(step, trigger)
      return !(step.operation === 'queue.pause' && step.input?.paused === true)
    })
    if (cause !== undefined) report(`when[${at}]`, `the rule would cause itself: '${cause.operation}' can bring about '${source}'`)
  }
}
