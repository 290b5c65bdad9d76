import {
  hexColors, isHolder, slotName, wireTrayId, type AmsUnit, type DryerState, type PrinterSession, type PrinterState,
  type Spool
} from '../../../core/index.js'
import { DEPUTY_HOLDER, MAIN_HOLDER } from '../read/external.js'

/** A spool in a unit that filament can be fed from. */
export interface LoadedSpool {
  /** Number in mappings: 4 * unit + slot, the slot of the A2L's built-in unit, or 128 and up for single-slot units. */
  readonly trayId: number
  readonly amsId: number
  readonly slot: number
  readonly type: string
  /** Product name, such as `PLA Silk`; the material when unknown. */
  readonly label?: string
  readonly catalogueId?: string
  /** `#RRGGBB`; empty when unknown. */
  readonly color: string
  /** 0 right, 1 left; undefined when the printer does not say which nozzle its unit feeds. */
  readonly extruder: number | undefined
}

/** A source of filament: a slot of a unit or an external holder, loaded or empty. */
export interface Tray extends LoadedSpool {
  /** `AMS A · slot 2`, `the external holder`. */
  readonly name: string
  readonly isHolder: boolean
  /** A spool is inserted. Always true for a holder, which cannot detect one. */
  readonly present: boolean
  readonly catalogueId: string
  readonly label: string
  /** All colours of the spool. */
  readonly colors: readonly string[]
  /** Filament left on the spool, g; undefined when the printer cannot know. */
  readonly remainingG: number | undefined
  /** The unit is drying, including heating up and cooling down. */
  readonly isDrying: boolean
}

/** Filament left in a tray, g; undefined when only the printer knows. */
export type Weigh = (session: PrinterSession, place: Pick<Tray, 'amsId' | 'slot' | 'isHolder'>) => number | undefined

function holderName (id: number, dual: boolean): string {
  if (!dual) return 'the external holder'
  return id === MAIN_HOLDER ? 'the right external holder' : 'the left external holder'
}

const AT_REST: ReadonlySet<DryerState> = new Set(['OFF', 'ERROR'])

/** The product name of some brands does not contain the material. */
const labelOf = ({ type, subBrand }: Spool): string =>
  subBrand.toUpperCase().includes(type.toUpperCase()) ? subBrand : `${type} ${subBrand}`.trim()

const whatIsIn = (spool: Spool) => ({
  type: spool.type,
  label: labelOf(spool),
  catalogueId: spool.filamentId,
  color: hexColors(spool)[0] ?? '',
  colors: hexColors(spool)
})

const gramsLeft = ({ remainingPercent, weightG }: Spool): number | undefined =>
  remainingPercent < 0 || weightG <= 0 ? undefined : weightG * remainingPercent / 100

const slotOf = (spool: Spool, unit: AmsUnit | undefined): Tray => ({
  ...whatIsIn(spool),
  trayId: wireTrayId(spool.amsId, spool.slot),
  amsId: spool.amsId,
  slot: spool.slot,
  name: slotName(spool),
  isHolder: false,
  present: spool.present,
  extruder: unit?.extruder,
  remainingG: gramsLeft(spool),
  isDrying: unit?.dryer !== undefined && !AT_REST.has(unit.dryer.state)
})

const NOTHING_KNOWN = { type: '', label: '', catalogueId: '', color: '', colors: [] }

const holderOf = (id: number, dual: boolean, spool?: Spool): Tray => ({
  ...(spool ? whatIsIn(spool) : NOTHING_KNOWN),
  trayId: id,
  amsId: id,
  slot: 0,
  name: holderName(id, dual),
  isHolder: true,
  present: true,
  extruder: dual ? Number(id === DEPUTY_HOLDER) : undefined,
  remainingG: undefined,
  isDrying: false
})

/** All trays that the printer reports. @param dual it has two nozzles */
export function traysOf ({ spools, ams }: PrinterState, dual: boolean): readonly Tray[] {
  return spools.flatMap(spool => {
    if (spool.amsId >= 0) return [slotOf(spool, ams.units.find(({ id }) => id === spool.amsId))]
    return isHolder(spool.id) ? [holderOf(spool.id, dual, spool)] : []
  })
}

/**
 * The tray for a number of a mapping; undefined when the printer has no such tray. A single holder has the numbers of
 * both, and holders exist even if nothing is reported about them.
 */
export const trayAt = (trays: readonly Tray[], trayId: number, dual: boolean): Tray | undefined =>
  trays.find(tray => tray.trayId === trayId || (!dual && tray.isHolder && isHolder(trayId))) ??
    (isHolder(trayId) ? holderOf(trayId, dual) : undefined)

/** The tray's own number, also for callers that count the A2L's built-in unit like the others. */
export function ownNumber (trays: readonly Tray[], trayId: number): number {
  if (trays.some(tray => tray.trayId === trayId)) return trayId
  return trays.find(({ amsId, slot }) => 4 * amsId + slot === trayId)?.trayId ?? trayId
}

/** Spools in units; one of unknown material matches no filament. */
export const loadedSpools = (trays: readonly Tray[]): readonly Tray[] =>
  trays.filter(({ isHolder, present, type }) => !isHolder && present && type !== '')
