// Requests that clients of the relay may send, by section and command. All others are refused, above all firmware
// updates and reading the access code.

/** Requests that change nothing, also for read-only clients. The relay answers some of them itself. */
export const READING: ReadonlySet<string> = new Set([
  'camera.ipcam_get_media_info',
  'info.get_version',
  'print.extrusion_cali_get',
  'print.extrusion_cali_get_result',
  'print.flowrate_get_result',
  'pushing.pushall',
  'pushing.start',
  'pushing.stop',
  'system.get_accessories',
  'upgrade.get_history'
])

/** For raw motion and requests without an operation of their own. */
const RAW = 'print.sendGcode'

/** Requests that change the printer, with the corresponding operation, whose guards apply. */
export const WRITING: Readonly<Record<string, string>> = Object.assign(Object.create(null), {
  'camera.ipcam_cap_pic_set': 'hardware.setPrintOptions',
  'camera.ipcam_record_set': 'hardware.setPrintOptions',
  'camera.ipcam_resolution_set': 'hardware.setPrintOptions',
  'camera.ipcam_timelapse': 'hardware.setPrintOptions',
  'print.ams_change_filament': 'filament.load',
  'print.ams_control': 'filament.controlAms',
  'print.ams_filament_drying': 'filament.startDryer',
  'print.ams_filament_setting': 'filament.describeTray',
  'print.ams_get_rfid': 'filament.scanTag',
  'print.ams_reset': 'filament.controlAms',
  'print.ams_user_setting': 'filament.setAmsSetting',
  'print.auto_stop_ams_dry': 'filament.stopDryer',
  'print.back_to_center': RAW,
  'print.buzzer_ctrl': 'print.clearError',
  'print.calibration': RAW,
  'print.clean_print_error': 'print.clearError',
  'print.close_air_filt': 'climate.setFan',
  'print.extrusion_cali': RAW,
  'print.extrusion_cali_del': 'filament.setKFactor',
  'print.extrusion_cali_sel': 'filament.chooseCalibration',
  'print.extrusion_cali_set': 'filament.setKFactor',
  'print.flowrate_cali': RAW,
  'print.gcode_file': 'projects.print', // starts a job from the card
  'print.gcode_line': RAW,
  'print.idle_ignore': 'print.clearError',
  'print.ignore': 'print.resume',
  'print.pause': 'print.pause',
  'print.print_option': 'hardware.setPrintOptions',
  'print.print_speed': 'print.setSpeed',
  'print.project_file': 'projects.print',
  'print.refresh_nozzle': 'hardware.refreshNozzles',
  'print.resume': 'print.resume',
  'print.select_extruder': 'hardware.swapTool',
  'print.set_airduct': 'climate.setChamberTarget',
  'print.set_bed_temp': 'climate.setBedTarget',
  'print.set_ctt': 'climate.setChamberTarget',
  'print.set_fan': 'climate.setFan',
  'print.set_nozzle': 'hardware.setNozzle',
  'print.set_nozzle_temp': 'climate.setNozzleTarget',
  'print.skip_objects': 'print.skipObjects',
  'print.stop': 'print.stop',
  'print.unload_filament': 'filament.unload',
  'print.xyz_ctrl': RAW,
  'system.ledctrl': 'climate.setLight',
  'system.print_cache_set': 'hardware.setPrintOptions',
  'system.set_accessories': 'hardware.setNozzle',
  'system.set_door_stat': 'hardware.setPrintOptions',
  'system.uiop': 'print.clearError',
  'update.': 'system.renamePrinter',
  'xcam.xcam_control_set': 'hardware.setDetector'
})
