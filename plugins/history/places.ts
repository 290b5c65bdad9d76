import {
  isHolder, isStartOf, placeOfTray, slotName, wireTrayId, type PrinterState, type ProjectFile, type Spool,
  type TrayPlace
} from '../../core/index.js'
import type { PrintRequest } from '../projects/index.js'

/** The external spool holder of a printer with one nozzle, or the right one of two. */
export const HOLDER = 'external'
const LEFT_HOLDER = 'external left'
const HOLDER_TRAYS: Readonly<Record<string, number>> = { [HOLDER]: 255, [LEFT_HOLDER]: 254 }
const SLOT = /^ams (\d+) slot (\d+)$/

/** Where filaments come from: places by filament id - 1, empty for unused ids; or everything from the holder. */
export type PlateMapping = readonly string[] | typeof HOLDER

type Fed = Pick<PrinterState, 'spools' | 'extruders'>

const isDual = ({ extruders }: Pick<PrinterState, 'extruders'>): boolean => extruders.length > 1

/** The name of a place in records. @param dual the printer has two nozzles with a holder each */
export function placeName ({ amsId, slot }: TrayPlace, dual: boolean): string {
  if (!isHolder(amsId)) return `ams ${amsId} slot ${slot}`
  return dual && amsId === HOLDER_TRAYS[LEFT_HOLDER] ? LEFT_HOLDER : HOLDER
}

/** The tray number of a place in mappings; undefined for other text. */
export function trayOfPlace (place: string): number | undefined {
  const [, unit, slot] = SLOT.exec(place) ?? []
  return unit === undefined ? HOLDER_TRAYS[place] : wireTrayId(Number(unit), Number(slot))
}

/** What people call a place of records: `AMS A · slot 2` for `ams 0 slot 1`. */
export function placeInWords (place: string): string {
  const [, unit, slot] = SLOT.exec(place) ?? []
  if (unit !== undefined) return slotName({ amsId: Number(unit), slot: Number(slot) })
  return slotName({ amsId: HOLDER_TRAYS[place] ?? 255, slot: 0 }, { isDual: place === LEFT_HOLDER })
}

const nameOf = ({ id, amsId, slot }: Spool, dual: boolean): string =>
  placeName({ amsId: isHolder(id) ? id : amsId, slot }, dual)

/** The spool in a place; undefined when it is empty or not reported. */
export const spoolAt = ({ spools, extruders }: Fed, place: string): Spool | undefined =>
  spools.find(spool => spool.present && nameOf(spool, isDual({ extruders })) === place)

/** The place whose filament is in the nozzle; empty during a filament change, or when unknown. */
export function activePlace ({ activeTray, extruders }: Pick<PrinterState, 'activeTray' | 'extruders'>): string {
  const { id, amsId, slot, external, state } = activeTray
  if (id === -1 || state !== 'LOADED') return ''
  return placeName({ amsId: external ? slot : amsId, slot }, isDual({ extruders }))
}

const namesOf = (places: readonly (TrayPlace | undefined)[], state: Fed): string[] | undefined => {
  const names = places.map(place => place === undefined ? '' : placeName(place, isDual(state)))
  return names.some(name => name !== '') ? names : undefined
}

/** The reported mapping; the smaller families never report it. */
export const reportedMapping = (state: PrinterState): readonly string[] | undefined =>
  namesOf(state.job.mapping, state)

/** The mapping of the start command of any client, or the only possible one; undefined when unknown. */
export function startMapping (state: PrinterState, start: ProjectFile | undefined): PlateMapping | undefined {
  // A printer without AMS units has only its holder.
  if (state.ams.present && state.ams.units.length === 0 && !isDual(state)) return HOLDER
  if (!isStartOf(start, state.job)) return undefined
  return start.useAms === false && !isDual(state) ? HOLDER : namesOf(start.places, state)
}

/** The mapping requested here; on a printer with two nozzles the plate decides which holder is used. */
export function askedMapping (asked: PrintRequest | undefined, dual: boolean): PlateMapping | undefined {
  if (asked === undefined) return undefined
  if (asked.mapping === undefined) return dual ? undefined : HOLDER
  return asked.mapping.map(tray => {
    const place = placeOfTray(tray)
    return place === undefined ? '' : placeName(place, dual)
  })
}
