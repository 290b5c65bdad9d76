import type { PrinterSession } from '../../core/index.js'
import { chamberTarget, ductFor } from './commands.js'

const WHAT = 'to set the chamber temperature'

const last = new WeakMap<PrinterSession, Promise<unknown>>()

/** One after the other for each printer: no other caller's target comes between a target and its air duct. */
function inTurn<T> (session: PrinterSession, work: () => Promise<T>): Promise<T> {
  const turn = (last.get(session) ?? Promise.resolve()).then(work)
  last.set(session, turn.catch(() => {}))
  return turn
}

/** Sets the target, °C, and the air duct only when the printer has taken it: else the duct would heat for nothing. */
export const heatChamber = (session: PrinterSession, celsius: number, heater: 'set_ctt' | 'M141') =>
  inTurn(session, async () => {
    const outcome = await session.perform(WHAT, chamberTarget(celsius, heater))
    session.rememberChamberTarget(celsius)
    if (heater !== 'M141') await session.perform(WHAT, ductFor(celsius))
    return outcome
  })
