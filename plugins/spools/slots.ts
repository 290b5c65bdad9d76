import { hexColors, isHolder, spoolColors, type PrinterSession, type Spool as Loaded } from '../../core/index.js'
import { placeName } from '../history/index.js'
import type { SlotRow } from './tables.js'
import type { Slot, Spool } from './types.js'

const NO_TAG = /^0*$/

/** A place in the history's notation. */
export const placeOf = (place: { amsId: number, slot: number }, { model }: PrinterSession): string =>
  placeName(place, model.extruders > 1)

function slotOf (session: PrinterSession, loaded: Loaded): Slot[] {
  const { id, amsId, slot } = loaded
  const place = placeOf({ amsId: isHolder(id) ? id : amsId, slot }, session)
  if (!(amsId >= 0 || isHolder(id)) || !loaded.present) return []
  const position = session.state?.ams.units.findIndex(unit => unit.id === amsId) ?? -1
  const { type, trayUuid, weightG, remainingPercent } = loaded
  const colors = hexColors(loaded)
  return [{
    serial: session.config.serial,
    printer: session.name,
    place,
    ...(isHolder(id) ? { unitId: undefined, slotId: id } : { unitId: position < 0 ? amsId : position, slotId: slot }),
    tag: NO_TAG.test(trayUuid) ? '' : trayUuid,
    material: type,
    color: colors[0] ?? '',
    colors,
    isTranslucent: spoolColors(loaded).isTranslucent,
    seenGrams: remainingPercent < 0 || weightG <= 0 ? undefined : weightG * remainingPercent / 100,
    fullGrams: weightG > 0 ? weightG : undefined
  }]
}

/** The place for a slot as AMS tools count it: in the unit at that position, else in the unit with that id. */
export function placeAt (session: PrinterSession, unitId: number, slotId: number): string {
  const amsId = isHolder(slotId) ? slotId : session.state?.ams.units[unitId]?.id ?? unitId
  return placeOf({ amsId, slot: slotId }, session)
}

/** Loaded places of a printer; an external holder cannot detect its spool and always counts. */
export const slotsOf = (session: PrinterSession): Slot[] =>
  (session.state?.spools ?? []).flatMap(loaded => slotOf(session, loaded))

export const slotId = ({ serial, place }: Pick<Slot, 'serial' | 'place'>): string => `${serial}/${place}`

/** Where spools are, by assignments and tags. */
export interface Whereabouts {
  /** By serial and place. */
  readonly slots: ReadonlyMap<string, SlotRow>
  /** Ids of spools by tag. */
  readonly tags: ReadonlyMap<string, string>
}

/** Earlier versions stored this for an unknown colour. */
const ONCE_UNKNOWN = '#000000'

const isSame = (row: SlotRow, { tag, material, color }: Pick<Slot, 'tag' | 'material' | 'color'>): boolean =>
  row.tag === tag && row.material === material && (row.color === color || (color === '' && row.color === ONCE_UNKNOWN))

/**
 * The spool in a place: the one with its tag, else the one assigned to the place. With another material or colour than
 * when it was assigned it is another, unknown spool.
 */
export function spoolIn (slot: Pick<Slot, 'serial' | 'place' | 'tag' | 'material' | 'color'>, { slots, tags }: Whereabouts,
  spools: ReadonlyMap<string, Spool>): Spool | undefined {
  if (slot.tag !== '') {
    const named = tags.get(slot.tag)
    return (named === undefined ? undefined : spools.get(named)) ??
      [...spools.values()].find(({ tag }) => tag === slot.tag)
  }
  const row = slots.get(slotId(slot))
  return row && isSame(row, slot) ? spools.get(row.spool) : undefined
}
