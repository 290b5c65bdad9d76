import {
  hexColors, isHolder, wireTrayId, type AmsUnit, type DryerState, type PrinterSession, type PrinterState,
  type Spool
} from '../../../core/index.js'
import { DEPUTY_HOLDER, MAIN_HOLDER } from '../read/external.js'

/** A spool in a unit that filament can be fed from. */
export interface LoadedSpool {
  /** As mappings name it: unit and slot, 128 and up for the single-slot units. */
  readonly trayId: number
  readonly amsId: number
  readonly slot: number
  readonly type: string
  /** What the spool is sold as, such as `PLA Silk`; its material where nobody knows. */
  readonly label?: string
  readonly catalogueId?: string
  /** `#RRGGBB`; empty when the printer knows none. */
  readonly color: string
  /** 0 right, 1 left; undefined when the printer does not say which nozzle its unit feeds. */
  readonly extruder: number | undefined
}

/** A place that filament can be drawn from: a slot of a unit or an external holder, whatever is in it. */
export interface Tray extends LoadedSpool {
  /** `AMS A slot 2`, `the external holder`. */
  readonly name: string
  readonly isHolder: boolean
  /** There is a spool in it. A holder cannot tell. */
  readonly present: boolean
  readonly catalogueId: string
  readonly label: string
  /** All colours of the spool. */
  readonly colors: readonly string[]
  /** What is left of the spool, g; undefined when the printer cannot know. */
  readonly remainingG: number | undefined
  /** The unit dries filament, or heats up or cools down for it. */
  readonly isDrying: boolean
}

/** What is left in a place of a printer, g; undefined when nobody knows better than the printer. */
export type Weigh = (session: PrinterSession, place: Pick<Tray, 'amsId' | 'slot' | 'isHolder'>) => number | undefined

const FIRST_SINGLE = 128
/** Units that are counted by letters; a built-in one has a number beyond them. */
const LETTERED = 4
const letter = (index: number): string => String.fromCharCode(0x41 + index)

function slotName (amsId: number, slot: number): string {
  if (amsId >= FIRST_SINGLE) return `AMS HT ${letter(amsId - FIRST_SINGLE)}`
  return amsId < LETTERED ? `AMS ${letter(amsId)} slot ${slot + 1}` : `AMS slot ${slot + 1}`
}

function holderName (id: number, dual: boolean): string {
  if (!dual) return 'the external holder'
  return id === MAIN_HOLDER ? 'the right external holder' : 'the left external holder'
}

const AT_REST: ReadonlySet<DryerState> = new Set(['OFF', 'ERROR'])

/** Some brands leave their material out. */
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
  name: slotName(spool.amsId, spool.slot),
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

/** All places that the printer reports. @param dual it has two nozzles */
export function traysOf ({ spools, ams }: PrinterState, dual: boolean): readonly Tray[] {
  return spools.flatMap(spool => {
    if (spool.amsId >= 0) return [slotOf(spool, ams.units.find(({ id }) => id === spool.amsId))]
    return isHolder(spool.id) ? [holderOf(spool.id, dual, spool)] : []
  })
}

/**
 * The place of a mapping's number; undefined when the printer has none such. The only holder answers to the numbers of
 * both, and holders are there even if nothing is reported of them.
 */
export const trayAt = (trays: readonly Tray[], trayId: number, dual: boolean): Tray | undefined =>
  trays.find(tray => tray.trayId === trayId || (!dual && tray.isHolder && isHolder(trayId))) ??
    (isHolder(trayId) ? holderOf(trayId, dual) : undefined)

/** Spools in units; one whose kind the printer does not know fits nothing. */
export const loadedSpools = (trays: readonly Tray[]): readonly Tray[] =>
  trays.filter(({ isHolder, present, type }) => !isHolder && present && type !== '')
