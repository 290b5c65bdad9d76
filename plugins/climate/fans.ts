import type { PrinterSession } from '../../core/index.js'
import type { Fan } from './schemas.js'

/** Ids of fans in a reported air duct. */
const DUCT = { part_cooling: 16, aux: 32, exhaust: 48 } as const

/** A duct that lists these two lists all fans; any other list may be incomplete. */
const isInventory = (parts: Readonly<Record<number, number>>): boolean =>
  DUCT.part_cooling in parts && DUCT.aux in parts

/** Whether a printer has a fan: as it reports, else by its model. */
export function hasFan ({ model, state }: PrinterSession, fan: Fan): boolean {
  if (fan === 'part_cooling') return true
  if (fan === 'enhanced_cooling') {
    return state?.extensionTool.mounted === true && state.extensionTool.type === 'ENHANCED_COOLING_FAN'
  }
  const parts = state?.airDuct.parts ?? {}
  if (isInventory(parts)) return DUCT[fan] in parts
  return fan === 'aux' ? model.auxFan : model.chamberFan
}
