import { createKeyedQueue, type PrinterSession } from '../../core/index.js'
import { chamberTarget, ductFor } from './commands.js'

const WHAT = 'to set the chamber temperature'

/** No other caller's target comes between a target and its air duct. */
const queue = createKeyedQueue<PrinterSession>()

/** Sets the target, °C, and the air duct only when the printer has taken it: else the duct would heat for nothing. */
export const heatChamber = (session: PrinterSession, celsius: number, heater: 'set_ctt' | 'M141') =>
  queue.run(session, async () => {
    const outcome = await session.perform(WHAT, chamberTarget(celsius, heater))
    session.rememberChamberTarget(celsius)
    if (heater !== 'M141') await session.perform(WHAT, ductFor(celsius))
    return outcome
  })
