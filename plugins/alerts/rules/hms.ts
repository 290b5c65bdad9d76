import { rankFaults, type Fault, type PrinterState } from '../../../core/index.js'
import { defineAlertRule, type Finding } from '../types.js'

/** A code that alerted less than this ago does not alert again when it returns. Source: alert rules. */
const WINDOW_MS = 30_000

interface Memory {
  /** When each code alerted last; codes older than the window are dropped. */
  readonly alertedAt: Readonly<Record<string, number>>
  /** An error was announced and not yet cleared. */
  readonly raised: boolean
}

/** Active faults: historical ones and refused commands never alert. */
const activeFaults = ({ errors }: PrinterState): readonly Fault[] => rankFaults(errors.faults)
  .filter(({ fault, historical }) => !historical && fault.type !== 'command_error')
  .map(({ fault }) => fault)

/** New and cleared errors belong together: only what was announced can be reported as cleared. */
export const hmsErrors = defineAlertRule<Memory>({
  name: 'hms_error',
  initial: { alertedAt: {}, raised: false },
  detect (now, before, memory, { at, describe }) {
    if (now.state.errors === before.state.errors) return { findings: [], memory }
    const active = activeFaults(now.state)
    const previous = activeFaults(before.state)
    if (active.length === 0) return cleared(previous.length, memory)
    const known = new Set(previous.map(({ code }) => code))
    const recent = Object.fromEntries(Object.entries(memory.alertedAt).filter(([, when]) => at - when < WINDOW_MS))
    const fresh = active.filter(({ code }) => !known.has(code) && recent[code] === undefined)
    if (fresh.length === 0) return { findings: [], memory: { ...memory, alertedAt: recent } }
    return {
      findings: [newErrors(fresh, describe)],
      memory: { alertedAt: { ...recent, ...Object.fromEntries(fresh.map(({ code }) => [code, at])) }, raised: true }
    }
  }
})

const newErrors = (faults: readonly Fault[], describe: (fault: Fault) => string): Finding => ({
  type: 'hms_error_new',
  severity: 'high',
  payload: { errors: faults.map(fault => ({ code: fault.code, description: describe(fault) })) }
})

function cleared (count: number, memory: Memory): { findings: readonly Finding[], memory: Memory } {
  if (!memory.raised || count === 0) return { findings: [], memory }
  return {
    findings: [{ type: 'hms_error_cleared', severity: 'medium', payload: { prev_error_count: count } }],
    memory: { ...memory, raised: false }
  }
}
