import { shape } from '../../contract/rows.js'

// Members of the state document and their types.

export const DOCUMENT = shape(`
  _config: object, _limits: object, _service_state: string, _printer_state: object, _active_job_info: object, _recent_update: boolean,
  _lastMessageTime: number|null, _light_state: string, _speed_level: integer, _print_type: string,
  _nozzle_type: string, _nozzle_diameter: number, _skipped_objects: array, _sdcard_contents: object|null,
  _sdcard_3mf_files: object|null, _tool_temp_target_time: integer, _bed_temp_target_time: integer,
  _chamber_temp_target_time: integer, _fan_speed_target_time: integer, _internalException: string|null`)

export const CONFIG = shape(`
  hostname: string, serial_number: string, access_code: string, mqtt_port: integer, mqtt_client_id: string,
  mqtt_username: string, mqtt_connection_timeout: integer, watchdog_timeout: integer, external_chamber: boolean,
  bpm_cache_path: string|null, printer_model: string, firmware_version: string, ams_firmware_version: string,
  auto_recovery: boolean, filament_tangle_detect: boolean, sound_enable: boolean, auto_switch_filament: boolean,
  nozzle_blob_detect: boolean, air_print_detect: boolean, startup_read_option: boolean, tray_read_option: boolean,
  calibrate_remain_flag: boolean, buildplate_marker_detector: boolean, spaghetti_detector: boolean,
  spaghetti_detector_sensitivity: string, purgechutepileup_detector: boolean,
  purgechutepileup_detector_sensitivity: string, nozzleclumping_detector: boolean,
  nozzleclumping_detector_sensitivity: string, airprinting_detector: boolean,
  airprinting_detector_sensitivity: string, verbose: boolean, capabilities: object`)

export const CAPABILITIES = shape(`
  has_ams: boolean, has_lidar: boolean, has_camera: boolean, has_dual_extruder: boolean, has_air_filtration: boolean,
  has_chamber_temp: boolean, has_chamber_door_sensor: boolean, has_sound_enable_support: boolean,
  has_filament_tangle_detect_support: boolean, has_nozzle_blob_detect_support: boolean,
  has_air_print_detect_support: boolean, has_auto_recovery_support: boolean,
  has_auto_switch_filament_support: boolean, has_buildplate_marker_detector_support: boolean,
  has_spaghetti_detector_support: boolean, has_purgechutepileup_detector_support: boolean,
  has_nozzleclumping_detector_support: boolean, has_airprinting_detector_support: boolean`)

export const PRINTER = shape(`
  gcode_state: string, active_ams_id: integer, active_tray_id: integer, active_tray_state: string,
  active_tray_state_name: string, target_tray_id: integer, active_tool: string, is_external_spool_active: boolean,
  active_nozzle_temp: number, active_nozzle_temp_target: number, active_nozzle: object, ams_status_raw: integer,
  ams_status_text: string, ams_exist_bits: integer, ams_connected_count: integer, ams_units: array, extruders: array,
  spools: array, print_error: integer, hms_errors: array, wifi_signal_strength: string, climate: object,
  extension_tool: object, stat: string, fun: string`)

export const CLIMATE = shape(`
  bed_temp: number, bed_temp_target: number, airduct_mode: integer, airduct_sub_mode: integer, chamber_temp: number,
  chamber_temp_target: number, air_conditioning_mode: string, part_cooling_fan_speed_percent: integer,
  part_cooling_fan_speed_target_percent: integer, aux_fan_speed_percent: integer, exhaust_fan_speed_percent: integer,
  heatbreak_fan_speed_percent: integer, enhanced_cooling_fan_target_percent: integer, zone_intake_open: boolean,
  zone_part_fan_percent: integer, zone_aux_percent: integer, zone_exhaust_percent: integer,
  zone_top_vent_open: boolean, is_chamber_door_open: boolean, is_chamber_lid_open: boolean`)

export const EXTENSION_TOOL = shape(`
  tool_type: string, mount_state: string, calibration_raw: integer, type_raw: string`)

export const NOZZLE = shape(`
  material: string, diameter_mm: number, flow: string, encoded_id: string, telemetry_type_raw: string`)

export const EXTRUDER = shape(`
  id: integer, temp: number, temp_target: number, info_bits: integer, state: string, status: string, nozzle: object,
  active_tray_id: integer, target_tray_id: integer, tray_state: string, assigned_to_ams_id: integer`)

export const UNIT = shape(`
  ams_id: integer, chip_id: string, model: string, temp_actual: number, humidity_index: integer,
  humidity_raw: integer, ams_info: integer, dryer: object|null, tray_exists: array, assigned_to_extruder: string`)

export const DRYER = shape(`
  state: string, sub_status: string, fan1_status: string, fan2_status: string, remaining_minutes: integer,
  temp_target: integer, duration_target_hours: integer, filament_target: string, refusals: array,
  refusal_message: string, fail_code: string, fail_message: string, fail_count: integer`)

export const SPOOL = shape(`
  id: integer, slot_id: integer, ams_id: integer, name: string, type: string, sub_brands: string, color: string,
  colors: array, translucent: boolean, color_known: boolean,
  tray_info_idx: string, k: number, bed_temp: integer, nozzle_temp_min: integer, nozzle_temp_max: integer,
  drying_temp: integer, drying_time: integer, remaining_percent: integer, state: integer, total_length: integer,
  tray_weight: integer`)

export const NAMED_SPOOL = { ...SPOOL, ...shape('color_name: string, display_name: string') }

export const FAULT = shape(`
  code: string, msg: string, module: string, severity: string, is_critical: boolean, type: string, url: string`)

export const JOB = shape(`
  project_info: object|null, project_file_command: object, stage_id: integer, stage_name: string,
  current_layer: integer, total_layers: integer, print_percentage: integer, elapsed_minutes: integer,
  remaining_minutes: integer, remaining_minutes_by_moves: integer|null, wall_start_time: number, subtask_name: string, gcode_file: string, print_type: string,
  plate_num: integer, plate_type: string, project_info_fetch_attempted: boolean, cancelled: boolean`)
