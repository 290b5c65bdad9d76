import { isActive, type PrinterState } from '../../core/index.js'

/** Automatic reactions to a change of a printer's state; each can be switched off. */
export interface Chosen {
  readonly heaterOffAtEnd: boolean
  readonly lightOffAtEnd: boolean
  readonly jobBegins: boolean
  readonly lightOnAtStart: boolean
  readonly doorLight: boolean
}

/** The observed values. Those the printer has not reported yet keep their previous value. */
export interface Seen {
  /** Empty before the first report. */
  readonly gcodeState: string
  /** Undefined without a sensor. */
  readonly doorOpen: boolean | undefined
}

export type Effect = 'job-begins' | 'chamber-off' | 'light-on' | 'light-off'

export const NOTHING_SEEN: Seen = { gcodeState: '', doorOpen: undefined }

export const see = (before: Seen, { job, doors }: PrinterState): Seen => ({
  gcodeState: job.gcodeState === '' ? before.gcodeState : job.gcodeState,
  doorOpen: doors.sensor ? doors.doorOpen : before.doorOpen
})

const isOn = ({ lights: { mode } }: PrinterState) => mode === 'on'
const isOff = ({ lights: { mode } }: PrinterState) => mode === 'off'

const STARTS = new Set(['PREPARE', 'RUNNING'])

/** Reactions to a change of the job's state; the first reported state does not count as a change. */
function ofJob (before: Seen, now: Seen, state: PrinterState, chosen: Chosen, heater: boolean): Effect[] {
  const { gcodeState } = now
  if (before.gcodeState === '' || before.gcodeState === gcodeState) return []
  const effects: Effect[] = []
  const ends = gcodeState === 'FINISH'
  const isOver = ends || (isActive(before.gcodeState) && !isActive(gcodeState)) // also cancelled or failed
  if (isOver && chosen.heaterOffAtEnd && heater && state.heat.chamber.target !== 0) effects.push('chamber-off')
  if (ends && chosen.lightOffAtEnd && isOn(state)) effects.push('light-off')
  if (STARTS.has(gcodeState) && before.gcodeState !== 'PAUSE' && chosen.jobBegins) effects.push('job-begins')
  if (gcodeState === 'RUNNING' && chosen.lightOnAtStart && isOff(state)) effects.push('light-on')
  return effects
}

function ofDoor (before: Seen, now: Seen, state: PrinterState): Effect[] {
  if (before.doorOpen === undefined || before.doorOpen === now.doorOpen) return []
  if (now.doorOpen === true) return isOn(state) ? [] : ['light-on']
  return isActive(now.gcodeState) || isOff(state) ? [] : ['light-off']
}

/** @param heater whether the printer has an external heater */
export function effectsOf (before: Seen, now: Seen, state: PrinterState, chosen: Chosen, heater: boolean):
readonly Effect[] {
  const door = chosen.doorLight ? ofDoor(before, now, state) : []
  return [...new Set([...ofJob(before, now, state, chosen, heater), ...door])]
}
