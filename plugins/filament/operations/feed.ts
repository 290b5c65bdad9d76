import { Type } from 'typebox'
import {
  isHolder, notPrinting, operation, requireCurrentState, type Command, type PrinterContext, type TrayPlace
} from '../../../core/index.js'
import { loadFromHolder, loadFromOnlyHolder, loadFromUnit, readTag, readTagByGcode, unload } from '../commands.js'
import { isBefore, isDual, loadedFrom, loadTemperatures, placeOf, printingC, stateOf, unitOf } from '../units.js'
import { sendFeed } from '../refusal.js'
import { Confirmation, Unit, type UnitName } from '../schemas.js'

/** For filament without a known temperature, °C. */
const UNLOAD_C = 210

function loadCommand ({ session }: PrinterContext, place: TrayPlace): Command {
  if (!isHolder(place.amsId)) return loadFromUnit(place)
  if (!isDual(session)) return loadFromOnlyHolder()
  const { presentC, nextC } = loadTemperatures(session, place.amsId)
  return loadFromHolder(place.amsId, presentC, nextC)
}

/** The unit as the caller named it. */
const nameOf = ({ unit_id: position, ams_id: id }: UnitName): number => position ?? id ?? 0

const Load = Type.Object({
  ...Unit,
  slot: Type.Integer({ description: 'Slot from 0; 254 the only or left external holder, 255 the right one' })
})

const load = {
  summary: 'Load filament of a slot or holder',
  effect: 'write',
  consequence: 'The hotend heats up and filament is fed into it; what is loaded now is purged.',
  input: Load,
  output: Confirmation,
  guards: [requireCurrentState],
  async run (context: PrinterContext, { slot, ...name }: UnitName & { slot: number }) {
    const { session, kernel } = context
    stateOf(session)
    const command = loadCommand(context, placeOf(session, name, slot))
    const what = `the load from AMS unit ${nameOf(name)} slot ${slot}`
    return await sendFeed(session, kernel.hms, command, { what, brief: 'the load' })
  }
} as const

/** A busy printer refuses it by itself. */
export const loadFilament = operation({ ...load, name: 'filament.load' })
export const loadWhenIdle = operation({
  ...load, name: 'filament.loadWhenIdle', guards: [notPrinting]
})

/** Source of the filament in use; the first unit if there is none. */
function activeSource ({ session }: PrinterContext): number {
  const { external, slot, amsId } = stateOf(session).activeTray
  return external ? slot : Math.max(0, amsId)
}

function sourceOf (context: PrinterContext, name: UnitName): number {
  const wanted = name.unit_id ?? name.ams_id
  if (wanted === undefined) return activeSource(context)
  return isHolder(wanted) ? wanted : unitOf(context.session, name).id
}

/** Printers with one holder use 255 for it in this command. */
const HOLDER = 255

const out = {
  summary: 'Unload the filament of a unit or holder',
  effect: 'write',
  consequence: 'The hotend heats up, the filament is cut and pulled back.',
  input: Type.Object(Unit),
  output: Confirmation,
  guards: [requireCurrentState],
  async run (context: PrinterContext, name: UnitName) {
    const { session, kernel } = context
    const dual = isDual(session)
    const state = stateOf(session)
    const source = sourceOf(context, name)
    const celsius = printingC(loadedFrom(state, source, dual), UNLOAD_C, session.model)
    const command = unload(isHolder(source) && !dual ? HOLDER : source, celsius)
    const what = `the unload from AMS unit ${source}`
    return await sendFeed(session, kernel.hms, command, { what, brief: 'the unload' })
  }
} as const

export const unloadFilament = operation({ ...out, name: 'filament.unload' })
export const unloadWhenIdle = operation({
  ...out, name: 'filament.unloadWhenIdle', guards: [notPrinting]
})

export const scanTag = operation({
  name: 'filament.scanTag',
  summary: 'Read the RFID tag of an AMS slot again',
  effect: 'write',
  consequence: 'The unit moves the spool of that slot to read its tag.',
  sendsOnly: true,
  input: Type.Object({ ...Unit, slot: Type.Integer({ minimum: 0 }) }),
  output: Confirmation,
  async run ({ session }, { slot, ...name }) {
    const place = placeOf(session, name, slot)
    const old = isBefore(stateOf(session).firmware.printer, session.model.firmware.rfidCommand)
    return await session.perform('to read the tag', old ? readTagByGcode(place) : readTag(place))
  }
})
