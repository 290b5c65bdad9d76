import { Unsupported, type PrinterSession } from '../../core/index.js'
import type { Fan } from './schemas.js'

/** Numbers of fans in the air duct that a printer reports. */
const DUCT = { part_cooling: 16, aux: 32, exhaust: 48 } as const

/** A duct that lists these two lists all that is fitted; any other says nothing of what it does not list. */
const isInventory = (parts: Readonly<Record<number, number>>): boolean =>
  DUCT.part_cooling in parts && DUCT.aux in parts

function isFitted ({ model, state }: PrinterSession, fan: Fan): boolean {
  if (fan === 'part_cooling') return true
  if (fan === 'enhanced_cooling') {
    return state?.extensionTool.mounted === true && state.extensionTool.type === 'ENHANCED_COOLING_FAN'
  }
  const parts = state?.airDuct.parts ?? {}
  if (isInventory(parts)) return DUCT[fan] in parts
  return fan === 'aux' ? model.auxFan : model.chamberFan
}

const WORDS: Readonly<Record<Fan, string>> = {
  part_cooling: 'has no part-cooling fan',
  aux: 'has no auxiliary fan',
  exhaust: 'has no exhaust fan',
  enhanced_cooling: 'has no enhanced cooling fan mounted'
}

/**
 * Printers take a speed for a fan that they do not have, and do nothing.
 * @throws PRN_ERR_UNSUPPORTED
 */
export function checkFan (session: PrinterSession, fan: Fan): void {
  if (!isFitted(session, fan)) throw new Unsupported(`'${session.name}' ${WORDS[fan]}`)
}
