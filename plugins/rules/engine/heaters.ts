import { hasCurrentState, isStartPending, type PrinterSession, type PrinterState } from '../../../core/index.js'
import type { Heat } from '../types.js'

/** Only these say that nothing is printed; what is unknown or new may be a print. */
export const AT_REST: ReadonlySet<string> = new Set(['IDLE', 'FINISH', 'FAILED'])

/** What ends a heat: inputs of its operation, one for each heater that still has its target. */
export type Ending = Readonly<Record<string, number>>

/** How it is with the heat of a run that has ended. */
export type Look =
  | { readonly is: 'unknown' }
  /** A print may use it, and ends it. */
  | { readonly is: 'printing' }
  /** The target is another one: somebody has set it, or it was ended. */
  | { readonly is: 'over' }
  | { readonly is: 'hot', readonly endings: readonly Ending[] }

function endingsOf ({ heat, extruders }: PrinterState, { operation, extruder, celsius }: Heat): Ending[] {
  const isOurs = ({ target }: { readonly target: number }) => Math.round(target) === celsius
  const off = { celsius: 0 }
  if (operation === 'climate.setBedTarget') return isOurs(heat.bed) ? [off] : []
  if (operation === 'climate.setChamberTarget') return isOurs(heat.chamber) ? [off] : []
  if (extruders.length < 2) return isOurs(heat.nozzle) ? [off] : []
  // Which one was in use then may have changed since.
  return extruders.filter(({ id, temperature }) => (extruder === undefined || extruder === id) && isOurs(temperature))
    .map(({ id }) => ({ ...off, extruder: id }))
}

/** Whether a heater still has the target that a run gave it, by a report that came after that. Pure. */
export function lookAtHeaters (session: PrinterSession | undefined, heat: Heat, now: number): Look {
  if (session === undefined || session.remote !== undefined || !hasCurrentState(session)) return { is: 'unknown' }
  const { state, context } = session
  if (state === undefined || state.receivedAt <= heat.setAt) return { is: 'unknown' }
  const endings = endingsOf(state, heat)
  if (endings.length === 0) return { is: 'over' }
  if (!AT_REST.has(state.job.gcodeState) || isStartPending(context.start, now)) return { is: 'printing' }
  return { is: 'hot', endings }
}
