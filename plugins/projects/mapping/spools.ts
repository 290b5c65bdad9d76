import { isHolder, wireTrayId, type PrinterState } from '../../../core/index.js'
import { colorOf } from '../read/numbers.js'

/** A spool in a unit that filament can be fed from. */
export interface LoadedSpool {
  /** As mappings name it: unit and slot, 128 and up for the single-slot units. */
  readonly trayId: number
  readonly amsId: number
  readonly slot: number
  readonly type: string
  /** `#RRGGBB`; empty when the printer knows none. */
  readonly color: string
  /** 0 right, 1 left; undefined when the printer does not say which nozzle its unit feeds. */
  readonly extruder: number | undefined
}

export interface ExternalSpool { readonly slotId: number, readonly type: string, readonly color: string }

const UNSET = '00000000'
const shown = (rgba: string): string => rgba === UNSET ? '' : colorOf(rgba)

/** Spools in units; one whose kind the printer does not know fits nothing. */
export function loadedSpools (state: PrinterState | undefined): readonly LoadedSpool[] {
  const { spools = [], ams } = state ?? {}
  return spools.filter(({ amsId, present, type }) => amsId >= 0 && present && type !== '').map(spool => ({
    trayId: wireTrayId(spool.amsId, spool.slot),
    amsId: spool.amsId,
    slot: spool.slot,
    type: spool.type,
    color: shown(spool.rgba),
    extruder: ams?.units.find(({ id }) => id === spool.amsId)?.extruder
  }))
}

export const externalSpools = (state: PrinterState | undefined): readonly ExternalSpool[] =>
  (state?.spools ?? []).filter(({ id, amsId }) => amsId < 0 && isHolder(id))
    .map(({ id, type, rgba }) => ({ slotId: id, type, color: shown(rgba) }))
