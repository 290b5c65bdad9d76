import { rankFaults, type PrinterSession, type PrinterState } from '../../core/index.js'
import { FAULT_TONES, JOB_CONDITIONS, type Condition } from './conditions.data.js'

/** What a job is doing; one that a person ended has not failed. */
export const jobCondition = ({ gcodeState, cancelled }: Pick<PrinterState['job'], 'gcodeState' | 'cancelled'>): Condition =>
  cancelled ? 'cancelled' : JOB_CONDITIONS[gcodeState] ?? 'unknown'

/** The faults that stand, the loudest first; what is past or only a note is left out. */
export const standingFaults = ({ errors }: Pick<PrinterState, 'errors'>) => rankFaults(errors.faults)
  .filter(({ fault, historical }) => !historical && FAULT_TONES[fault.severity] !== 'plain')
  .map(({ fault }) => fault)
  .sort((a, b) => Number(FAULT_TONES[b.severity] === 'bad') - Number(FAULT_TONES[a.severity] === 'bad'))

/** What a printer is doing, as a person would say it. */
export function conditionOf ({ service, live, state }: Pick<PrinterSession, 'service' | 'live' | 'state'>): Condition {
  if (service === 'PAUSED') return 'unwatched'
  if (service !== 'CONNECTED') return 'offline'
  if (state === undefined || !live) return 'stale'
  if (standingFaults(state).some(({ severity }) => FAULT_TONES[severity] === 'bad')) return 'error'
  return jobCondition(state.job)
}
