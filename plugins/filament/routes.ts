import { Type } from 'typebox'
import { answerTo, BadInput, ok, route } from '../../core/index.js'
import { listFilaments } from './operations/catalogue.js'
import { describeById, Words } from './operations/describe.js'
import { Drying, startDryer, stopDryer } from './operations/dryer.js'
import { loadFilament, scanTag, unloadFilament } from './operations/feed.js'
import { chooseCalibration, controlAms, setAmsSetting, setKFactor } from './operations/settings.js'
import { CONTROLS, NO_FILAMENT, SETTINGS } from './schemas.js'

const tag = 'AMS & Filament'
const AmsId = Type.Integer({ default: 0, description: 'Unit id as reported: 0 first AMS, 128 first AMS HT' })
const ReportedId = Type.Integer({ description: 'Unit id as reported: 0 first AMS, 128 first AMS HT' })

const SLOTS = [0, 1, 2, 3, 254, 255]

function slotOf (slot: number): number {
  if (!SLOTS.includes(slot)) throw new BadInput(`slot must be one of ${SLOTS.join(', ')}, got ${slot}`)
  return slot
}

/** As JSON or as text. Left out it is a yes; a misspelt no is refused, as it would set a halted print going. */
function consentOf (given: unknown): boolean {
  if (given === undefined || given === null) return true
  const word = typeof given === 'object' ? '' : String(given).trim().toLowerCase()
  if (!['true', 'false'].includes(word)) {
    throw new BadInput('resume_print must be true or false')
  }
  return word === 'true'
}

const WHOLE = /^\d{1,9}$/

/** A number, also accepted as text in JSON. */
function idOf (given: unknown): { ams_id?: number } {
  if (given === undefined || given === null) return {}
  const text = typeof given === 'number' ? String(given) : given
  if (typeof text === 'string' && WHOLE.test(text.trim())) return { ams_id: Number(text) }
  throw new BadInput('ams_id must be the id of a unit, 254 or 255')
}

export default [
  route(listFilaments, {
    method: 'GET',
    path: '/filament_catalog',
    etag: true,
    tag: 'System',
    params: Type.Object({}),
    input: () => ({})
  }),
  route(loadFilament, {
    method: 'POST',
    path: '/load_filament',
    tag,
    params: Type.Object({
      slot: Type.Integer({ description: '0 to 3; 254 or 255 external holders', 'x-openapi': { enum: SLOTS } }),
      ams_id: Type.Optional(AmsId)
    }),
    input: ({ slot, ams_id: id = 0 }) => ({ ams_id: id, slot: slotOf(slot) }),
    reply: ok
  }),
  route(scanTag, {
    method: 'POST',
    path: '/refresh_spool_rfid',
    tag,
    params: Type.Object({ slot_id: Type.Integer({ minimum: 0, maximum: 3 }), ams_id: Type.Optional(AmsId) }),
    input: ({ slot_id: slot, ams_id: id = 0 }) => ({ ams_id: id, slot }),
    reply: ok
  }),
  route(chooseCalibration, {
    method: 'POST',
    path: '/select_extrusion_calibration',
    tag,
    params: Type.Object({
      tray_id: Type.Integer({ description: '4 * unit + slot; AMS HT 128+; 254, 255 external holders' }),
      cali_idx: Type.Integer({ minimum: -1, default: -1, description: '-1 best match' })
    }),
    input: params => params,
    reply: ok
  }),
  route(controlAms, {
    method: 'POST',
    path: '/send_ams_control_command',
    tag,
    params: Type.Object({
      cmd: Type.Enum(CONTROLS),
      resume_print: Type.Optional(Type.Unknown({
        description: 'false: resume only the AMS',
        'x-openapi': { default: true, anyOf: [{ type: 'boolean' }, { type: 'string', enum: ['true', 'false'] }] }
      })),
      ...answerTo
    }),
    input: ({ cmd, resume_print: given, ...dialogue }) =>
      ({ control: cmd, resume_print: consentOf(given), ...dialogue }),
    reply: ok
  }),
  route(setAmsSetting, {
    method: 'PATCH',
    path: '/set_ams_user_setting',
    tag,
    params: Type.Object({ setting: Type.Enum(SETTINGS), enabled: Type.Boolean() }),
    reply: ok,
    input: input => input
  }),
  route(describeById, {
    method: 'PATCH',
    path: '/set_spool_details',
    tag,
    params: Type.Object({
      tray_id: Type.Integer({ description: '4 * unit + slot; AMS HT 128+; 254, 255 external holders' }),
      tray_info_idx: Type.String({ maxLength: 64, description: `Catalogue id; ${NO_FILAMENT} clears the slot` }),
      tray_id_name: Type.Optional(Words.filament_name),
      tray_type: Type.Optional(Words.filament_type),
      tray_color: Type.Optional(Words.color),
      nozzle_temp_min: Words.nozzle_temp_min,
      nozzle_temp_max: Words.nozzle_temp_max
    }),
    input: ({ tray_id: trayId, nozzle_temp_min: min, nozzle_temp_max: max, ...words }) => ({
      tray_id: trayId,
      filament_id: words.tray_info_idx,
      filament_name: words.tray_id_name ?? '',
      filament_type: words.tray_type ?? '',
      color: words.tray_color ?? '',
      ...(min !== undefined && { nozzle_temp_min: min }),
      ...(max !== undefined && { nozzle_temp_max: max })
    }),
    reply: ok
  }),
  route(setKFactor, {
    method: 'POST',
    path: '/set_spool_k_factor',
    tag,
    params: Type.Object({ printer: Type.Optional(Type.String({ description: 'Not looked at' })) }, { additionalProperties: true }),
    input: () => ({}),
    reply: ok
  }),
  route(stopDryer, {
    method: 'POST',
    path: '/turn_off_ams_dryer',
    tag,
    params: Type.Object({ ams_id: ReportedId }),
    input: input => input,
    reply: ok
  }),
  route(startDryer, {
    method: 'POST',
    path: '/turn_on_ams_dryer',
    tag,
    params: Type.Object({
      ams_id: ReportedId,
      target_temp: Type.Optional(Drying.target_temp),
      duration_hours: Type.Optional(Drying.duration_hours)
    }),
    input: ({ ams_id: id, target_temp: celsius = 55, duration_hours: hours = 4 }) =>
      ({ ams_id: id, target_temp: celsius, duration_hours: hours, rotate_tray: false }),
    reply: ({ confirmed, ...dryer }) => ({ status: 'success', ...dryer, ...(!confirmed && { confirmed }) }),
    body: Type.Object({
      status: Type.Literal('success'),
      ...Type.Omit(startDryer.output, ['confirmed']).properties,
      confirmed: Type.Optional(startDryer.output.properties.confirmed)
    })
  }),
  route(unloadFilament, {
    method: 'POST',
    path: '/unload_filament',
    tag,
    params: Type.Object({
      ams_id: Type.Optional(Type.Unknown({
        description: 'Unit id, or 254, 255 for a holder, as number or text; left out: what is in use',
        'x-openapi': { anyOf: [{ type: 'integer', minimum: 0 }, { type: 'string', pattern: '^\\d{1,9}$' }] }
      }))
    }),
    input: ({ ams_id: given }) => idOf(given),
    reply: ok
  })
]
