import { rankFaults, type PrinterSession, type PrinterState } from '../../core/index.js'
import { FAULT_TONES, JOB_CONDITIONS, type Condition } from './conditions.data.js'

/** Condition of a job; a cancelled job has not failed. */
export const jobCondition = ({ gcodeState, cancelled }: Pick<PrinterState['job'], 'gcodeState' | 'cancelled'>): Condition =>
  cancelled ? 'cancelled' : JOB_CONDITIONS[gcodeState] ?? 'unknown'

/** Active faults, the most severe first; historical ones and notes are left out. */
export const standingFaults = ({ errors }: Pick<PrinterState, 'errors'>) => rankFaults(errors.faults)
  .filter(({ fault, active }) => active && FAULT_TONES[fault.severity] !== 'plain')
  .map(({ fault }) => fault)
  .sort((a, b) => Number(FAULT_TONES[b.severity] === 'bad') - Number(FAULT_TONES[a.severity] === 'bad'))

/** Condition of a printer. */
export function conditionOf ({ service, live, state }: Pick<PrinterSession, 'service' | 'live' | 'state'>): Condition {
  if (service === 'PAUSED') return 'unwatched'
  if (service !== 'CONNECTED') return 'offline'
  if (state === undefined || !live) return 'stale'
  if (standingFaults(state).some(({ severity }) => FAULT_TONES[severity] === 'bad')) return 'error'
  return jobCondition(state.job)
}
