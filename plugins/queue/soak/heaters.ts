import { recorded, type Kernel, type PrinterSession } from '../../../core/index.js'
import type {} from '../../audit/index.js' // its service, where that plugin is loaded
import { heatBed, heatChamber } from '../../climate/index.js'
import type { HeatRecord } from '../types.js'

const SURFACE = 'queue'

/** One heater of a printer is set, with its reason in the audit log. @returns whether the printer answered */
async function set (kernel: Kernel, session: PrinterSession, heater: 'bed' | 'chamber', celsius: number, note: string): Promise<boolean> {
  const operation = heater === 'bed' ? 'climate.setBedTarget' : 'climate.setChamberTarget'
  const act = { surface: SURFACE, printer: session.name, note: `${celsius} °C: ${note}` }
  // Heat has its reason before it is sent, even if the service is killed; switching off waits for nothing.
  const entry = celsius > 0 ? await kernel.optional.audit?.begin({ operation, ...act }) : undefined
  const heat = heater === 'bed' ? heatBed : heatChamber
  const { confirmed } = await recorded(kernel, operation, { ...act, entry }, () => heat(session, celsius))
  return confirmed
}

/** Whether the chamber is heated too, and not only measured. */
export const heatsChamber = ({ model }: PrinterSession, { chamberC }: Pick<HeatRecord, 'chamberC'>): boolean =>
  chamberC > 0 && model.chamberHeater !== null

export async function heatUp (kernel: Kernel, session: PrinterSession, heat: Pick<HeatRecord, 'bedC' | 'chamberC'>, note: string): Promise<void> {
  await set(kernel, session, 'bed', heat.bedC, note)
  if (heatsChamber(session, heat)) await set(kernel, session, 'chamber', heat.chamberC, note)
}

/** @returns whether the printer has answered to all of it */
export async function switchOff (
  kernel: Kernel, session: PrinterSession, heaters: readonly ('bed' | 'chamber')[], note: string
): Promise<boolean> {
  let isConfirmed = true
  for (const heater of heaters) isConfirmed = await set(kernel, session, heater, 0, note) && isConfirmed
  return isConfirmed
}
