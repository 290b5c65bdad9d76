import type { ModelName } from '../../plugins/emulator/index.js'
import type { Fields, Wire } from './fleet.js'

/** Numbers of a job of its own, which no two share. */
export const OWN_NUMBER = 'a number of its own'

/** Commands that start a job carry one new number in three places. */
export function withoutIds (wire: Wire): Wire {
  const { command, task_id: id, project_id: project, subtask_id: subtask } = wire
  const isOwn = typeof id === 'string' && /^[1-9]\d*$/.test(id) && id === project && id === subtask
  return command === 'project_file' && isOwn
    ? { ...wire, task_id: OWN_NUMBER, project_id: OWN_NUMBER, subtask_id: OWN_NUMBER }
    : wire
}

// What commands look like on the wire, apart from their numbers.

export const print = (command: string, fields: Fields = {}): Wire => ({ section: 'print', command, ...fields })
export const gcode = (...lines: readonly string[]): Wire =>
  print('gcode_line', { param: lines.map(line => `${line}\n`).join('') })
export const light = (node: string, mode: string): Wire => ({
  section: 'system',
  command: 'ledctrl',
  led_node: node,
  led_mode: mode,
  led_on_time: 500,
  led_off_time: 500,
  loop_times: 0,
  interval_time: 0
})
export const lights = (mode: string): readonly Wire[] =>
  ['chamber_light', 'chamber_light2', 'column_light'].map(node => light(node, mode))
export const dialog = (err: string): Wire => ({
  section: 'system', command: 'uiop', name: 'print_error', action: 'close', source: 1, type: 'dialog', err
})

export const airduct = (mode: number): Wire => print('set_airduct', { modeId: mode, submode: -1 })
export const clearError = (error: number, subtask: string): Wire =>
  print('clean_print_error', { subtask_id: subtask, print_error: error })
/** What a session also asks by itself. */
export const REFRESH: readonly Wire[] = [
  { section: 'info', command: 'get_version' },
  { section: 'pushing', command: 'pushall', version: 1, push_target: 1 }
]

const PRINTERS_CHOICE = { curr_temp: -1, tar_temp: -1, soft_temp: 0 }
export const load = (ams: number, slot: number, target: number, temps: Fields = PRINTERS_CHOICE): Wire =>
  print('ams_change_filament', { ams_id: ams, slot_id: slot, target, ...temps })
export const unload = (ams: number, celsius: number): Wire => print('ams_change_filament',
  { ams_id: ams, slot_id: 255, target: 255, curr_temp: celsius, tar_temp: celsius })
export const readTag = (ams: number, slot: number): Wire => print('ams_get_rfid', { ams_id: ams, slot_id: slot })
export const control = (param: string): Wire => print('ams_control', { param })
export const resume = print('resume', { param: '' })
export const amsSetting = (startup: boolean, tray: boolean, remain: boolean): Wire => print('ams_user_setting', {
  ams_id: -1, startup_read_option: startup, tray_read_option: tray, calibrate_remain_flag: remain
})
export const describe = (ams: number, slot: number, tray: number, fields: Fields = {}): Wire =>
  print('ams_filament_setting', {
    ams_id: ams,
    slot_id: slot,
    tray_id: tray,
    tray_info_idx: '',
    tray_id_name: '',
    setting_id: '',
    nozzle_temp_min: 0,
    nozzle_temp_max: 0,
    tray_type: '',
    ...fields
  })
export const dry = (ams: number, temp: number, duration: number, filament: string, rotate = false): Wire =>
  print('ams_filament_drying', {
    ams_id: ams,
    mode: 1,
    filament,
    temp,
    duration,
    humidity: 0,
    rotate_tray: rotate,
    cooling_temp: 45,
    close_power_conflict: false
  })
export const stopDrying = (ams: number): Wire => print('ams_filament_drying', {
  ams_id: ams,
  mode: 0,
  filament: '',
  temp: 0,
  duration: 0,
  humidity: 0,
  rotate_tray: false,
  cooling_temp: 0,
  close_power_conflict: false
})
export const calibration = (tray: number, ams: number, slot: number, index: number, filament?: string): Wire =>
  print('extrusion_cali_sel', {
    tray_id: tray,
    ams_id: ams,
    slot_id: slot,
    cali_idx: index,
    ...(filament !== undefined && { filament_id: filament }),
    nozzle_diameter: '0.4'
  })
export const detector = (module: string, on: boolean, sensitivity?: string, halts = true): Wire => ({
  section: 'xcam',
  command: 'xcam_control_set',
  module_name: module,
  control: on,
  enable: on,
  print_halt: halts,
  ...(sensitivity !== undefined && { halt_print_sensitivity: sensitivity })
})
export const accessories = (diameter: number, type: string): Wire => ({
  section: 'system',
  command: 'set_accessories',
  accessory_type: 'nozzle',
  nozzle_diameter: diameter,
  nozzle_type: type
})
const BY_HAND: Fields = { use_ams: false, ams_mapping: [-1], ams_mapping2: [{ ams_id: 255, slot_id: 0 }] }

/** From slots of the first unit, by filament. */
export const fromSlots = (...slots: readonly number[]): Fields =>
  ({ use_ams: true, ams_mapping: slots, ams_mapping2: slots.map(slot => ({ ams_id: 0, slot_id: slot })) })

/** Prints a plate of a file in the card's root. */
export const startPrint = (model: ModelName, name: string, plate: number, fields: Fields = BY_HAND): Wire =>
  print('project_file', {
    param: `Metadata/plate_${plate}.gcode`,
    file: `/${name}`,
    url: model === 'A1_MINI' || model === 'P1S' ? `file:///sdcard/${name}` : `ftp:///${name}`,
    md5: '',
    project_id: OWN_NUMBER,
    profile_id: '0',
    task_id: OWN_NUMBER,
    subtask_id: OWN_NUMBER,
    subtask_name: name.replace(/\.gcode\.3mf$/, ''),
    bed_type: 'auto',
    bed_leveling: false,
    ...(model === 'H2D' && { auto_bed_leveling: fields.bed_leveling === true ? 1 : 0 }),
    flow_cali: false,
    vibration_cali: true,
    layer_inspect: model === 'X1C',
    timelapse: false,
    ...fields
  })
