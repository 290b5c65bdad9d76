import { Type } from 'typebox'
import { BadInput, ok, route } from '../../../core/index.js'
import { describeById, Words } from '../../../plugins/filament/operations/describe.js'
import { loadFilament, scanTag, unloadFilament } from '../../../plugins/filament/operations/feed.js'
import { controlAms, setAmsSetting, setKFactor } from '../../../plugins/filament/operations/settings.js'
import { later } from '../operations/delayed.js'
import { isTrue, Success, Switch, Whole } from '../param-schemas.js'

const tag = 'AMS & Filament'
const shape = { method: 'GET', tag, body: Success, reply: ok } as const

const SLOTS = [0, 1, 2, 3, 254, 255]
const CONTROLS = ['PAUSE', 'RESUME', 'RESET'] as const
const SETTINGS = ['CALIBRATE_REMAIN_FLAG', 'STARTUP_READ_OPTION', 'TRAY_READ_OPTION'] as const

/** How long the printer takes to report the new value. */
const REPORT_DELAY_MS = 2_000

function slotOf (slot = 0): number {
  if (!SLOTS.includes(slot)) throw new BadInput(`slot must be one of ${SLOTS.join(', ')}, got ${slot}`)
  return slot
}

export default [
  route(loadFilament, {
    ...shape,
    path: '/load_filament',
    params: Type.Object({ slot: Whole('Required. 0 to 3; 254, or 255 on the right, for a holder') }),
    input: ({ slot }) => ({ slot: slotOf(slot) })
  }),
  route(unloadFilament, { ...shape, path: '/unload_filament', params: Type.Object({}), input: () => ({}) }),
  route(scanTag, {
    ...shape,
    path: '/refresh_spool_rfid',
    params: Type.Object({
      slot_id: Type.Integer({ minimum: 0, maximum: 3 }),
      ams_id: Type.Integer({ minimum: 0, description: 'Unit id as reported' })
    }),
    input: ({ slot_id: slot, ams_id: id }) => ({ ams_id: id, slot })
  }),
  route(later(describeById, REPORT_DELAY_MS), {
    ...shape,
    path: '/set_spool_details',
    params: Type.Object({
      tray_id: Type.Integer({ description: '0 to 15; AMS HT 128+; 254, 255 holders' }),
      tray_info_idx: Type.String({ maxLength: 64, description: 'Catalogue id; no_filament clears the slot' }),
      tray_id_name: Type.Optional(Type.String({ maxLength: 64 })),
      tray_type: Type.Optional(Type.String({ maxLength: 64 })),
      tray_color: Type.Optional(Type.String({ maxLength: 64, description: '#RRGGBB' })),
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
    })
  }),
  route(setKFactor, {
    ...shape,
    path: '/set_spool_k_factor',
    params: Type.Object({ tray_id: Type.Optional(Type.String({ description: 'Not looked at' })) }, { additionalProperties: true }),
    input: () => ({})
  }),
  route(controlAms, {
    ...shape,
    path: '/send_ams_control_command',
    params: Type.Object({ cmd: Type.Enum(CONTROLS) }),
    input: ({ cmd }) => ({ control: cmd.toLowerCase() as Lowercase<typeof cmd>, resume_print: true })
  }),
  route(setAmsSetting, {
    ...shape,
    path: '/set_ams_user_setting',
    params: Type.Object({ setting: Type.Enum(SETTINGS), enabled: Switch() }),
    input: ({ setting, enabled }) =>
      ({ setting: setting.toLowerCase() as Lowercase<typeof setting>, enabled: isTrue(enabled) })
  })
]
