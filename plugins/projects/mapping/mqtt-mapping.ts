import { isHolder, placeOfTray } from '../../../core/index.js'
import { MAIN_HOLDER } from '../read/external.js'
import type { LoadedSpool } from './trays.js'

/** The members of the command that select the filament source. */
export interface WireMapping {
  readonly use_ams: boolean
  readonly ams_mapping: readonly number[]
  readonly ams_mapping2: readonly { readonly ams_id: number, readonly slot_id: number }[]
}

const NOWHERE = { ams_id: 255, slot_id: 255 }
const FROM_HOLDER = { ams_id: MAIN_HOLDER, slot_id: 0 }

type Place = Pick<LoadedSpool, 'trayId' | 'amsId' | 'slot'>

/** A single holder has one number in the command, whichever of the two the caller used. */
const holderPair = (tray: number, dual: boolean) => dual ? { ams_id: tray, slot_id: 0 } : FROM_HOLDER

function pairOf (tray: number, trays: readonly Place[], dual: boolean) {
  if (isHolder(tray)) return holderPair(tray, dual)
  const place = trays.find(({ trayId }) => trayId === tray) ?? placeOfTray(tray)
  return place === undefined ? NOWHERE : { ams_id: place.amsId, slot_id: place.slot }
}

/** The mapping for a print from a single holder, however many filaments there are. */
const BY_HAND: WireMapping = { use_ams: false, ams_mapping: [-1], ams_mapping2: [FROM_HOLDER] }

/**
 * Encodes a mapping for the printer. The flat list never contains holders: printers take their numbers for trays.
 * @param mapping tray of each filament: -1 unused, 254 and 255 holders
 */
export function wireMapping (mapping: readonly number[], trays: readonly Place[], dual: boolean): WireMapping {
  const usesUnits = mapping.some(tray => tray >= 0 && !isHolder(tray))
  if (!usesUnits && !dual) return BY_HAND
  return {
    use_ams: usesUnits,
    ams_mapping: mapping.map(tray => isHolder(tray) ? -1 : tray),
    ams_mapping2: mapping.map(tray => pairOf(tray, trays, dual))
  }
}
