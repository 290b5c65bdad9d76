import { may, need, shape, type Param, type Part, type Shape } from './rows.js'

// The tools as agents are promised them: arguments, annotations, the form of the result and of every failure.

export const GROUPS = {
  System: 13,
  Camera: 6,
  Files: 21,
  Climate: 7,
  'Snapshots & Monitoring Data': 4,
  'Printer State': 11,
  'Filament & AMS': 11,
  Alerts: 1,
  'Print Control': 9,
  Nozzles: 4,
  Detectors: 7,
  'Printer Management': 7,
  Discovery: 1,
  'Raw Commands': 1,
  Charts: 3
} as const
export type Group = keyof typeof GROUPS
export type Kind = 'read' | 'local' | 'write' | 'destructive'

/** A text with blanks, an object, or a list. */
export type Result =
  | { readonly form: 'text', readonly template: string }
  | { readonly form: 'object', readonly shape: Shape }
  | { readonly form: 'list' }

export interface Fault {
  /** With blanks such as `<why>`; of text tools without the leading `Error: `. */
  readonly error: string
  readonly when: string
  /** The object says more in `detail`. */
  readonly detail: boolean
}

/** Where a tool differs from what its kind and its result make one expect. */
export interface Traits {
  /** False: calling it again does something again. @default true */
  readonly again?: boolean
  /** It reaches beyond this service. @default by kind: what changes a printer does */
  readonly outside?: boolean
  /** It wants the user's consent. @default by kind: what changes a printer does */
  readonly asks?: boolean
  /** It is refused while a job starts or runs. @default false */
  readonly blocked?: boolean
  /** Its first argument is the name of a printer. @default true */
  readonly printer?: boolean
  /** Any name will do. @default false */
  readonly anyName?: boolean
  /** The answer for a printer without a session, where it is not of the form of the result. */
  readonly absent?: 'object' | 'code'
  /** What a failure interrupts: `Error <doing>: <why>`. */
  readonly doing?: string
}

export interface ToolRow extends Traits {
  readonly group: Group
  readonly name: string
  readonly since: Part
  readonly kind: Kind
  readonly title: string
  readonly params: readonly Param[]
  readonly result: Result
  readonly faults: readonly Fault[]
}

const text = (template: string): Result => ({ form: 'text', template })
const fields = (members: string): Result => ({ form: 'object', shape: shape(members) })
const LIST: Result = { form: 'list' }
const fault = (error: string, when: string, detail = false): Fault => ({ error, when, detail })

const FILE = need.text('file_path')
const PLATE = may.int('plate_num', { default: 1, min: 1 })
const PLATES = ['auto', 'cool_plate', 'eng_plate', 'hot_plate', 'textured_plate']
const RESOLUTION = may.text('resolution', {
  default: 'native', oneOf: ['native', '1080p', '720p', '480p', '360p', '180p']
})
const QUALITY = may.int('quality', { default: 85, min: 1, max: 100 })
/** Ours: how large the picture beside the answer is. */
const IMAGE_PX = may.int('image_px', { default: 1024, min: 0, max: 2048 })
const PICTURE_QUALITY = may.text('quality', {
  default: 'standard', oneOf: ['preview', 'standard', 'full'], lenient: true
})
/** Of what is read move by move. */
const PLATE_FAULTS = [
  fault('no_plate_file', 'there is no such file', true), fault('no_sliced_plate', 'the file has no such plate', true),
  fault('plate_unreadable', 'the file is damaged', true)
]
const SENSITIVITY = may.text('sensitivity', { default: 'medium', oneOf: ['low', 'medium', 'high'] })
const PRINT_OPTIONS = [
  'auto_recovery', 'filament_tangle_detect', 'sound_enable', 'auto_switch_filament', 'nozzle_blob_detect',
  'air_print_detect'
]
const NOZZLE_TYPES = ['stainless_steel', 'hardened_steel', 'tungsten_carbide', 'brass', 'e3d']

const NO_LISTING = fault('Failed to retrieve SD card contents', 'the card cannot be listed')
const NO_PROJECT = fault("Could not retrieve project info for '<file_path>'",
  'not there, or not a readable project')
const NO_UNIT = fault("AMS unit <unit_id> not found on '<name>'.", 'neither a position nor an id of a unit')
const NO_ADDRESS = fault('not_connected', 'the printer has no address', true)
const NO_CAMERA = fault('no_camera', 'the model has no camera', true)
const STREAM_FAILED = fault('stream_failed', 'no picture could be had or made', true)
const NO_SENSITIVITY = fault("Invalid sensitivity '<sensitivity>'. Choose from: low, medium, high",
  'no such sensitivity')
const NOT_CONFIGURED = fault("Printer '<name>' is not configured.", 'no printer of that name')

const toolsOf = (group: Group) => (name: string, since: Part, kind: Kind, title: string,
  params: readonly Param[], result: Result, traits: Traits = {}, faults: readonly Fault[] = []): ToolRow =>
  ({ group, name, since, kind, title, params, result, faults, ...traits })
const system = toolsOf('System')
const camera = toolsOf('Camera')
const files = toolsOf('Files')
const climate = toolsOf('Climate')
const monitoring = toolsOf('Snapshots & Monitoring Data')
const state = toolsOf('Printer State')
const filament = toolsOf('Filament & AMS')
const alerts = toolsOf('Alerts')
const print = toolsOf('Print Control')
const nozzles = toolsOf('Nozzles')
const detectors = toolsOf('Detectors')
const printers = toolsOf('Printer Management')
const discovery = toolsOf('Discovery')
const raw = toolsOf('Raw Commands')
const charts = toolsOf('Charts')

export const TOOLS: readonly ToolRow[] = [
  // System
  system('dump_log', 'first-light', 'read', 'Dump Log',
    [may.int('tail_lines', { default: 200 }), may.text('cursor')],
    fields('lines: array, total_lines: integer, log_path: string'),
    { doing: 'reading log file', printer: false }),
  system('force_state_refresh', 'first-light', 'write', 'Force State Refresh',
    [], fields('success: boolean, message: string'), { doing: "sending state refresh for '<name>'" }),
  system('get_firmware_version', 'first-light', 'read', 'Get Firmware Version',
    [], fields('firmware_version: string, ams_firmware_version: string')),
  system('get_server_info', 'first-light', 'read', 'Get Server Info',
    [],
    fields(`
      api_port: integer, api_url: string, pool_start: integer, pool_end: integer, pool_size: integer,
      pool_available: integer, pool_claimed: array, stream_count: integer, streams: object
    `),
    { doing: 'retrieving server info', printer: false }),
  system('get_session_status', 'first-light', 'read', 'Get Session Status',
    [],
    fields('name: string, connected: boolean, service_state: string, session_active: boolean'),
    { doing: 'getting session status' }),
  system('get_user_pref', 'first-light', 'read', 'Get User Pref',
    [need.text('key')], fields('key: string, value: any'), { doing: 'reading preference', anyName: true }),
  system('pause_mqtt_session', 'first-light', 'write', 'Pause MQTT Session',
    [], text("MQTT session paused for '<name>'."), { doing: "pausing session for '<name>'" }),
  system('rename_printer', 'first-light', 'write', 'Rename Printer',
    [need.text('new_name')],
    text("Rename command sent to '<name>': printer display name set to '<new_name>'."),
    { doing: "renaming printer '<name>'", absent: 'object' }),
  system('resume_mqtt_session', 'first-light', 'write', 'Resume MQTT Session',
    [], text("MQTT session resumed for '<name>'."), { doing: "resuming session for '<name>'" }),
  system('set_print_options', 'machine', 'write', 'Set Print Options',
    [may.bool('auto_recovery'), may.bool('sound')],
    fields('success: boolean, options_set: object'),
    { doing: 'setting print options' },
    [
      fault('No options specified. Provide at least one of: auto_recovery, sound',
        'neither option is given')
    ]),
  system('set_user_pref', 'first-light', 'local', 'Set User Pref',
    [need.text('key'), need.any('value')],
    fields('key: string, value: any'),
    { doing: 'storing preference', anyName: true }),
  system('trigger_printer_refresh', 'first-light', 'write', 'Trigger Printer Refresh',
    [], text("Refresh triggered for '<name>'."), { doing: "triggering refresh for '<name>'" }),
  system('truncate_log', 'first-light', 'destructive', 'Truncate Log',
    [],
    fields('success: boolean, log_path: string'),
    { outside: false, doing: 'truncating log file', printer: false }),

  // Camera
  camera('analyze_active_job', 'health', 'read', 'Analyze Active Job',
    [
      may.bool('store_as_reference', { default: false }),
      may.text('quality', { default: 'auto', oneOf: ['auto', 'preview', 'standard', 'full'] }),
      may.texts('categories', { default: null, oneOf: ['P', 'C', 'D', 'H', 'X'] }),
      IMAGE_PX
    ],
    fields(`
      verdict: string, stable_verdict: string, success_probability: number,
      decision_confidence: number|null, factor_contributions: object, anomaly_score: number,
      hot_pct: number, strand_score: number, diff_score: number|null, reference_age_s: number|null,
      quality: string, status: object, layer: integer, total_layers: integer, progress_pct: integer, timestamp: string,
      job_state_composite_jpg: string|null
    `),
    { again: false, outside: true, doing: "analysing the job of '<name>'" },
    [
      NO_ADDRESS, NO_CAMERA, fault('not_connected', 'no session of that name'), STREAM_FAILED,
      fault('analysis_failed', 'the picture could not be judged', true)
    ]),
  camera('get_stream_url', 'camera', 'read', 'Get Stream URL',
    [],
    fields('protocol: string, rtsps_url: string|null, local_mjpeg_url: string|null, streaming: boolean'),
    { absent: 'code' }),
  camera('open_job_state', 'health', 'read', 'Open Job State',
    [],
    fields(`
      opened: boolean, composite_path: string, paths: object, verdict: string, stable_verdict: string,
      score: number, layer: integer, total_layers: integer, progress_pct: integer, timestamp: string
    `),
    { again: false },
    [
      fault('no_result', 'nothing was analysed yet', true),
      fault('no_images', 'the analysis kept no pictures', true)
    ]),
  camera('start_stream', 'camera', 'write', 'Start Stream',
    [may.int('port', { min: 1, max: 65535 })],
    fields('url: string, port: integer, protocol: string'),
    { asks: false },
    [NO_ADDRESS, NO_CAMERA, STREAM_FAILED]),
  camera('stop_stream', 'camera', 'write', 'Stop Stream',
    [], fields('stopped: boolean, name: string'), { asks: false }),
  camera('view_stream', 'camera', 'read', 'View Stream',
    [RESOLUTION, QUALITY],
    fields('url: string, port: integer, protocol: string, opened: boolean, overlay_active: boolean'),
    { again: false, outside: true },
    [fault('invalid_resolution', 'none of the sizes', true), NO_ADDRESS, NO_CAMERA, STREAM_FAILED]),

  // Files
  files('create_folder', 'files', 'write', 'Create Folder',
    [need.text('path')],
    fields('success: boolean, path: string, contents: object|null'),
    { doing: "creating folder on '<name>'" }),
  files('delete_file', 'files', 'destructive', 'Delete File',
    [need.text('remote_path')],
    fields('success: boolean, remote_path: string, contents: object|null'),
    { doing: "deleting file on '<name>'" }),
  files('download_file', 'files', 'destructive', 'Download File',
    [need.text('remote_path'), need.text('local_path')],
    fields('success: boolean, remote_path: string, local_path: string'),
    { doing: "downloading file from '<name>'" }),
  files('check_plate', 'files', 'read', 'Check Plate',
    [FILE, PLATE, may.any('ams_mapping')],
    fields(`
      verdict: string, findings: array, file: string, plate: integer, is_complete: boolean, md5: string, layers: integer,
      seconds: number, filaments: array, objects: integer, stops: integer, warnings: integer, notes: integer
    `),
    { absent: 'code', outside: true },
    PLATE_FAULTS),
  files('get_3mf_entry_by_id', 'files', 'read', 'Get 3MF Entry By ID',
    [need.text('target_id'), may.text('cursor')],
    fields('entry: object'),
    { outside: true },
    [NO_LISTING, fault('Not found: <target_id>', 'nothing of that name')]),
  files('get_3mf_entry_by_name', 'files', 'read', 'Get 3MF Entry By Name',
    [need.text('target_name'), may.text('cursor')],
    fields('entry: object'),
    { outside: true },
    [NO_LISTING, fault('Not found: <target_name>', 'nothing of that name')]),
  files('get_all_project_info', 'files', 'read', 'Get All Project Info',
    [FILE, may.bool('include_images', { default: false })], LIST, { outside: true, absent: 'object' }, [NO_PROJECT]),
  files('get_current_job_project_info', 'files', 'read', 'Get Current Job Project Info',
    [may.bool('include_images', { default: false })],
    fields('id: string, name: string, plate_num: integer, metadata: object'),
    { outside: true },
    [fault('no_active_job', 'no job runs, or nothing is known of its project')]),
  files('get_file_info', 'files', 'read', 'Get File Info',
    [FILE, may.text('cursor')],
    fields('file: object'),
    { outside: true },
    [NO_LISTING, fault('File not found: <file_path>', 'nothing of that name')]),
  files('get_plate_thumbnail', 'files', 'read', 'Get Plate Thumbnail',
    [FILE, PLATE, PICTURE_QUALITY, IMAGE_PX],
    fields('data_uri: string, plate_num: integer, quality: string, width: integer, height: integer'),
    { outside: true },
    [fault('No thumbnail image available for plate <n>', 'the project holds no such picture'), NO_PROJECT]),
  files('get_plate_topview', 'files', 'read', 'Get Plate Topview',
    [FILE, PLATE, PICTURE_QUALITY, IMAGE_PX],
    fields('data_uri: string, plate_num: integer, quality: string, width: integer, height: integer'),
    { outside: true },
    [fault('No topimg image available for plate <n>', 'the project holds no such picture'), NO_PROJECT]),
  files('get_project_info', 'files', 'read', 'Get Project Info',
    [FILE, PLATE, may.bool('include_images', { default: false })],
    fields(`
      id: string, name: string, size: integer, timestamp: number, md5: string, plate_num: integer,
      plates: array, metadata: object
    `),
    { outside: true },
    [NO_PROJECT]),
  files('list_sdcard_files', 'files', 'read', 'List SD Card Files',
    [
      may.text('path', { default: '/' }), may.text('search'), may.bool('cached', { default: false }),
      may.bool('only_3mf', { default: false }), may.int('limit', { min: 1, max: 500 }), may.text('cursor')
    ],
    fields('path: string, contents: object'),
    { outside: true },
    [NO_LISTING, fault('Path not found: <path>', 'nothing of that name')]),
  files('show_layer', 'files', 'read', 'Show Layer',
    [FILE, PLATE, need.int('layer', { min: 1 }), IMAGE_PX],
    fields('width: integer, height: integer, layer: integer, layers: integer, z_mm: number, colors: object'),
    { absent: 'code', outside: true },
    [...PLATE_FAULTS, fault('no_such_layer', 'there is no such layer', true)]),
  files('open_plate_layout', 'files', 'read', 'Open Plate Layout',
    [FILE, PLATE, IMAGE_PX],
    fields(`
      success: boolean, path: string, plate: integer, objects: integer, unique_parts: integer,
      bed_mm: string
    `),
    { again: false, outside: true },
    [
      fault('No top-down image available for this plate', 'the project holds no such picture'),
      fault('No bounding-box objects found for this plate', 'the project lists no objects'), NO_PROJECT
    ]),
  files('open_plate_viewer', 'files', 'read', 'Open Plate Viewer',
    [FILE, may.int('target_plate')],
    fields('success: boolean, path: string, plates: integer'),
    { again: false, outside: true },
    [NO_PROJECT]),
  files('preview_ams_mapping', 'files', 'read', 'Preview AMS Mapping',
    [FILE, PLATE, may.any('ams_mapping'),
      may.bool('use_ams', { default: true }), may.text('bed_type', { default: 'auto', oneOf: PLATES })],
    fields(`
      file_path: string, plate_num: integer, bed_type: string, filaments: array, resolved_ams_mapping: array,
      ams_mapping_json: string, matches: array, unmatched: array, loaded_spools: array,
      external_spools: array, warnings: array, mapping_words: array
    `),
    { outside: true }),
  files('print_file', 'files', 'destructive', 'Print File',
    [
      FILE, PLATE, may.text('bed_type', { default: 'auto', oneOf: PLATES, lenient: true }),
      may.bool('use_ams', { default: true }), may.any('ams_mapping'),
      may.bool('accept_mismatch', { default: false }), may.texts('accept_findings'), may.bool('timelapse', { default: false }),
      may.bool('bed_leveling', { default: true }), may.bool('flow_calibration', { default: false })
    ],
    fields(`
      success: boolean, file_path: string, plate_num: integer, bed_type: string, use_ams: boolean,
      ams_mapping: string, matches: array, warnings: array, mapping_words: array, findings: array, unread: string
    `),
    { again: false, blocked: true, doing: "starting print on '<name>'" },
    [
      fault('<why>', 'the filament of the plate cannot be found; nothing is sent'),
      fault("Nothing was sent to '<name>': <why>", 'another material or the wrong nozzle, without accept_mismatch'),
      fault("Nothing was sent to '<name>': <why>", 'the plate would harm the printer, or is damaged')
    ]),
  files('refresh_sdcard', 'files', 'read', 'Refresh SD Card',
    [may.text('mode', { default: 'full', oneOf: ['full', '3mf'] })],
    fields('success: boolean, mode: string, printer: string'),
    { outside: true, doing: "refreshing SD card on '<name>'" },
    [fault("Unknown mode '<mode>'. Must be 'full' or '3mf'.", 'no such mode'), NO_LISTING]),
  files('rename_sdcard_file', 'files', 'write', 'Rename SD Card File',
    [need.text('src_path'), need.text('dest_path')],
    fields('success: boolean, src_path: string, dest_path: string'),
    { doing: "renaming file on '<name>'" }),
  files('upload_file', 'files', 'destructive', 'Upload File',
    [need.text('local_path'), need.text('remote_path'), may.bool('to_print')],
    fields('success: boolean, remote_path: string, contents: object|null'),
    { doing: 'uploading file' }),

  // Climate
  climate('get_chamber_light', 'first-light', 'read', 'Get Chamber Light', [], fields('on: boolean')),
  climate('get_climate', 'first-light', 'read', 'Get Climate',
    [],
    fields(`
      nozzles: array, bed: object, chamber: object, chamber_door_open: boolean, chamber_lid_open: boolean,
      air_conditioning_mode: string
    `)),
  climate('set_bed_temp', 'first-light', 'write', 'Set Bed Temp',
    [need.num('temp')],
    text("Bed temp target set to <temp>°C on '<name>'."),
    { doing: "setting bed temp on '<name>'" }),
  climate('set_chamber_light', 'first-light', 'write', 'Set Chamber Light',
    [need.bool('on')],
    text("Chamber light turned <state> on '<name>'."),
    { doing: "setting chamber light on '<name>'" }),
  climate('set_chamber_temp', 'first-light', 'write', 'Set Chamber Temp',
    [need.num('temp')],
    text("Chamber temp target set to <temp>°C on '<name>'."),
    { doing: "setting chamber temp on '<name>'" }),
  climate('set_fan_speed', 'first-light', 'write', 'Set Fan Speed',
    [
      need.text('fan', { oneOf: ['part_cooling', 'aux', 'exhaust', 'enhanced_cooling'] }),
      need.int('speed_percent', { min: 0, max: 100 })
    ],
    text("<fan> fan set to <speed_percent>% on '<name>'."),
    { doing: "setting fan speed on '<name>'" },
    [
      fault('speed_percent must be between 0 and 100, got <n>.',
        'less than nothing or more than everything'),
      fault("Unknown fan '<fan>'. Valid values: [<values>]", 'no such fan')
    ]),
  climate('set_nozzle_temp', 'first-light', 'write', 'Set Nozzle Temp',
    [need.num('temp'), may.int('extruder', { default: 0, oneOf: [0, 1, -1] })],
    text("Nozzle temp target set to <temp>°C (extruder <n>) on '<name>'."),
    { doing: "setting nozzle temp on '<name>'" }),

  // Snapshots & Monitoring Data
  monitoring('get_monitoring_data', 'control', 'read', 'Get Monitoring Data',
    [], fields('url: string'), { absent: 'code' }),
  monitoring('get_monitoring_history', 'control', 'read', 'Get Monitoring History',
    [may.bool('raw', { default: false })], fields('url: string'), { absent: 'code' }),
  monitoring('get_monitoring_series', 'control', 'read', 'Get Monitoring Series',
    [need.text('field')],
    fields('url: string'),
    { absent: 'code' },
    [fault('invalid_field', 'none of the names', true)]),
  monitoring('get_snapshot', 'camera', 'read', 'Get Snapshot',
    [RESOLUTION, QUALITY, may.bool('include_status', { default: false }), IMAGE_PX],
    fields('url: string'),
    { absent: 'code' },
    [
      fault('invalid_resolution', 'none of the sizes', true),
      fault('invalid_quality', 'not 1 to 100', true)
    ]),

  // Printer State
  state('get_ams_status', 'first-light', 'read', 'Get AMS Status',
    [], fields('ams_status: string, ams_count: integer, units: array')),
  state('get_capabilities', 'first-light', 'read', 'Get Capabilities',
    [],
    fields(`
      has_ams: boolean, has_camera: boolean, has_dual_extruder: boolean, has_lidar: boolean,
      has_air_filtration: boolean, has_chamber_temp: boolean
    `)),
  state('get_fan_speeds', 'first-light', 'read', 'Get Fan Speeds',
    [],
    fields(`
      part_cooling_pct: integer, aux_pct: integer, exhaust_pct: integer, heatbreak_pct: integer,
      enhanced_cooling_pct: integer
    `)),
  state('get_hms_errors', 'first-light', 'read', 'Get HMS Errors',
    [], fields('hms_errors: array, print_error: integer')),
  state('get_job_info', 'first-light', 'read', 'Get Job Info',
    [],
    fields(`
      subtask_name: string, gcode_file: string, plate_num: integer, plate_type: string, stage_id: integer,
      stage_name: string, current_layer: integer, total_layers: integer, print_percentage: integer,
      elapsed_minutes: integer, remaining_minutes: integer, wall_start_time: number, print_type: string,
      project_file_command: object, project_info_fetch_attempted: boolean, project_info: object|null
    `)),
  state('get_print_progress', 'first-light', 'read', 'Get Print Progress',
    [],
    fields(`
      gcode_state: string, print_percentage: integer, current_layer: integer, total_layers: integer,
      elapsed_minutes: integer, remaining_minutes: integer, stage_name: string, subtask_name: string,
      skipped_objects: array
    `)),
  state('get_printer_info', 'first-light', 'read', 'Get Printer Info',
    [], fields('model: string, serial: string, firmware_version: string, ams_firmware_version: string')),
  state('get_printer_state', 'first-light', 'read', 'Get Printer State',
    [],
    fields(`
      gcode_state: string, ams_units: array, extruders: array, spools: array, climate: object,
      hms_errors: array, print_error: integer, extension_tool: object, recent_update: boolean
    `)),
  state('get_spool_info', 'first-light', 'read', 'Get Spool Info',
    [], fields('active_spool: object|null, spools: array')),
  state('get_temperatures', 'first-light', 'read', 'Get Temperatures',
    [], fields('nozzles: array, bed: object, chamber: object')),
  state('get_wifi_signal', 'first-light', 'read', 'Get Wi-Fi Signal', [], fields('wifi_signal: string')),

  // Filament & AMS
  filament('get_ams_units', 'first-light', 'read', 'Get AMS Units',
    [], fields('ams_status: string, ams_count: integer, units: array')),
  filament('calibrate_ams_remaining', 'machine', 'write', 'Calibrate AMS Remaining',
    [need.int('unit_id'), need.int('slot_id', { min: 0, max: 3 })],
    text("RFID re-scan triggered for AMS unit <unit_id> slot <slot_id> on '<name>'."),
    { doing: "triggering RFID scan on '<name>'" },
    [NO_UNIT]),
  filament('get_external_spool', 'machine', 'read', 'Get External Spool',
    [], fields('loaded: boolean, spool: object|null, spools: array')),
  filament('get_filament_catalog', 'first-light', 'read', 'Get Filament Catalog',
    [may.text('filament_type', { default: '' }), may.text('search', { default: '' }), may.text('cursor')],
    fields('count: integer, filaments: array'),
    { doing: 'reading filament catalog', printer: false }),
  filament('load_filament', 'machine', 'write', 'Load Filament',
    [need.int('unit_id'), need.int('slot_id', { oneOf: [0, 1, 2, 3, 254, 255] })],
    text("Load filament command sent for AMS unit <unit_id> slot <slot_id> on '<name>'."),
    { again: false, blocked: true, doing: "loading filament on '<name>'" },
    [
      NO_UNIT,
      fault("'<name>' refused the load from AMS unit <unit_id> slot <slot_id>: <reason>",
        'the printer turned it down within five seconds')
    ]),
  filament('send_ams_control_command', 'machine', 'write', 'Send AMS Control Command',
    [
      need.text('cmd', { oneOf: ['PAUSE', 'RESUME', 'RESET', 'DONE', 'ABORT'] }),
      may.bool('resume_print', { default: true })
    ],
    text("AMS control command <CMD> sent to '<name>'."),
    { again: false, doing: "sending AMS control command to '<name>'" },
    [
      fault("Unknown AMS control command '<cmd>'. Must be one of: PAUSE, RESUME, RESET, DONE, ABORT.",
        'no such command')
    ]),
  filament('set_ams_filament_setting', 'machine', 'write', 'Set AMS Filament Setting',
    [
      need.int('unit_id'), need.int('slot_id'), may.text('filament_id', { default: '' }),
      may.text('filament_name', { default: '' }), may.text('filament_type', { default: '' }),
      may.text('color', { default: '' }), may.int('nozzle_temp_min', { default: -1 }),
      may.int('nozzle_temp_max', { default: -1 }), may.bool('own_preset', { default: false })
    ],
    text("Filament setting updated for AMS unit <unit_id> slot <slot_id> on '<name>'."),
    { doing: "setting filament on '<name>'" },
    [NO_UNIT]),
  filament('set_ams_user_setting', 'machine', 'write', 'Set AMS User Setting',
    [
      need.text('setting', { oneOf: ['calibrate_remain_flag', 'startup_read_option', 'tray_read_option'] }),
      need.bool('value')
    ],
    text("AMS setting '<setting>' set to <value> on '<name>'."),
    { doing: "setting AMS user setting on '<name>'" },
    [fault("Unknown setting '<setting>'. Supported: [<values>]", 'no such setting')]),
  filament('start_ams_dryer', 'machine', 'write', 'Start AMS Dryer',
    [
      need.int('unit_id'), may.int('target_temp', { default: 55, min: 45, max: 85 }),
      may.int('duration_hours', { default: 4, min: 1, max: 999 }),
      may.bool('rotate_tray', { default: false })
    ],
    text('AMS dryer started on unit <unit_id> (ams_id=<ams_id>): <target_temp>°C for <duration_hours>h ' +
      "on '<name>'. heater_state=DRYING"),
    { again: false },
    [
      NO_UNIT, fault("<reason> Nothing was sent to '<name>'.", 'the unit cannot do it; nothing is sent'),
      fault("'<name>' refused the AMS dryer start on unit <unit_id> (ams_id=<ams_id>): <reason> (<HMS code>)",
        'the printer turned it down'),
      fault('<text>', 'ten seconds went by, or the unit fell back')
    ]),
  filament('stop_ams_dryer', 'machine', 'write', 'Stop AMS Dryer',
    [need.int('unit_id')],
    text("AMS dryer stopped on unit <unit_id> (ams_id=<ams_id>) on '<name>'."),
    {},
    [NO_UNIT, fault("<reason>. Nothing was sent to '<name>'.", 'the unit cannot do it; nothing is sent')]),
  filament('unload_filament', 'machine', 'write', 'Unload Filament',
    [may.int('unit_id')],
    text("Unload filament command sent to '<name>'."),
    { blocked: true, doing: "unloading filament on '<name>'" },
    [
      fault("'<name>' refused the unload from AMS unit <ams_id>: <reason>",
        'the printer turned it down within five seconds')
    ]),

  // Alerts
  alerts('get_pending_alerts', 'control', 'read', 'Get Pending Alerts',
    [may.bool('clear', { default: true })], LIST, { again: false }),

  // Print Control
  print('clear_print_error', 'first-light', 'write', 'Clear Print Error',
    [may.int('print_error', { default: 0 }), may.text('subtask_id', { default: '' })],
    text("clear_print_error command sent to '<name>' (print_error=<print_error>)."),
    { doing: "clearing print error on '<name>'" }),
  print('pause_print', 'first-light', 'write', 'Pause Print',
    [], text("Pause command sent to '<name>'."), { doing: "pausing '<name>'" }),
  print('resume_print', 'first-light', 'write', 'Resume Print',
    [], text("Resume command sent to '<name>'."), { doing: "resuming '<name>'" }),
  print('select_extrusion_calibration', 'machine', 'write', 'Select Extrusion Calibration',
    [need.int('tray_id'), may.int('cali_idx', { default: -1 })],
    text("Extrusion calibration profile selected for tray_id <tray_id> (cali_idx=<cali_idx>) on '<name>'."),
    { doing: "selecting extrusion calibration on '<name>'" }),
  print('send_gcode', 'first-light', 'destructive', 'Send G-code',
    [need.text('gcode')],
    text("G-code sent to '<name>'."),
    { again: false, blocked: true, doing: "sending G-code to '<name>'" }),
  print('set_print_option', 'machine', 'write', 'Set Print Option',
    [need.text('option', { oneOf: PRINT_OPTIONS }), need.bool('enabled')],
    text("Option '<option>' set to <enabled> on '<name>'."),
    { doing: "setting option on '<name>'" },
    [fault("Unknown option '<option>'. Supported: [<values>]", 'no such option')]),
  print('set_print_speed', 'first-light', 'write', 'Set Print Speed',
    [need.text('speed_level', { oneOf: ['quiet', 'standard', 'sport', 'ludicrous'] })],
    text("Speed level set to '<speed_level>' on '<name>'."),
    { doing: "setting speed on '<name>'" },
    [fault("Invalid speed_level '<speed_level>'. Choose from: [<values>]", 'no such profile')]),
  print('skip_objects', 'first-light', 'destructive', 'Skip Objects',
    [need.ints('object_list')],
    text("Skip-objects command sent for IDs <list> on '<name>'."),
    { doing: "skipping objects on '<name>'" },
    [fault('object_list must not be empty.', 'nothing to skip')]),
  print('stop_print', 'first-light', 'destructive', 'Stop Print',
    [], text("Stop command sent to '<name>'."), { doing: "stopping '<name>'" }),

  // Nozzles
  nozzles('get_nozzle_info', 'machine', 'read', 'Get Nozzle Info', [], fields('nozzles: array')),
  nozzles('refresh_nozzles', 'machine', 'write', 'Refresh Nozzles',
    [], text("Nozzle refresh command sent to '<name>'."), { doing: "refreshing nozzles on '<name>'" }),
  nozzles('set_nozzle_config', 'machine', 'write', 'Set Nozzle Config',
    [
      need.num('diameter', { oneOf: [0.2, 0.4, 0.6, 0.8] }),
      need.text('nozzle_type', { oneOf: NOZZLE_TYPES }),
      may.text('flow_type', { default: 'standard', oneOf: ['standard', 'high_flow', 'tpu_high_flow'] }),
      may.int('extruder', { default: 0, oneOf: [0, 1, -1] })
    ],
    text("Nozzle config set to <diameter>mm <nozzle_type> on <which> of '<name>'."),
    { blocked: true, doing: "setting nozzle config on '<name>'" },
    [
      fault('Invalid diameter <diameter>. Valid values: [<values>]', 'no such diameter'),
      fault("Unknown nozzle_type '<nozzle_type>'. Valid: [<values>]", 'no such material'),
      fault("Unknown flow_type '<flow_type>'. Valid: [<values>]", 'no such flow')
    ]),
  nozzles('swap_tool', 'machine', 'write', 'Swap Tool',
    [may.int('extruder_id', { oneOf: [0, 1] })],
    text("Tool selection command sent: extruder <N> now active on '<name>'."),
    { again: false, blocked: true, doing: "swapping tool on '<name>'" },
    [fault("'<name>' has a single extruder.", 'there is only one extruder')]),

  // Detectors
  detectors('get_detector_settings', 'machine', 'read', 'Get Detector Settings',
    [],
    fields(`
      spaghetti_detector: object, buildplate_marker_detector: object, airprinting_detector: object,
      purgechutepileup_detector: object, nozzleclumping_detector: object, nozzle_blob_detect: object,
      air_print_detect: object
    `)),
  detectors('set_spaghetti_detection', 'machine', 'write', 'Set Spaghetti Detection',
    [need.bool('enabled'), SENSITIVITY],
    text("Spaghetti detector <state> (sensitivity: <sensitivity>) on '<name>'."),
    { doing: "setting spaghetti detector on '<name>'" },
    [NO_SENSITIVITY]),
  detectors('set_air_printing_detection', 'machine', 'write', 'Set Air Printing Detection',
    [need.bool('enabled'), SENSITIVITY],
    text("Air-printing detector <state> (sensitivity: <sensitivity>) on '<name>'."),
    { doing: "setting air-printing detector on '<name>'" },
    [NO_SENSITIVITY]),
  detectors('set_nozzle_clumping_detection', 'machine', 'write', 'Set Nozzle Clumping Detection',
    [need.bool('enabled'), SENSITIVITY],
    text("Nozzle clumping detector <state> (sensitivity: <sensitivity>) on '<name>'."),
    { doing: "setting nozzle clumping detector on '<name>'" },
    [NO_SENSITIVITY]),
  detectors('set_purge_chute_detection', 'machine', 'write', 'Set Purge Chute Detection',
    [need.bool('enabled'), SENSITIVITY],
    text("Purge chute pile-up detector <state> (sensitivity: <sensitivity>) on '<name>'."),
    { doing: "setting purge chute pile-up detector on '<name>'" },
    [NO_SENSITIVITY]),
  detectors('set_buildplate_marker_detection', 'machine', 'write', 'Set Buildplate Marker Detection',
    [need.bool('enabled')],
    text("Buildplate marker detector <state> on '<name>'."),
    { doing: "setting buildplate marker detector on '<name>'" }),
  detectors('set_first_layer_inspection', 'machine', 'write', 'Set First Layer Inspection',
    [need.bool('enabled')],
    text("First layer inspection <state> on '<name>'."),
    { doing: "setting first layer inspection on '<name>'" }),

  // Printer Management
  printers('add_printer', 'printers', 'destructive', 'Add Printer',
    [need.text('ip'), need.text('serial'), need.text('access_code'), may.int('mqtt_port', { min: 1, max: 65_535 }),
      ...['ftps_port', 'camera_port', 'rtsps_port'].map(name => may.int(name, { min: 1, max: 65_535 }))],
    text("Printer '<name>' added and session started."),
    { again: false, doing: "saving credentials for '<name>'", anyName: true },
    [
      fault("Credentials saved for '<name>' but session failed to start: <detail>",
        'it is stored, but cannot be reached'),
      fault("Nothing was saved for '<name>': <why>", 'something else answers there, or it does not take the code')
    ]),
  printers('disconnect_printer', 'printers', 'write', 'Disconnect Printer',
    [],
    text("Printer '<name>' disconnected. Configuration retained; use start_printer('<name>') to reconnect.")),
  printers('get_configured_printers', 'printers', 'read', 'Get Configured Printers',
    [may.text('cursor')], fields('printers: array, total: integer'), { printer: false }),
  printers('get_printer_connection_status', 'printers', 'read', 'Get Printer Connection Status',
    [],
    fields(`
      name: string, configured: boolean, session_active: boolean, connected: boolean,
      service_state: string|null, recent_update: boolean|null
    `),
    { anyName: true }),
  printers('remove_printer', 'printers', 'destructive', 'Remove Printer',
    [],
    text("Printer '<name>' removed and credentials deleted."),
    { anyName: true },
    [
      NOT_CONFIGURED,
      fault("Session stopped for '<name>' but error deleting credentials: <detail>",
        'the secrets file cannot be written')
    ]),
  printers('start_printer', 'printers', 'write', 'Start Printer',
    [],
    text("Printer '<name>' session <done>."),
    { again: false, anyName: true },
    [NOT_CONFIGURED, fault("Error starting session for '<name>': <detail>", 'it cannot be reached')]),
  printers('update_printer_credentials', 'printers', 'destructive', 'Update Printer Credentials',
    [may.text('ip'), may.text('serial'), may.text('access_code'), may.int('mqtt_port', { min: 1, max: 65_535 }),
      ...['ftps_port', 'camera_port', 'rtsps_port'].map(name => may.int(name, { min: 1, max: 65_535 }))],
    text("Credentials updated and session restarted for '<name>'."),
    { again: false, doing: "updating credentials for '<name>'", anyName: true },
    [
      NOT_CONFIGURED,
      fault("Credentials updated for '<name>' but session restart failed: <detail>",
        'it is stored, but cannot be reached'),
      fault("Nothing was saved for '<name>': <why>", 'something else answers there, or it does not take the code')
    ]),

  // Discovery
  discovery('discover_printers', 'printers', 'read', 'Discover Printers',
    [may.int('timeout_seconds', { default: 15, min: 1 })],
    fields('discovered: array, count: integer, note: string'),
    { outside: true, printer: false },
    [fault('Discovery failed: <reason>', 'nobody can be listened to')]),

  // Raw Commands
  raw('send_mqtt_command', 'first-light', 'destructive', 'Send MQTT Command',
    [need.text('command_json')],
    fields('success: boolean, message: string, command: object'),
    { again: false, doing: "sending command to '<name>'" },
    [fault('Invalid JSON: <detail>', 'no JSON object')]),

  // Charts
  charts('open_charts', 'control', 'read', 'Open Charts',
    [],
    fields('output_path: string, opened: boolean'),
    { again: false, absent: 'code' },
    [
      fault('unsafe_output_path', 'something else lies where the page would go'),
      fault('write_failed', 'the page cannot be written')
    ]),
  charts('render_charts_html', 'control', 'read', 'Render Charts HTML',
    [may.bool('whole', { default: false })], text('<html>'), { anyName: true }),
  charts('render_charts_panels', 'control', 'read', 'Render Charts Panels',
    [may.text('cursor')], fields('panels: array, ts: string'))
]
