import { Type } from 'typebox'
import { operation, requireCurrentState, type AmsUnit, type PrinterSession, type PrinterState } from '../../../core/index.js'
import { dry, stopDrying } from '../commands.js'
import { refusalMessage } from '../dry-refusals.js'
import { dryAndWatch, HOURS, RANGE_C } from '../drying.js'
import { CannotDry, DryingUnproven, NotDrying } from '../errors.js'
import { refusalOf } from '../refusal.js'
import { Confirmation, Unit, type UnitName } from '../schemas.js'
import { stateOf, unitOf } from '../units.js'

/** The same reason for both interfaces; one of them needs a full sentence. */
const cannotDry = (session: PrinterSession, reason: string) =>
  new CannotDry(`${reason.replace(/\.+$/, '')}.`, session.name).with({ reason })

/** @throws PRN_ERR_CANNOT_DRY for a unit that cannot dry, or has not reported it yet */
function dryingUnit (session: PrinterSession, name: UnitName) {
  const unit = unitOf(session, name)
  const { dryer } = unit
  if (dryer === undefined) throw cannotDry(session, `AMS unit ${unit.id} (${unit.model}) has no dryer`)
  return { unit, dryer }
}

/** @throws PRN_ERR_CANNOT_DRY for firmware that accepts the command but does not dry */
function checkRemoteStart (session: PrinterSession): void {
  const { model: { dryingAtScreen = false, name } } = session
  if (dryingAtScreen) throw cannotDry(session, `a ${name} starts to dry only at its own screen: start it there`)
}

function checkRange (session: PrinterSession, what: string, value: number, unit: string,
  { min, max }: { min: number, max: number }): void {
  if (value >= min && value <= max) return
  throw cannotDry(session, `${what} ${value} ${unit} (${min} to ${max} ${unit} are possible) is outside the unit's range`)
}

const WHATEVER = 'PLA'

/** Newer firmware requires a filament type: that of the first spool that has one. */
const filamentIn = ({ spools }: PrinterState, { id }: AmsUnit): string =>
  spools.find(({ amsId, type }) => amsId === id && type !== '')?.type ?? WHATEVER

export const Drying = {
  target_temp: Type.Integer({
    default: 55,
    description: '°C: 45-65 AMS 2 Pro, 45-85 AMS HT',
    'x-openapi': { minimum: 45, maximum: 85 }
  }),
  duration_hours: Type.Integer({ default: 4, description: '1-999', 'x-openapi': { minimum: 1, maximum: 999 } })
}

/** Success is the reported state of the AMS unit, not the printer's acceptance of the command. */
export const startDryer = operation({
  name: 'filament.startDryer',
  summary: 'Start an AMS drying cycle and wait until it runs',
  effect: 'write',
  consequence: 'The unit heats for hours; spools that cannot stand the temperature deform.',
  input: Type.Object({
    ...Unit,
    ...Drying,
    rotate_tray: Type.Boolean({ default: false, description: 'Turn the spools meanwhile' })
  }),
  output: Type.Object({
    confirmed: Type.Boolean({ description: 'False: it was drying already, and showed no other state' }),
    ams_id: Type.Integer(),
    heater_state: Type.String(),
    target_temp: Type.Integer(),
    duration_hours: Type.Integer()
  }),
  guards: [requireCurrentState],
  errors: [CannotDry, NotDrying, DryingUnproven],
  async run ({ session, kernel, signal }, { target_temp: celsius, duration_hours: hours, ...given }) {
    const { rotate_tray: rotate, ...name } = given
    const { unit, dryer } = dryingUnit(session, name)
    const { id } = unit
    checkRemoteStart(session)
    checkRange(session, 'target_temp', celsius, '°C', RANGE_C[unit.model] ?? { min: 0, max: 0 })
    checkRange(session, 'duration_hours', hours, 'h', HOURS)
    const refusal = refusalMessage(dryer.refusals)
    if (refusal !== '') throw cannotDry(session, refusal)
    const command = dry(id, { celsius, hours, rotate, filament: filamentIn(stateOf(session), unit) })
    const outcome = await dryAndWatch(session, id, command, signal)
    if (outcome.kind === 'refused') {
      const what = `the AMS dryer start on unit ${name.unit_id ?? id} (ams_id=${id})`
      throw refusalOf(session, kernel.hms, outcome.reply, { what, brief: 'the dryer start' })
    }
    if (outcome.kind === 'failed') throw notDrying(session, name, id, outcome.state)
    return {
      confirmed: outcome.kind === 'drying',
      ams_id: id,
      heater_state: outcome.state,
      target_temp: celsius,
      duration_hours: hours
    }
  }
})

const notDrying = (session: PrinterSession, { unit_id: position }: UnitName, id: number, state: string) =>
  position === undefined ? new NotDrying(state) : new DryingUnproven(position, id, session.name, state)

export const stopDryer = operation({
  name: 'filament.stopDryer',
  summary: 'End an AMS drying cycle',
  effect: 'write',
  consequence: 'A running drying cycle ends.',
  sendsOnly: true,
  input: Type.Object(Unit),
  output: Type.Object({ ...Confirmation.properties, ams_id: Type.Integer() }),
  errors: [CannotDry],
  async run ({ session }, name) {
    const { unit: { id } } = dryingUnit(session, name)
    return { ...await session.perform('to stop the dryer', stopDrying(id)), ams_id: id }
  }
})
