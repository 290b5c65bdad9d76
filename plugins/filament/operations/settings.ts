import { Type } from 'typebox'
import {
  answerTo, BadInput, checkAnswer, DialogueGone, isHolder, NotAnAnswer, operation, requireCurrentState, Unsupported,
  type PrinterSession, type PrinterState, type TrayPlace
} from '../../../core/index.js'
import { calibrationAddress, control, resumePrint, selectCalibration, userSettings } from '../commands.js'
import { Confirmation, CONTROLS, SETTINGS, type Settings } from '../schemas.js'
import { fedByHolder, isDual, placeOf, placeOfId, spoolAt, stateOf } from '../units.js'

export const controlAms = operation({
  name: 'filament.controlAms',
  summary: 'Pause, resume, reset the AMS, confirm or abort a filament change',
  effect: 'write',
  consequence: 'What the AMS is doing changes; resume sets a halted print going again.',
  sendsOnly: true,
  input: Type.Object({
    control: Type.Enum(CONTROLS),
    resume_print: Type.Boolean({ default: true, description: 'Resume also resumes the print' }),
    ...answerTo
  }),
  output: Confirmation,
  errors: [DialogueGone, NotAnAnswer],
  run (context, { control: act, resume_print: resumes, ...dialogue }) {
    checkAnswer(context, dialogue, act)
    return context.session.perform(`the AMS command ${act}`,
      [control(act), ...(act === 'resume' && resumes ? [resumePrint] : [])])
  }
})

const reported = ({ ams }: PrinterState): Settings => ({
  calibrate_remain_flag: ams.estimateRemaining,
  startup_read_option: ams.readAtPowerOn,
  tray_read_option: ams.readOnInsert
})

/** Changes one setting; the command repeats the other two as last reported. */
export const setAmsSetting = operation({
  name: 'filament.setAmsSetting',
  summary: 'Switch an AMS setting',
  effect: 'write',
  consequence: 'A persistent AMS setting changes; the other two are sent along as last reported.',
  sendsOnly: true,
  input: Type.Object({ setting: Type.Enum(SETTINGS), enabled: Type.Boolean() }),
  output: Confirmation,
  guards: [requireCurrentState],
  errors: [Unsupported],
  async run ({ session, services }, { setting, enabled }) {
    const { amsSettings } = services.filaments
    const state = stateOf(session)
    if (!state.capabilities.hasAms) throw new Unsupported(`'${session.name}' has no AMS`)
    const settings = { ...amsSettings.over(session, reported(state)), [setting]: enabled }
    amsSettings.set(session, settings)
    try {
      return await session.perform(`to set ${setting}`, userSettings(settings))
    } catch (error) {
      amsSettings.forget(session)
      throw error
    }
  }
})

/** The nozzle that a slot feeds determines which profiles fit. */
function knownOf (state: PrinterState, place: TrayPlace, dual: boolean) {
  const id = spoolAt(state, place, dual)?.filamentId ?? ''
  const fed = isHolder(place.amsId)
    ? fedByHolder(place.amsId)
    : state.ams.units.find(unit => unit.id === place.amsId)?.extruder ?? 0
  const nozzle = state.extruders.find(extruder => !dual || extruder.id === fed)?.nozzle.diameterMm ?? 0
  return {
    ...(id !== '' && { filament_id: id }),
    ...(nozzle > 0 && { nozzle_diameter: String(nozzle) })
  }
}

interface Named { readonly tray_id?: number, readonly unit_id?: number, readonly slot_id?: number }

/** @throws PRN_ERR_BAD_INPUT if a slot is named twice or not at all */
function placeNamed (session: PrinterSession, { tray_id: trayId, unit_id: unit, slot_id: slot }: Named): TrayPlace {
  if (trayId !== undefined && slot !== undefined) throw new BadInput('Give tray_id, or unit_id and slot_id, not both')
  if (trayId !== undefined) return placeOfId(session, trayId)
  if (slot === undefined) throw new BadInput("'tray_id' is required, or unit_id and slot_id")
  return placeOf(session, unit === undefined ? { ams_id: 0 } : { unit_id: unit }, slot)
}

export const chooseCalibration = operation({
  name: 'filament.chooseCalibration',
  summary: 'Select the flow calibration profile of a tray',
  effect: 'write',
  consequence: 'Later prints from that tray use another flow calibration.',
  sendsOnly: true,
  input: Type.Object({
    tray_id: Type.Optional(Type.Integer()),
    unit_id: Type.Optional(Type.Integer()),
    slot_id: Type.Optional(Type.Integer()),
    cali_idx: Type.Integer({ minimum: -1, default: -1 })
  }),
  output: Confirmation,
  guards: [requireCurrentState],
  run ({ session }, { cali_idx: index, ...named }) {
    const dual = isDual(session)
    const state = stateOf(session)
    const place = placeNamed(session, named)
    const address = calibrationAddress(place, isHolder(place.amsId), dual)
    return session.perform('the calibration profile', selectCalibration(address, index, knownOf(state, place, dual)))
  }
})

/** Exists for clients that know it from other software: printers take profiles, not bare factors. */
export const setKFactor = operation({
  name: 'filament.setKFactor',
  summary: 'Does nothing: select a calibration profile instead',
  effect: 'write',
  scope: 'daemon',
  consequence: 'Nothing is sent and nothing changes.',
  sendsOnly: true,
  input: Type.Object({}),
  output: Type.Object({}),
  run: () => ({})
})
