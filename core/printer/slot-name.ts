import type { Language } from '../util/preferences.js'
import { A2L_LITE, FIRST_HT } from './state/ams.js'
import { HOLDER_LEFT, isHolder } from './state/spools.js'
import { slotTexts } from './texts/index.js'

export interface SlotPlace {
  /** Units of four slots from 0, of one slot from 128; external holders are 254 and 255. */
  readonly amsId: number
  /** From 0. */
  readonly slot: number
}

export interface SlotNaming {
  readonly language?: Language
  /** The printer has two nozzles with a holder each. */
  readonly isDual?: boolean
}

/** What a unit is called: `AMS B`, `AMS HT A`. A unit that is built into the printer has no letter. */
export function unitName (amsId: number): string {
  if (amsId === A2L_LITE) return 'AMS lite'
  const isSingle = amsId >= FIRST_HT
  return `${isSingle ? 'AMS HT' : 'AMS'} ${String.fromCharCode(0x41 + (isSingle ? amsId - FIRST_HT : amsId))}`
}

/** What a slot is called: `AMS A · slot 2`, `AMS HT A`, `External spool`. */
export function slotName ({ amsId, slot }: SlotPlace, { language = 'en', isDual = false }: SlotNaming = {}): string {
  const texts = slotTexts[language]
  if (isHolder(amsId)) {
    if (!isDual) return texts['slot.external']
    return texts[amsId === HOLDER_LEFT ? 'slot.external.left' : 'slot.external.right']
  }
  if (amsId >= FIRST_HT) return unitName(amsId)
  return texts['slot.name'].replace('{unit}', unitName(amsId)).replace('{slot}', String(slot + 1))
}
