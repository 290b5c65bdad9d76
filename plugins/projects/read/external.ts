import type { Plate } from './project.js'

/** Tray numbers of the external holders: the right or only one, and the left one. */
export const MAIN_HOLDER = 255
export const DEPUTY_HOLDER = 254
export const UNUSED = -1

const HOLDERS = [MAIN_HOLDER, DEPUTY_HOLDER]

type Extruders = Pick<Plate, 'filaments' | 'filamentExtruders' | 'physicalExtruders'>

/** 0 main or right, 1 deputy or left; undefined when the plate gives none or an invalid one. */
export function extruderOf ({ filamentExtruders, physicalExtruders }: Omit<Extruders, 'filaments'>, id: number):
number | undefined {
  const logical = filamentExtruders[id - 1]
  return logical === undefined ? undefined : physicalExtruders[logical - 1]
}

/** True for a plate sliced for two nozzles. */
export const isDual = ({ physicalExtruders }: Pick<Plate, 'physicalExtruders'>): boolean => physicalExtruders.length > 1

/**
 * The external holder of each filament (index: id - 1; -1 unused), for a print without the AMS.
 * Empty when a plate for two nozzles does not say which nozzle prints what.
 */
export function externalTrays (plate: Extruders, dualPrinter: boolean): readonly number[] {
  const used = new Set(plate.filaments.map(({ id }) => id).filter(id => id > 0))
  const length = Math.max(0, plate.filamentExtruders.length, ...used)
  const dual = dualPrinter || isDual(plate)
  if (dual && (plate.filamentExtruders.length === 0 || plate.physicalExtruders.length === 0)) return []
  const trays = Array.from({ length }, (_, at) => {
    if (!used.has(at + 1)) return UNUSED
    return dual ? HOLDERS[extruderOf(plate, at + 1) ?? -1] : MAIN_HOLDER
  })
  return trays.every(tray => tray !== undefined) ? trays as number[] : []
}
