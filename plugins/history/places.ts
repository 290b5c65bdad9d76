import {
  isHolder, isStartOf, placeOfTray, wireTrayId, type PrinterState, type ProjectFile, type Spool, type TrayPlace
} from '../../core/index.js'
import type { PrintRequest } from '../projects/index.js'

/** The holder of a printer with one nozzle, or the right one. */
export const HOLDER = 'external'
const LEFT_HOLDER = 'external left'
const HOLDER_TRAYS: Readonly<Record<string, number>> = { [HOLDER]: 255, [LEFT_HOLDER]: 254 }
const SLOT = /^ams (\d+) slot (\d+)$/

/** Where filaments come from: places by filament id - 1, empty where none is named; or all from the holder. */
export type PlateMapping = readonly string[] | typeof HOLDER

type Fed = Pick<PrinterState, 'spools' | 'extruders'>

const isDual = ({ extruders }: Pick<PrinterState, 'extruders'>): boolean => extruders.length > 1

/** The name of a place in records. @param dual the printer has a holder for each of two nozzles */
export function placeName ({ amsId, slot }: TrayPlace, dual: boolean): string {
  if (!isHolder(amsId)) return `ams ${amsId} slot ${slot}`
  return dual && amsId === HOLDER_TRAYS[LEFT_HOLDER] ? LEFT_HOLDER : HOLDER
}

/** The number that mappings have for a place; undefined for what is none. */
export function trayOfPlace (place: string): number | undefined {
  const [, unit, slot] = SLOT.exec(place) ?? []
  return unit === undefined ? HOLDER_TRAYS[place] : wireTrayId(Number(unit), Number(slot))
}

const nameOf = ({ id, amsId, slot }: Spool, dual: boolean): string =>
  placeName({ amsId: isHolder(id) ? id : amsId, slot }, dual)

/** What lies in a place; undefined when the printer does not tell, or it is empty. */
export const spoolAt = ({ spools, extruders }: Fed, place: string): Spool | undefined =>
  spools.find(spool => spool.present && nameOf(spool, isDual({ extruders })) === place)

/** The place whose filament is in the nozzle; empty while it is changed, or when nobody knows. */
export function activePlace ({ activeTray, extruders }: Pick<PrinterState, 'activeTray' | 'extruders'>): string {
  const { id, amsId, slot, external, state } = activeTray
  if (id === -1 || state !== 'LOADED') return ''
  return placeName({ amsId: external ? slot : amsId, slot }, isDual({ extruders }))
}

const namesOf = (places: readonly (TrayPlace | undefined)[], state: Fed): string[] | undefined => {
  const names = places.map(place => place === undefined ? '' : placeName(place, isDual(state)))
  return names.some(name => name !== '') ? names : undefined
}

/** As the report tells it; the smaller families never do. */
export const reportedMapping = (state: PrinterState): readonly string[] | undefined =>
  namesOf(state.job.mapping, state)

/** As the job was started with, by whichever client; or as there is no other way. Undefined: not known. */
export function startMapping (state: PrinterState, start: ProjectFile | undefined): PlateMapping | undefined {
  // A printer without units has nothing but its holder.
  if (state.ams.present && state.ams.units.length === 0 && !isDual(state)) return HOLDER
  if (!isStartOf(start, state.job)) return undefined
  return start.useAms === false && !isDual(state) ? HOLDER : namesOf(start.places, state)
}

/** As it was asked for here; a printer with two nozzles shares its holders out by the plate. */
export function askedMapping (asked: PrintRequest | undefined, dual: boolean): PlateMapping | undefined {
  if (asked === undefined) return undefined
  if (asked.mapping === undefined) return dual ? undefined : HOLDER
  return asked.mapping.map(tray => {
    const place = placeOfTray(tray)
    return place === undefined ? '' : placeName(place, dual)
  })
}
