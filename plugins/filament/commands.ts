import { wireTrayId, type Command, type TrayPlace } from '../../core/index.js'
import type { Control, Settings } from './schemas.js'

const print = (command: string, fields: Readonly<Record<string, unknown>>): Command =>
  ({ section: 'print', command, ...fields })

/** Lets the printer choose a temperature. */
const PRINTERS_CHOICE = -1
/** Slot and target that mean "none" when unloading. */
const NO_SLOT = 255
/** The only holder of a single-extruder printer is reported as 254; most commands call it 255. */
const ONLY_HOLDER = { ams: 255, tray: 254 } as const

/**
 * Loads from a slot of an AMS unit.
 * @wire print.ams_change_filament
 */
export const loadFromUnit = ({ amsId, slot }: TrayPlace): Command => print('ams_change_filament', {
  ams_id: amsId,
  slot_id: slot,
  target: wireTrayId(amsId, slot),
  curr_temp: PRINTERS_CHOICE,
  tar_temp: PRINTERS_CHOICE,
  soft_temp: 0
})

/**
 * Loads from the only holder of a single-extruder printer.
 * @wire print.ams_change_filament
 */
export const loadFromOnlyHolder = (): Command => print('ams_change_filament', {
  ams_id: ONLY_HOLDER.ams,
  slot_id: ONLY_HOLDER.tray,
  target: ONLY_HOLDER.tray,
  curr_temp: PRINTERS_CHOICE,
  tar_temp: PRINTERS_CHOICE,
  soft_temp: 0
})

/**
 * Loads from a holder of a dual-extruder printer, which requires actual temperatures.
 * @param holder 254 left, 255 right
 * @unit presentC, nextC °C of the filament in the nozzle and of the next one
 * @wire print.ams_change_filament
 */
export const loadFromHolder = (holder: number, presentC: number, nextC: number): Command =>
  print('ams_change_filament',
    { ams_id: holder, slot_id: 0, target: holder, curr_temp: presentC, tar_temp: nextC, soft_temp: 0 })

/**
 * Unloads what a unit or holder feeds. Some printers refuse it without temperatures.
 * @param amsId unit; 254, 255 holder
 * @unit celsius °C
 * @wire print.ams_change_filament
 */
export const unload = (amsId: number, celsius: number): Command => print('ams_change_filament',
  { ams_id: amsId, slot_id: NO_SLOT, target: NO_SLOT, curr_temp: celsius, tar_temp: celsius })

/** @wire print.ams_get_rfid */
export const readTag = ({ amsId, slot }: TrayPlace): Command =>
  print('ams_get_rfid', { ams_id: amsId, slot_id: slot })

/**
 * {@link readTag} for firmware without that command.
 * @wire print.gcode_line, M620
 */
export const readTagByGcode = ({ amsId, slot }: TrayPlace): Command =>
  print('gcode_line', { param: `M620 R${wireTrayId(amsId, slot)}\n` })

/** @wire print.ams_control */
export const control = (param: Control): Command => print('ams_control', { param })

/** @wire print.resume */
export const resumePrint: Command = print('resume', { param: '' })

const ALL_UNITS = -1

/**
 * All three settings at once, for all units.
 * @wire print.ams_user_setting
 */
export const userSettings = (settings: Settings): Command => print('ams_user_setting', {
  ams_id: ALL_UNITS,
  startup_read_option: settings.startup_read_option,
  tray_read_option: settings.tray_read_option,
  calibrate_remain_flag: settings.calibrate_remain_flag
})

/** Address of a tray in commands. */
export interface TrayAddress { readonly ams_id: number, readonly slot_id: number, readonly tray_id: number }

/** For commands that describe a tray: `tray_id` counts within the unit. */
export function settingAddress ({ amsId, slot }: TrayPlace, isHolder: boolean, dual: boolean): TrayAddress {
  if (isHolder) return { ams_id: dual ? amsId : ONLY_HOLDER.ams, slot_id: 0, tray_id: ONLY_HOLDER.tray }
  return { ams_id: amsId, slot_id: slot, tray_id: slot }
}

const FIRST_HT = 128

/** For commands that select a calibration: `tray_id` counts over all units, and has no meaning on an AMS HT. */
export function calibrationAddress ({ amsId, slot }: TrayPlace, isHolder: boolean, dual: boolean): TrayAddress {
  const holder = dual ? amsId : ONLY_HOLDER.tray
  if (isHolder) return { ams_id: holder, slot_id: 0, tray_id: holder }
  return { ams_id: amsId, slot_id: slot, tray_id: amsId >= FIRST_HT ? 0 : wireTrayId(amsId, slot) }
}

/**
 * Selects a pressure-advance profile for a tray.
 * @param index -1 lets the printer choose the best match
 * @param known what the profile is for, as far as known
 * @wire print.extrusion_cali_sel
 */
export const selectCalibration = (address: TrayAddress, index: number,
  known: { readonly filament_id?: string, readonly nozzle_diameter?: string }): Command =>
  print('extrusion_cali_sel', { ...address, cali_idx: index, ...known })

/** Description of a slot's contents. */
export interface Description {
  /** Catalogue id. */
  readonly id: string
  readonly name: string
  readonly type: string
  /** RRGGBBAA; undefined leaves it to the printer, which assumes white. */
  readonly rgba: string | undefined
  /** °C. */
  readonly minC: number
  readonly maxC: number
}

/** Clears a slot. */
export const NOTHING: Description = { id: '', name: '', type: '', rgba: 'FFFFFF00', minC: 0, maxC: 0 }

/** @wire print.ams_filament_setting */
export const describeTray = (address: TrayAddress, { id, name, type, rgba, minC, maxC }: Description): Command =>
  print('ams_filament_setting', {
    ...address,
    tray_info_idx: id,
    tray_id_name: name,
    setting_id: '',
    ...(rgba !== undefined && { tray_color: rgba }),
    nozzle_temp_min: minC,
    nozzle_temp_max: maxC,
    tray_type: type
  })

const DRY = { STOP: 0, START: 1 } as const
/** The unit lets the spools cool down to this before it becomes idle. */
const COOLING_C = 45

/**
 * Starts drying. Newer firmware requires a filament, and the flag about power.
 * @unit celsius °C
 * @unit hours h
 * @wire print.ams_filament_drying
 */
export const dry = (amsId: number, { celsius, hours, filament, rotate }:
{ celsius: number, hours: number, filament: string, rotate: boolean }): Command => print('ams_filament_drying', {
  ams_id: amsId,
  mode: DRY.START,
  filament,
  temp: celsius,
  duration: hours,
  humidity: 0,
  rotate_tray: rotate,
  cooling_temp: COOLING_C,
  close_power_conflict: false
})

/** @wire print.ams_filament_drying */
export const stopDrying = (amsId: number): Command => print('ams_filament_drying', {
  ams_id: amsId,
  mode: DRY.STOP,
  filament: '',
  temp: 0,
  duration: 0,
  humidity: 0,
  rotate_tray: false,
  cooling_temp: 0,
  close_power_conflict: false
})
