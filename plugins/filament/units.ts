import {
  BadInput, heatLimitsOf, isHolder, NotConnected, placeOfTray, type AmsUnit, type PrinterSession, type PrinterState,
  type Spool, type TrayPlace
} from '../../core/index.js'
import { NoUnit } from './errors.js'
import type { UnitName } from './schemas.js'

/**
 * The printer's state.
 * @throws PRN_ERR_NOT_CONNECTED before its first report
 */
export function stateOf ({ name, state, problem }: PrinterSession): PrinterState {
  if (state !== undefined) return state
  throw new NotConnected(name).with(problem === undefined ? {} : { detail: problem.message })
}

export const isDual = ({ state, model }: PrinterSession): boolean =>
  state?.capabilities.hasDualExtruder ?? model.extruders > 1

/**
 * Finds a unit: by its id, or by its position and only then by its id. Unnamed it is unit 0, or the only one.
 * @throws PRN_ERR_NO_AMS_UNIT, PRN_ERR_NOT_CONNECTED
 */
export function unitOf (session: PrinterSession, { ams_id: id, unit_id: position }: UnitName): AmsUnit {
  const { units } = stateOf(session).ams
  const wanted = position ?? id ?? 0
  const found = (position === undefined ? undefined : units[position]) ?? units.find(unit => unit.id === wanted)
  if (found !== undefined) return found
  const [only, ...others] = units
  if (position === undefined && id === undefined && only !== undefined && others.length === 0) return only
  throw new NoUnit(wanted, session.name).with({ reason: `no AMS unit with ams_id ${wanted}` })
}

/** @throws PRN_ERR_BAD_INPUT for a slot that the unit does not have */
export function checkSlot ({ id, slots }: AmsUnit, slot: number): void {
  if (slot >= 0 && slot < slots) return
  const range = slots === 1 ? '0' : `0 to ${slots - 1}`
  throw new BadInput(`slot must be ${range} for AMS unit ${id}, got ${slot}`)
}

/**
 * A slot of a unit, or an external holder. A position must be that of a unit, whatever the slot.
 * @throws PRN_ERR_NO_AMS_UNIT, PRN_ERR_BAD_INPUT, PRN_ERR_NOT_CONNECTED
 */
export function placeOf (session: PrinterSession, name: UnitName, slot: number): TrayPlace {
  const holder = isHolder(slot)
  if (holder && name.unit_id === undefined) return { amsId: slot, slot: 0 }
  const unit = unitOf(session, name)
  if (holder) return { amsId: slot, slot: 0 }
  checkSlot(unit, slot)
  return { amsId: unit.id, slot }
}

/**
 * The slot or holder with this absolute tray id, which must exist.
 * @throws PRN_ERR_NO_AMS_UNIT, PRN_ERR_BAD_INPUT, PRN_ERR_NOT_CONNECTED
 */
export function placeOfId (session: PrinterSession, trayId: number): TrayPlace {
  const place = placeOfTray(trayId, stateOf(session).ams.units.map(({ id }) => id))
  if (place === undefined) {
    throw new BadInput(`tray_id must be 4 * unit + slot, 128 to 135, 254 or 255, got ${trayId}`)
  }
  return isHolder(place.amsId) ? place : placeOf(session, { ams_id: place.amsId }, place.slot)
}

/** The spool in a place; printers with one holder number it 254 only. */
export const spoolAt = ({ spools }: PrinterState, { amsId, slot }: TrayPlace, dual: boolean): Spool | undefined =>
  isHolder(amsId)
    ? spools.find(spool => spool.amsId === -1 && (!dual || spool.id === amsId))
    : spools.find(spool => spool.amsId === amsId && spool.slot === slot)

/** The spool of a unit or holder that is currently loaded in a nozzle. */
export function loadedFrom (state: PrinterState, amsId: number, dual: boolean): Spool | undefined {
  const trays = state.extruders.map(({ tray }) => tray).filter(tray => tray !== undefined)
  const place = trays.find(tray => tray.amsId === amsId || (!dual && isHolder(tray.amsId) && isHolder(amsId)))
  return place && spoolAt(state, place, dual)
}

/** The nozzle that a holder of a dual printer feeds. */
export const fedByHolder = (holder: number): number => 255 - holder

/** The spool whose filament is in the nozzle that a holder of a dual printer feeds. */
function inNozzleOf (state: PrinterState, holder: number): Spool | undefined {
  const place = state.extruders.find(({ id }) => id === fedByHolder(holder))?.tray
  return place && spoolAt(state, place, true)
}

/** No filament prints below this. */
const LEAST_C = 180

/** The middle of a filament's printing temperatures, °C, as far as the model's nozzle may go. */
export function printingC (spool: Spool | undefined, otherwiseC: number, model: PrinterSession['model']): number {
  if (spool === undefined || spool.nozzleMaxC <= 0) return otherwiseC
  const middle = Math.round((spool.nozzleMinC + spool.nozzleMaxC) / 2)
  return Math.min(heatLimitsOf(model).nozzleMaxC, Math.max(LEAST_C, middle))
}

/** For filament without a known temperature, °C. */
const LOAD_C = 215

/** For a load from a holder of a dual printer, °C: of the filament that is in its nozzle, and of the holder's. */
export function loadTemperatures (session: PrinterSession, holder: number): { presentC: number, nextC: number } {
  const state = stateOf(session)
  const nextC = printingC(spoolAt(state, { amsId: holder, slot: 0 }, true), LOAD_C, session.model)
  return { presentC: printingC(inNozzleOf(state, holder), nextC, session.model), nextC }
}

/** Whether a dotted version is known and precedes another; parts are compared as numbers. */
export function isBefore (version: string, first: string | undefined): boolean {
  if (version === '' || first === undefined) return false
  const own = version.split('.').map(Number)
  for (const [at, part] of first.split('.').map(Number).entries()) {
    const mine = own[at] ?? 0
    if (mine !== part) return mine < part
  }
  return false
}
