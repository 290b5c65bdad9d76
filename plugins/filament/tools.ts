import { Type } from 'typebox'
import { BadInput, countedPagesOf, tool } from '../../core/index.js'
import { listFilaments } from './operations/catalogue.js'
import { describeSlot } from './operations/describe.js'
import { Drying, startDryer, stopDryer } from './operations/dryer.js'
import { loadWhenIdle, scanTag, unloadWhenIdle } from './operations/feed.js'
import { chooseCalibration, controlAms, setAmsSetting } from './operations/settings.js'
import { CONTROLS, KEEP, NO_FILAMENT, SETTINGS } from './schemas.js'

const UNIT = { unit_id: Type.Integer() }

/** Finds a listed word, case-insensitively. */
const oneOf = <T extends string> (values: readonly T[], text: string): T | undefined =>
  values.find(value => value === text.trim().toLowerCase())

function controlOf (text: string) {
  const known = oneOf(CONTROLS, text)
  const all = CONTROLS.map(word => word.toUpperCase()).join(', ')
  if (known === undefined) throw new BadInput(`Unknown AMS control command '${text}'. Must be one of: ${all}.`)
  return known
}

function settingOf (text: string) {
  const known = oneOf(SETTINGS, text)
  if (known === undefined) throw new BadInput(`Unknown setting '${text}'. Supported: [${SETTINGS.join(', ')}]`)
  return known
}

/** At most four slots, and the external holders where those are allowed. */
function slotOf (slot: number, holders: readonly number[] = []): number {
  if ((slot >= 0 && slot <= 3) || holders.includes(slot)) return slot
  throw new BadInput(`slot_id must be one of ${[0, 1, 2, 3, ...holders].join(', ')}, got ${slot}`)
}
const HOLDERS = [254, 255]

const TEXT = Type.Optional(Type.String({ default: '' }))
const KEPT_C = Type.Optional(Type.Integer({ default: KEEP }))
/** Agents may send defaults explicitly: -1 means the same as omitting it. */
const chosen = (celsius: number | undefined): number | undefined => celsius === KEEP ? undefined : celsius

/** Clients of this interface expect switches spelled like this. */
const truth = (on: boolean) => on ? 'True' : 'False'

export default [
  tool(scanTag, {
    name: 'calibrate_ams_remaining',
    description: 'Read the RFID tag of a slot again',
    returns: 'text',
    doing: 'triggering RFID scan on <name>',
    params: Type.Object({ ...UNIT, slot_id: Type.Integer({ description: '0-3' }) }),
    input: ({ unit_id: unit, slot_id: slot }) => ({ unit_id: unit, slot: slotOf(slot) }),
    result: (_, { unit_id: unit, slot_id: slot }, printer) =>
      `RFID re-scan triggered for AMS unit ${unit} slot ${slot} on '${printer}'.`
  }),
  tool(listFilaments, {
    name: 'get_filament_catalog',
    doing: 'reading filament catalog',
    pages: countedPagesOf('filaments', 'count'),
    answer: Type.Object({
      count: Type.Integer({ description: 'In this answer' }),
      total: Type.Optional(Type.Integer()),
      filaments: listFilaments.output
    }),
    result: filaments => ({ count: filaments.length, filaments })
  }),
  tool(loadWhenIdle, {
    name: 'load_filament',
    returns: 'text',
    idempotent: false,
    doing: 'loading filament on <name>',
    params: Type.Object({
      ...UNIT, slot_id: Type.Integer({ description: '0-3; holders 254, 255 (right)' })
    }),
    input: ({ unit_id: unit, slot_id: slot }) => ({ unit_id: unit, slot: slotOf(slot, HOLDERS) }),
    result: (_, { unit_id: unit, slot_id: slot }, printer) =>
      `Load filament command sent for AMS unit ${unit} slot ${slot} on '${printer}'.`
  }),
  tool(chooseCalibration, {
    name: 'select_extrusion_calibration',
    returns: 'text',
    doing: 'selecting extrusion calibration on <name>',
    params: Type.Object({
      tray_id: Type.Optional(Type.Integer({
        description: '4*unit+slot; AMS HT 128+; holders 254, 255', 'x-openapi': { required: true }
      })),
      unit_id: Type.Optional(Type.Integer({ 'x-unlisted': true })),
      slot_id: Type.Optional(Type.Integer({ 'x-unlisted': true })),
      cali_idx: Type.Optional(Type.Integer({ default: -1, description: '-1 best match' }))
    }),
    input: ({ cali_idx: index = -1, ...slot }) => ({ ...slot, cali_idx: index }),
    result: (_, { tray_id: trayId, unit_id: unit = 0, slot_id: slot, cali_idx: index = -1 }, printer) =>
      `Extrusion calibration profile selected for ${trayId === undefined ? `AMS unit ${unit} slot ${slot}` : `tray_id ${trayId}`} ` +
      `(cali_idx=${index}) on '${printer}'.`
  }),
  tool(controlAms, {
    name: 'send_ams_control_command',
    description: 'RESUME also resumes the print; DONE answers a load prompt; ABORT ends a load or unload',
    returns: 'text',
    idempotent: false,
    doing: 'sending AMS control command to <name>',
    params: Type.Object({
      cmd: Type.String({ description: 'PAUSE, RESUME, RESET, DONE, ABORT' }),
      resume_print: Type.Optional(Type.Boolean({ default: true }))
    }),
    input: ({ cmd, resume_print: resumes = true }) => ({ control: controlOf(cmd), resume_print: resumes }),
    result: (_, { cmd }, printer) => `AMS control command ${controlOf(cmd).toUpperCase()} sent to '${printer}'.`
  }),
  tool(describeSlot, {
    name: 'set_ams_filament_setting',
    description: 'Describe a slot; the catalogue fills what is left out',
    returns: 'text',
    doing: 'setting filament on <name>',
    params: Type.Object({
      ...UNIT,
      slot_id: Type.Integer({ description: '0-3; holders 254, 255' }),
      filament_id: Type.Optional(Type.String({ default: '', description: `Catalogue id; ${NO_FILAMENT} clears` })),
      filament_name: TEXT,
      filament_type: TEXT,
      color: Type.Optional(Type.String({ default: '', description: 'CSS name or RRGGBB' })),
      nozzle_temp_min: KEPT_C,
      nozzle_temp_max: KEPT_C,
      own_preset: Type.Optional(Type.Boolean({ default: false, description: 'Id is not of the catalogue' }))
    }),
    input: ({
      unit_id: unit, slot_id: slot, nozzle_temp_min: min, nozzle_temp_max: max, own_preset: own, ...words
    }) => ({
      own_preset: own === true,
      unit_id: unit,
      slot: slotOf(slot, HOLDERS),
      filament_id: words.filament_id ?? '',
      filament_name: words.filament_name ?? '',
      filament_type: words.filament_type ?? '',
      color: words.color ?? '',
      ...(chosen(min) !== undefined && { nozzle_temp_min: min }),
      ...(chosen(max) !== undefined && { nozzle_temp_max: max })
    }),
    result: (_, { unit_id: unit, slot_id: slot }, printer) =>
      `Filament setting updated for AMS unit ${unit} slot ${slot} on '${printer}'.`
  }),
  tool(setAmsSetting, {
    name: 'set_ams_user_setting',
    returns: 'text',
    doing: 'setting AMS user setting on <name>',
    params: Type.Object({ setting: Type.String({ description: SETTINGS.join(', ') }), value: Type.Boolean() }),
    input: ({ setting, value }) => ({ setting: settingOf(setting), enabled: value }),
    result: (_, { setting, value }, printer) => `AMS setting '${setting}' set to ${truth(value)} on '${printer}'.`
  }),
  tool(startDryer, {
    name: 'start_ams_dryer',
    returns: 'text',
    idempotent: false,
    params: Type.Object({
      ...UNIT,
      target_temp: Type.Optional(Drying.target_temp),
      duration_hours: Type.Optional(Drying.duration_hours),
      rotate_tray: Type.Optional(Type.Boolean({ default: false }))
    }),
    input: ({ unit_id: unit, target_temp: celsius = 55, duration_hours: hours = 4, rotate_tray: rotate = false }) =>
      ({ unit_id: unit, target_temp: celsius, duration_hours: hours, rotate_tray: rotate }),
    result: ({ confirmed, ...dryer }, { unit_id: unit }, printer) => confirmed
      ? `AMS dryer started on unit ${unit} (ams_id=${dryer.ams_id}): ${dryer.target_temp}°C for ` +
        `${dryer.duration_hours}h on '${printer}'. heater_state=${dryer.heater_state}`
      : `AMS unit ${unit} (ams_id=${dryer.ams_id}) on '${printer}' was already ${dryer.heater_state} and has shown ` +
        'no other state since: the command was sent, but its acceptance cannot be confirmed.'
  }),
  tool(stopDryer, {
    name: 'stop_ams_dryer',
    returns: 'text',
    params: Type.Object(UNIT),
    input: input => input,
    result: ({ ams_id: id }, { unit_id: unit }, printer) =>
      `AMS dryer stopped on unit ${unit} (ams_id=${id}) on '${printer}'.`
  }),
  tool(unloadWhenIdle, {
    name: 'unload_filament',
    returns: 'text',
    doing: 'unloading filament on <name>',
    params: Type.Object({
      unit_id: Type.Optional(Type.Integer({ description: 'Or holder 254, 255; default: in use' }))
    }),
    input: input => input,
    result: (_, __, printer) => `Unload filament command sent to '${printer}'.`
  })
]
