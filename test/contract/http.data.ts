import { may, need, shape, type Param, type Part, type Shape } from './rows.js'

// The HTTP interface as the daemon promises it: every pair of method and path with its parameters, its answer
// and what can go wrong. A printer without a session gets one and the same answer everywhere.

export const GROUPS = [
  'System', 'Climate', 'Print Control', 'AMS & Filament', 'Hardware', 'Files', 'Camera'
] as const
export type Group = (typeof GROUPS)[number]

export interface Success {
  readonly type: string
  /** Members of a JSON object. */
  readonly shape?: Shape
  /** No other members. */
  readonly exact?: boolean
  /** A JSON list. */
  readonly list?: boolean
}

export interface Fault {
  readonly status: number
  /** Members of the body, with blanks such as `<printer>`; none at all when undefined. */
  readonly body?: Readonly<Record<string, string>>
  readonly when: string
}

export interface HttpRow {
  readonly group: Group
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly since: Part
  readonly params: readonly Param[]
  readonly success: Success
  readonly faults: readonly Fault[]
  /** A second method of a path: counted as a pair, but not in the figure of its group. */
  readonly second: boolean
}

const JSON_TYPE = 'application/json; charset=utf-8'
const fields = (text: string): Success => ({ type: JSON_TYPE, shape: shape(text) })
const exactly = (text: string): Success => ({ type: JSON_TYPE, shape: shape(text), exact: true })
const OK = exactly('status: string')
const LIST: Success = { type: JSON_TYPE, list: true }
const TREE = fields('id: string, name: string, children: array')
const HTML: Success = { type: 'text/html; charset=utf-8' }
const PLAIN: Success = { type: 'text/plain; charset=utf-8' }
const JPEG: Success = { type: 'image/jpeg' }
const PNG: Success = { type: 'image/png' }
const BYTES: Success = { type: 'application/octet-stream' }

const fault = (status: number, body: Readonly<Record<string, string>>, when: string): Fault =>
  ({ status, body, when })
/** Which dialogue of the printer is answered. */
const ANSWER_TO = [may.text('fault'), may.num('job_start')]
/** A bad parameter. */
export const B = fault(400, { status: 'error', reason: '<what is wrong>' },
  'a parameter is missing, of another type, not in its list or out of its range; nothing is sent')
/** No session. */
export const N = fault(400, {
  status: 'error', error: 'not_connected', reason: "Printer '<printer>' not connected"
}, 'the named printer, or the default one, has no session')
/** The unforeseen. */
export const X = fault(500, {
  status: 'error', message: '<text>', reason: '<text>', stacktrace: ''
}, 'something unforeseen')
const F = fault(502, { status: 'error', reason: 'SD card listing failed' }, 'the card cannot be listed')
const O = fault(502, { status: 'error', reason: '<what> failed: <why>' },
  'the card cannot be read or written')
/** Not one byte of a body. */
export const NO_LIVE_DATA: Fault = { status: 304, when: 'there is no live data' }
/** @param pauseHelps false: a paused job blocks it as well */
const blocked = (route: string, pauseHelps = true) => fault(409, {
  status: 'error',
  reason: `Blocked: '<printer>' is currently <state>. ${route} is not safe while a print is active. ` +
    `Wait for the print to finish, ${pauseHelps ? 'pause it first, ' : ''}or cancel it.`
}, 'a job is starting or running; nothing is sent')

const PRINTER = may.text('printer')
const PLATE = may.int('plate', { default: 1, min: 1 })
const RESOLUTION = may.text('resolution', {
  default: 'native', oneOf: ['native', '1080p', '720p', '480p', '360p', '180p']
})
const SENSITIVITY = may.text('sensitivity', { default: 'medium', oneOf: ['low', 'medium', 'high'] })
const PICTURE_QUALITY = may.text('quality', {
  default: 'standard', oneOf: ['preview', 'standard', 'full'], lenient: true
})
const LEVELS = ['DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL']
const SERIES = [
  'tool', 'tool_1', 'bed', 'chamber', 'part_fan', 'aux_fan', 'exhaust_fan', 'heatbreak_fan',
  'tool_target', 'tool_1_target', 'bed_target', 'chamber_target',
  'success_pct', 'confidence', 'hot_pct', 'strand_score', 'diff_score', 'remaining_min'
]
const AMS_SETTINGS = ['calibrate_remain_flag', 'startup_read_option', 'tray_read_option']
const PRINT_OPTIONS = [
  'auto_recovery', 'filament_tangle_detect', 'sound_enable', 'auto_switch_filament', 'nozzle_blob_detect',
  'air_print_detect'
]
const NOZZLE_TYPES = ['stainless_steel', 'hardened_steel', 'tungsten_carbide', 'brass', 'e3d']

const BED_TYPES = ['auto', 'cool_plate', 'eng_plate', 'hot_plate', 'textured_plate']

const NO_ADDRESS = fault(400, { error: 'not_connected', detail: 'Printer hostname is not set' },
  'the printer has no address')
const NO_CAMERA = fault(400, { error: 'no_camera', detail: '<text>' }, 'the model has no camera')
const STREAM_FAILED = fault(400, { error: 'stream_failed', detail: '<text>' },
  'no picture could be had or made')
const INVALID_QUALITY = fault(400, { error: 'invalid_quality', detail: '<text>' },
  'not 1 to 100 in plain digits')
const NO_UNIT = fault(400, { reason: 'no AMS unit with ams_id <id>' }, 'no unit has that id; nothing is sent')
const NO_DRYER = fault(400, { reason: '<unit> has no dryer' },
  'the unit cannot dry, or has not said so yet; nothing is sent')
const NO_FILE = fault(404, { reason: 'File not found: <file>' }, 'there is no such file')
const NO_PROJECT = fault(404, { reason: "Could not retrieve project info for '<file>'" },
  'not there, or not a readable project')

/** Of what is read move by move. */
const PLATE_FAULTS = [
  B, N, F, X,
  fault(404, { reason: "There is no file '<file>'. Give the full path of a .gcode.3mf, .3mf or .gcode" }, 'there is no such file'),
  fault(404, { reason: "'<file>' holds no sliced plate <n>: it has <plates>. <what to do>" }, 'the file has no such plate'),
  fault(400, { reason: "'<file>' cannot be read: <why>. Export it again from the slicer" }, 'the file is damaged')
]

const rowsOf = (group: Group, second: boolean) => (pair: string, since: Part, params: readonly Param[],
  success: Success, faults: readonly Fault[]): HttpRow => {
  const [method, path] = pair.split(' ') as [HttpRow['method'], string]
  return { group, method, path, since, params, success, faults, second }
}
const system = rowsOf('System', false)
const climate = rowsOf('Climate', false)
const print = rowsOf('Print Control', false)
const filament = rowsOf('AMS & Filament', false)
const hardware = rowsOf('Hardware', false)
const files = rowsOf('Files', false)
const camera = rowsOf('Camera', false)
const also = { system: rowsOf('System', true), files: rowsOf('Files', true) }

export const HTTP: readonly HttpRow[] = [
  // System
  system('GET /api/alerts', 'control',
    [PRINTER, may.bool('all', { default: false }), may.bool('peek', { default: false }), may.text('since')],
    LIST,
    [N, X]),
  also.system('DELETE /api/alerts', 'control', [PRINTER], exactly('status: string'), [N, X]),
  system('GET /api/charts', 'control', [PRINTER], HTML, [{ status: 400, when: 'no session: a page that says so' }]),
  system('GET /api/charts_panels', 'control',
    [PRINTER],
    fields('panels: array, ts: string'),
    [N, fault(200, { error: "Printer '<printer>' not connected" }, 'nothing has been recorded yet')]),
  system('GET /api/default_printer', 'first-light',
    [may.text('printer')],
    fields('status: string, printer: string|null, source: string, connected_printers: array'),
    [X]),
  system('GET /api/docs', 'first-light', [], HTML, [X]),
  system('GET /api/docs/', 'first-light', [], HTML, [X]),
  system('GET /api/dump_log', 'first-light', [], PLAIN, [X]),
  system('GET /api/filament_catalog', 'first-light', [], LIST, [X]),
  system('GET /api/find_3mf_by_id', 'files',
    [PRINTER, need.text('id')],
    fields('entry: object'),
    [N, F, X, fault(400, { reason: 'id parameter required' }, 'the parameter is missing')]),
  system('GET /api/find_3mf_by_name', 'files',
    [PRINTER, need.text('name')],
    fields('entry: object'),
    [N, F, X, fault(400, { reason: 'name parameter required' }, 'the parameter is missing')]),
  system('GET /api/health_check', 'first-light',
    [PRINTER],
    fields('status: string, printer: object'),
    [N, fault(500, { reason: 'no data' }, 'no live data; the last document comes along')]),
  system('GET /api/connections', 'first-light', [], fields('connections: array'), [X]),
  system('GET /api/models', 'first-light', [], LIST, [X]),
  system('GET /api/log_level', 'first-light', [], fields('status: string, level: string'), [X]),
  system('GET /api/monitoring_data', 'control',
    [PRINTER], fields('collections: object, gcode_state_durations: object, events: array'), [N, X]),
  system('GET /api/monitoring_history', 'control',
    [PRINTER, may.bool('raw', { default: false })],
    fields('summary: object, gcode_state_durations: object'),
    [N, X]),
  system('GET /api/monitoring_series', 'control',
    [PRINTER, need.text('field', { oneOf: SERIES })],
    fields('field: string, series: object'),
    [
      N, X, fault(400, { error: 'field parameter required' }, 'missing or empty'),
      fault(400, { error: "Unknown field: '<field>'" }, 'none of the names')
    ]),
  system('GET /api/openapi.json', 'first-light',
    [may.text('pretty', { default: '' })],
    fields('openapi: string, info: object, tags: array, paths: object'),
    [X]),
  system('GET /api/printer', 'first-light',
    [PRINTER, may.text('fields')],
    fields('_config: object, _service_state: string, _printer_state: object, _active_job_info: object'),
    [N, X, NO_LIVE_DATA]),
  system('GET /api/printers', 'first-light', [], fields('printers: array, total: integer'), [X]),
  system('PATCH /api/rename_printer', 'first-light',
    [PRINTER, need.text('new_name')],
    OK,
    [N, X, fault(400, { reason: 'new_name is required' }, 'the name is missing or blank')]),
  system('GET /api/server_info', 'first-light',
    [],
    fields(`
      api_port: integer, api_url: string, pool_start: integer, pool_end: integer, pool_size: integer,
      pool_available: integer, pool_claimed: array, stream_count: integer, streams: object
    `),
    [X]),
  system('GET /api/session_status', 'first-light',
    [PRINTER],
    fields('name: string, connected: boolean, service_state: string, session_active: boolean'),
    [N, X]),
  system('POST /api/set_bpm_verbose', 'first-light',
    [PRINTER, need.bool('verbose')],
    fields('status: string, printer: string, verbose: boolean'),
    [N, X, fault(400, { reason: 'verbose must be true or false' }, 'neither of the two, or nothing')]),
  system('POST /api/set_log_level', 'first-light',
    [need.text('level', { oneOf: LEVELS }), may.text('bpm_level', { oneOf: LEVELS })],
    fields('status: string, level: string, bpm_level: string|null'),
    [
      X,
      fault(400, { reason: 'level must be one of DEBUG, INFO, WARNING, ERROR, CRITICAL' },
        'one of the levels is unknown, or the first is missing')
    ]),
  system('GET /api/snapshot', 'camera',
    [
      PRINTER, { ...RESOLUTION, lenient: true }, may.int('quality', { default: 85, min: 1, max: 100 }),
      may.bool('include_status', { default: false })
    ],
    fields(`
      data_uri: string, saved_path: string, width: integer, height: integer, resolution: string,
      quality: integer, protocol: string, timestamp: string
    `),
    [N, X, INVALID_QUALITY, NO_ADDRESS, NO_CAMERA, STREAM_FAILED]),
  system('POST /api/start_stream', 'camera',
    [PRINTER, may.int('port', { min: 1, max: 65535 })],
    fields('url: string, port: integer, protocol: string'),
    [N, X, NO_ADDRESS, NO_CAMERA, STREAM_FAILED]),
  system('POST /api/stop_stream', 'camera', [PRINTER], fields('stopped: boolean, name: string'), [N, X]),
  system('GET /api/stream_url', 'camera',
    [PRINTER],
    fields('protocol: string, rtsps_url: string|null, local_mjpeg_url: string|null, streaming: boolean'),
    [N, X]),
  system('PATCH /api/toggle_session', 'first-light',
    [PRINTER, may.text('state', { oneOf: ['CONNECTED', 'PAUSED'] })], fields('status: string, state: string'), [B, N, X]),
  system('POST /api/trigger_printer_refresh', 'first-light', [PRINTER], OK, [N, X]),
  system('DELETE /api/truncate_log', 'first-light', [], OK, [X]),
  system('GET /api/user_prefs', 'first-light',
    [need.text('printer'), need.text('key')],
    fields('key: string, value: any'),
    [X, fault(400, { reason: 'printer and key are required' }, 'one of them is missing or empty')]),
  system('POST /api/user_prefs', 'first-light',
    [need.text('printer'), need.text('key'), need.any('value')],
    exactly('success: boolean'),
    [
      X,
      fault(400, { reason: 'printer, key, and value are required' },
        'one of them is missing; null counts as a value')
    ]),
  system('POST /api/view_stream', 'camera',
    [PRINTER, RESOLUTION, may.int('quality', { default: 85, min: 1, max: 100 })],
    fields('url: string, port: integer, protocol: string, opened: boolean, overlay_active: boolean'),
    [
      N, X, fault(400, { error: 'invalid_resolution', detail: '<text>' }, 'none of the sizes'),
      INVALID_QUALITY, NO_ADDRESS, NO_CAMERA, STREAM_FAILED
    ]),

  // Climate
  climate('PATCH /api/set_aux_fan_speed_target', 'first-light',
    [PRINTER, need.int('percent', { min: 0, max: 100 })], OK, [B, N, X]),
  climate('PATCH /api/set_bed_target_temp', 'first-light', [PRINTER, need.int('temp')], OK, [B, N, X]),
  climate('PATCH /api/set_chamber_target_temp', 'first-light', [PRINTER, need.int('temp')], fields('status: string'), [B, N, X]),
  climate('PATCH /api/set_exhaust_fan_speed_target', 'first-light',
    [PRINTER, need.int('percent', { min: 0, max: 100 })], OK, [B, N, X]),
  climate('PATCH /api/set_fan_speed_target', 'first-light',
    [PRINTER, need.int('percent', { min: 0, max: 100 })], OK, [B, N, X]),
  climate('PATCH /api/set_light_state', 'first-light',
    [PRINTER, need.text('state', { oneOf: ['on', 'off'] })], OK, [B, N, X]),
  climate('PATCH /api/set_tool_target_temp', 'first-light',
    [PRINTER, need.int('temp'), may.int('extruder', { oneOf: [0, 1] })], OK, [B, N, X]),
  climate('PATCH /api/toggle_active_tool', 'first-light',
    [PRINTER, may.int('tool', { min: 0, max: 1 })],
    OK,
    [
      B, N, X, fault(400, { reason: "'<printer>' has a single extruder" }, 'there is only one extruder'),
      fault(409, { reason: 'active tool is changing' }, 'the tools are being changed')
    ]),

  // Print Control
  print('POST /api/clear_print_error', 'first-light',
    [PRINTER, may.int('print_error', { default: 0 }), may.text('subtask_id', { default: '' }), ...ANSWER_TO],
    OK,
    [B, N, X]),
  print('POST /api/pause_printing', 'first-light', [PRINTER], OK, [N, X]),
  print('POST /api/resume_printing', 'first-light', [PRINTER], OK, [N, X]),
  print('POST /api/stop_printing', 'first-light', [PRINTER, may.num('job_start')], OK, [B, N, X]),
  print('POST /api/print_3mf', 'files',
    [
      PRINTER, need.text('filename'), may.int('platenum', { default: 1, min: 1 }),
      may.text('plate', {
        default: 'auto',
        oneOf: ['auto', 'cool_plate', 'eng_plate', 'hot_plate',
          'textured_plate']
      }),
      need.bool('use_ams'), may.text('ams_mapping'),
      may.bool('accept_mismatch', { default: false }), may.any('accept_warnings'), may.any('accept_findings'), may.bool('bl', { default: false }),
      may.bool('flow', { default: false }), may.bool('tl', { default: false })
    ],
    fields('status: string, warnings: array, mapping_words: array, findings: array, unread: string'),
    [
      B, N, F, X, blocked('print_3mf', false),
      fault(400, { reason: '<why>' },
        'the filament of the plate cannot be found; nothing is sent'),
      fault(409, { error: 'filament_mismatch', detail: '<what and what to do>' },
        'another material or colour, or the wrong nozzle, without accept_mismatch; nothing is sent'),
      fault(409, { error: 'plate_used', detail: '<what and what to do>' },
        'the queue knows the build plate to be used, without accept_mismatch; nothing is sent'),
      fault(409, { error: 'plate_findings', detail: '<what and what to do>' },
        'the plate would harm the printer, or is damaged; nothing is sent')
    ]),
  print('POST /api/send_gcode', 'first-light',
    [PRINTER, need.text('gcode')], OK, [B, N, X, blocked('send_gcode')]),
  print('POST /api/send_mqtt_command', 'first-light',
    [PRINTER, need.any('command_json')],
    OK,
    [N, X, fault(400, { reason: 'invalid JSON: <why>' }, 'no JSON, or JSON that is no object')]),
  print('PATCH /api/set_speed_level', 'first-light',
    [PRINTER, need.text('level', { oneOf: ['quiet', 'standard', 'sport', 'ludicrous'] })],
    OK,
    [
      N, X,
      fault(400, { reason: "Invalid level '<level>'. Must be one of: quiet, standard, sport, ludicrous." },
        'unknown or missing')
    ]),
  print('POST /api/skip_objects', 'first-light',
    [PRINTER, need.any('objects'), may.num('job_start')], OK, [B, N, X]),

  // AMS & Filament
  filament('POST /api/load_filament', 'machine',
    [PRINTER, need.int('slot', { oneOf: [0, 1, 2, 3] }), may.int('ams_id', { default: 0 })],
    OK,
    [
      B, N, X,
      fault(409, { reason: 'printer refused the load: <why>' },
        'the printer turned it down within five seconds')
    ]),
  filament('POST /api/refresh_spool_rfid', 'machine',
    [PRINTER, need.int('slot_id', { min: 0, max: 3 }), may.int('ams_id', { default: 0 })], OK, [B, N, X]),
  filament('POST /api/select_extrusion_calibration', 'machine',
    [PRINTER, need.int('tray_id'), may.int('cali_idx', { default: -1, min: -1 })], OK, [B, N, X]),
  filament('POST /api/send_ams_control_command', 'machine',
    [
      PRINTER, need.text('cmd', { oneOf: ['pause', 'resume', 'reset', 'done', 'abort'] }),
      may.any('resume_print', { default: true }), ...ANSWER_TO
    ],
    OK,
    [B, N, X]),
  filament('PATCH /api/set_ams_user_setting', 'machine',
    [PRINTER, need.text('setting', { oneOf: AMS_SETTINGS }), need.bool('enabled')], OK, [B, N, X]),
  filament('PATCH /api/set_spool_details', 'machine',
    [
      PRINTER, need.int('tray_id'), need.text('tray_info_idx'), may.text('tray_id_name', { default: '' }),
      may.text('tray_type', { default: '' }), may.text('tray_color', { default: '' }),
      may.int('nozzle_temp_min', { default: -1 }), may.int('nozzle_temp_max', { default: -1 })
    ],
    OK,
    [B, N, X]),
  filament('POST /api/set_spool_k_factor', 'machine', [PRINTER], OK, []),
  filament('POST /api/turn_off_ams_dryer', 'machine',
    [PRINTER, need.int('ams_id')], OK, [B, N, X, NO_UNIT, NO_DRYER]),
  filament('POST /api/turn_on_ams_dryer', 'machine',
    [
      PRINTER, need.int('ams_id'), may.int('target_temp', { default: 55, min: 45, max: 85 }),
      may.int('duration_hours', { default: 4, min: 1, max: 999 })
    ],
    fields(`
      status: string, ams_id: integer, heater_state: string, target_temp: integer, duration_hours: integer
    `),
    [
      N, X, NO_UNIT, NO_DRYER,
      fault(400, { reason: "<value> outside the unit's range" },
        'more or less than the unit can do; nothing is sent'),
      fault(400, { reason: '<why>' },
        'the unit itself says that it cannot dry now; nothing is sent'),
      fault(409, { reason: 'printer refused the dryer start: <why>' },
        'the printer turned it down'),
      fault(500, {
        reason: 'dryer command sent but heater_state did not reach DRYING within 10s (final: <state>)'
      }, 'ten seconds went by, or the unit fell back')
    ]),
  filament('POST /api/unload_filament', 'machine',
    [PRINTER, may.any('ams_id')],
    OK,
    [
      B, N, X,
      fault(409, { reason: 'printer refused the unload: <why>' },
        'the printer turned it down within five seconds')
    ]),

  // Hardware
  hardware('GET /api/get_detector_settings', 'machine',
    [PRINTER],
    fields(`
      spaghetti_detector: object, buildplate_marker_detector: object, airprinting_detector: object,
      purgechutepileup_detector: object, nozzleclumping_detector: object, nozzle_blob_detect: object,
      air_print_detect: object
    `),
    [N, X]),
  hardware('POST /api/refresh_nozzles', 'machine', [PRINTER], OK, [N, X]),
  hardware('PATCH /api/set_airprinting_detector', 'machine',
    [PRINTER, need.bool('enabled'), SENSITIVITY], OK, [B, N, X]),
  hardware('PATCH /api/set_buildplate_marker_detector', 'machine',
    [PRINTER, need.bool('enabled')], OK, [B, N, X]),
  hardware('PATCH /api/set_first_layer_inspection', 'machine',
    [PRINTER, need.bool('enabled')], OK, [B, N, X]),
  hardware('PATCH /api/set_nozzle_details', 'machine',
    [
      PRINTER, need.num('nozzle_diameter', { oneOf: [0.2, 0.4, 0.6, 0.8] }),
      need.text('nozzle_type', { oneOf: NOZZLE_TYPES })
    ],
    OK,
    [B, N, X]),
  hardware('PATCH /api/set_nozzleclumping_detector', 'machine',
    [PRINTER, need.bool('enabled'), SENSITIVITY], OK, [B, N, X]),
  hardware('PATCH /api/set_print_option', 'machine',
    [PRINTER, need.text('option', { oneOf: PRINT_OPTIONS }), need.bool('enabled')], OK, [B, N, X]),
  hardware('PATCH /api/set_purgechutepileup_detector', 'machine',
    [PRINTER, need.bool('enabled'), SENSITIVITY], OK, [B, N, X]),
  hardware('PATCH /api/set_spaghetti_detector', 'machine',
    [PRINTER, need.bool('enabled'), SENSITIVITY], OK, [B, N, X]),

  // Files
  files('DELETE /api/delete_sdcard_file', 'files',
    [PRINTER, need.text('file')],
    TREE,
    [N, O, X, NO_FILE, fault(400, { reason: 'file is required' }, 'missing, or the whole card')]),
  files('GET /api/download_file_from_printer', 'files',
    [PRINTER, need.text('src')],
    BYTES,
    [
      N, F, O, X, fault(400, { reason: 'invalid src filename' }, 'no name, or a path that leads elsewhere'),
      fault(404, { reason: 'File not found: <src>' }, 'there is no such file')
    ]),
  also.files('POST /api/download_file_from_printer', 'files',
    [PRINTER, need.text('src')],
    BYTES,
    [
      N, F, O, X, fault(400, { reason: 'invalid src filename' }, 'no name, or a path that leads elsewhere'),
      fault(404, { reason: 'File not found: <src>' }, 'there is no such file')
    ]),
  files('GET /api/get_3mf_props_for_file', 'files',
    [PRINTER, need.text('file'), PLATE],
    fields(`
      id: string, md5: string, metadata: object, name: string, plate_num: integer, plates: array,
      size: integer, timestamp: number
    `),
    [B, N, F, X, fault(404, { reason: 'No file found' }, 'not there; one that is no project says why')]),
  files('GET /api/get_all_3mf_props_for_file', 'files',
    [PRINTER, need.text('file'), may.bool('include_images', { default: false })],
    LIST,
    [B, N, F, X, NO_PROJECT]),
  files('GET /api/get_current_3mf_props', 'files',
    [PRINTER],
    fields(`
      id: string, md5: string, metadata: object, name: string, plate_num: integer, plates: array,
      size: integer, status: string, timestamp: number
    `),
    [N, X, fault(404, { reason: 'No Job Found' }, 'nothing is known of the project of the job')]),
  files('GET /api/get_file_info', 'files',
    [PRINTER, need.text('file')],
    fields('file: object'),
    [B, N, F, X, fault(404, { reason: 'File not found: <file>' }, 'there is no such file')]),
  files('GET /api/get_sdcard_3mf_files', 'files',
    [PRINTER, may.bool('cached', { default: false })], TREE, [N, F, X]),
  files('GET /api/get_sdcard_contents', 'files',
    [PRINTER, may.bool('cached', { default: false })], TREE, [N, F, X]),
  files('POST /api/make_sdcard_directory', 'files', [PRINTER, need.text('dir')], TREE, [B, N, O, X]),
  files('GET /api/plate_thumbnail', 'files',
    [PRINTER, need.text('file'), PLATE, PICTURE_QUALITY],
    JPEG,
    [
      B, N, F, X,
      fault(404, { reason: 'No thumbnail image available for plate <n>' },
        'the project holds no such picture'),
      NO_PROJECT
    ]),
  files('GET /api/plate_topview', 'files',
    [PRINTER, need.text('file'), PLATE, PICTURE_QUALITY],
    JPEG,
    [
      B, N, F, X,
      fault(404, { reason: 'No topimg image available for plate <n>' }, 'the project holds no such picture'),
      NO_PROJECT
    ]),
  files('GET /api/preview_ams_mapping', 'files',
    [PRINTER, need.text('file'), PLATE, may.text('ams_mapping'),
      may.bool('use_ams', { default: true }),
      may.text('bed_type', { default: 'auto', oneOf: BED_TYPES })],
    fields(`
      file_path: string, plate_num: integer, bed_type: string, filaments: array, resolved_ams_mapping: array,
      ams_mapping_json: string, matches: array, unmatched: array, loaded_spools: array,
      external_spools: array, warnings: array, mapping_words: array
    `),
    [B, N, F, X]),
  files('POST /api/refresh_sdcard_3mf_files', 'files', [PRINTER], OK, [N, F, X]),
  files('POST /api/refresh_sdcard_contents', 'files', [PRINTER], OK, [N, F, X]),
  files('PATCH /api/rename_sdcard_file', 'files',
    [PRINTER, need.text('src'), need.text('dest')], TREE, [B, N, F, O, X, NO_FILE]),
  files('GET /api/toolpath/layers', 'files',
    [PRINTER, need.text('file'), PLATE, may.text('layer')],
    exactly('file: string, plate: integer, total: integer, layers: array'),
    PLATE_FAULTS),
  files('GET /api/toolpath/objects', 'files',
    [PRINTER, need.text('file'), PLATE, may.int('from_layer', { min: 1 })],
    exactly('file: string, plate: integer, from_layer: integer, is_known: boolean, objects: array'),
    PLATE_FAULTS),
  files('GET /api/toolpath/picture', 'files',
    [PRINTER, need.text('file'), PLATE, need.int('layer', { min: 1 })],
    PNG,
    [...PLATE_FAULTS, fault(404, { reason: "'<file>' has no layer <n>: it has layers 1 to <last>" }, 'there is no such layer')]),
  files('GET /api/toolpath/progress', 'files',
    [PRINTER, need.text('file'), PLATE],
    exactly('is_reading: boolean, bytes: integer, total: integer'),
    [B, N]),
  files('GET /api/toolpath/summary', 'files',
    [PRINTER, need.text('file'), PLATE, may.any('ams_mapping'), may.text('bed_type')],
    fields(`
      file: string, plate: integer, slicer: string|null, is_complete: boolean, md5: string, lines: integer,
      layers: integer, height_mm: number, seconds: number, slicer_seconds: number|null, speed_limits: string,
      filaments: array, filament_changes: integer, box_mm: object|null, objects: array, temperatures: object,
      stops: integer, warnings: integer, notes: integer, findings: array
    `),
    PLATE_FAULTS),
  files('GET /api/toolpath/track', 'files',
    [PRINTER, need.text('file'), PLATE, may.text('layer')],
    BYTES,
    PLATE_FAULTS),
  files('POST /api/upload_file_to_host', 'files',
    [need.file('myFile')],
    fields('status: string, filename: string'),
    [
      X, fault(400, { reason: 'no file in request' }, 'no file came with the request'),
      fault(400, { reason: 'invalid filename' }, 'an empty or unsafe name'),
      fault(413, { reason: 'file too large' }, 'longer than allowed')
    ]),
  also.files('GET /api/upload_file_to_host', 'files',
    [need.file('myFile')],
    fields('status: string, filename: string'),
    [
      X, fault(400, { reason: 'no file in request' }, 'no file came with the request'),
      fault(400, { reason: 'invalid filename' }, 'an empty or unsafe name'),
      fault(413, { reason: 'file too large' }, 'longer than allowed')
    ]),
  files('POST /api/upload_file_to_printer', 'files',
    [PRINTER, need.text('src'), need.text('dest'), may.bool('to_print', { default: false })],
    TREE,
    [
      B, N, O, X,
      fault(400, { reason: 'invalid src filename' }, 'no name, or a path that leads elsewhere'),
      fault(404, { reason: 'File not found: <src>' }, 'there is no such file')
    ]),

  // Camera
  camera('GET /api/analyze_active_job', 'health',
    [
      PRINTER, may.bool('store_reference', { default: false }),
      may.text('quality', { default: 'auto', oneOf: ['auto', 'preview', 'standard', 'full'] }),
      may.text('categories', { default: 'X' })
    ],
    fields(`
      verdict: string, stable_verdict: string, success_probability: number,
      decision_confidence: number|null, factor_contributions: object, anomaly_score: number,
      hot_pct: number, strand_score: number, diff_score: number|null, reference_age_s: number|null,
      quality: string, status: object, layer: integer, total_layers: integer, progress_pct: integer, timestamp: string,
      job_state_composite_jpg: string
    `),
    [
      N, X, fault(400, { error: 'not_connected', detail: '<text>' }, 'the printer has no address'),
      fault(400, { error: 'no_camera' }, 'the model has no camera'), STREAM_FAILED,
      fault(400, { error: 'analysis_failed', detail: '<text>' }, 'the picture could not be judged')
    ])
]
