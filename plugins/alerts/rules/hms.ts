import { activeFaults, distinctFaults, isCancelledByPerson, type Fault, type PrinterState } from '../../../core/index.js'
import { isRecent, remember, type Recent } from '../recent.js'
import { defineAlertRule, type Finding, type Outcome, type RuleContext } from '../types.js'

/** A code that returns within this time does not raise another alert, unless it is still there at its end. */
const WINDOW_MS = 30_000

interface Memory {
  /** When each code last raised an alert. */
  readonly alerted: Recent<string>
  /** An error was alerted and has not been cleared. */
  readonly raised: boolean
  /** Active codes that returned too soon. */
  readonly withheld: readonly string[]
}

const NONE: readonly string[] = []

/** Active faults, except the number that printers report for a cancellation by a person. */
const troubles = ({ errors: { faults } }: PrinterState): readonly Fault[] =>
  distinctFaults(activeFaults(faults)).filter(fault => !isCancelledByPerson(fault))

/** Only an error that was alerted can be reported as cleared. */
export const hmsErrors = defineAlertRule<Memory>({
  name: 'hms_error',
  initial: { alerted: new Map(), raised: false, withheld: NONE },
  detect (now, before, memory, context) {
    const { at } = context
    const { alerted, withheld } = memory
    if (now.state.errors === before.state.errors && withheld.length === 0) return undefined
    const active = troubles(now.state)
    const previous = troubles(before.state)
    if (active.length === 0) return cleared(previous.length, memory)
    const known = new Set(previous.map(({ code }) => code))
    const untold = active.filter(({ code }) => !known.has(code) || withheld.includes(code))
    const [early, fresh] = [true, false].map(isEarly =>
      untold.filter(({ code }) => isRecent(alerted, code, at, WINDOW_MS) === isEarly)) as [Fault[], Fault[]]
    const next = { ...memory, withheld: early.length === 0 ? NONE : early.map(({ code }) => code) }
    if (fresh.length === 0) return next.withheld.join() === withheld.join() ? undefined : { findings: [], memory: next }
    return {
      findings: [newErrors(fresh, context)],
      memory: { ...next, alerted: remember(alerted, fresh.map(({ code }) => code), at, WINDOW_MS), raised: true }
    }
  }
})

/** For a code without a text, adds what is known about it and a link. */
function errorOf (fault: Fault, { describe, sentence, url }: RuleContext) {
  const [description, detail] = [describe(fault), sentence(fault)]
  return { code: fault.code, description, ...(detail !== description && { detail, url: url(fault) }) }
}

const newErrors = (faults: readonly Fault[], context: RuleContext): Finding =>
  ({ type: 'hms_error_new', severity: 'high', payload: { errors: faults.map(fault => errorOf(fault, context)) } })

function cleared (count: number, memory: Memory): Outcome<Memory> | undefined {
  if (!memory.raised || count === 0) {
    return memory.withheld.length === 0 ? undefined : { findings: [], memory: { ...memory, withheld: NONE } }
  }
  return {
    findings: [{ type: 'hms_error_cleared', severity: 'medium', payload: { prev_error_count: count } }],
    memory: { ...memory, raised: false, withheld: NONE }
  }
}
