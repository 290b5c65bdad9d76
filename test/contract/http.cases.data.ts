import type { ModelName } from '../../plugins/emulator/index.js'
import type { Content } from './card.js'
import type { Activity, Fields, Wire } from './fleet.js'
import type { Way } from './invalid.js'
import { CAMERA_ROUTES } from './camera.data.js'
import { FILES_CASES } from './http.files.data.js'
import {
  accessories, airduct, amsSetting, calibration, clearError, control, describe, detector, dialog, dry, gcode, lights,
  load, print, readTag, REFRESH, resume, stopDrying, unload
} from './wire.js'

// What is asked of each route of `http.data.ts`, and what then reaches the printer.

export interface Case {
  readonly params: Fields
  readonly models?: readonly ModelName[]
  /** What the printer is doing. @default 'idle' */
  readonly while?: Activity
  /** The printer's time passes while it is asked. @default false */
  readonly lives?: boolean
  /** What must reach the printer, in this order, and nothing else. @default nothing */
  readonly wire?: readonly Wire[] | ((model: ModelName) => readonly Wire[])
  /** Members of the answer, beside those of every answer of the route. */
  readonly answer?: Fields
  /** The whole answer, where it is not the usual one. */
  readonly instead?: Fields
  /** The whole answer as text. */
  readonly content?: string
  /** Put on the card before, anew for every way it is asked. */
  readonly has?: Content
  /** What it changes on the card. @default nothing */
  readonly after?: Content
  /** The only way it is asked. @default all */
  readonly way?: Way
}

export interface BadCase {
  readonly params: Fields
  readonly reason: RegExp
  readonly models?: readonly ModelName[]
  /** @default 400 */
  readonly status?: number
}

export interface RouteCases {
  readonly good: readonly Case[]
  /** Parameters that are refused for reasons of their own; nothing is sent. */
  readonly bad?: readonly BadCase[]
  /** The answer for a printer that cannot be reached. @default not connected for what is sent, else success */
  readonly gone?: 'refused' | 'works' | 'no data' | 'no history' | 'no card' | 'no project' | 'no picture' | 'no address'
  /** Each call does something else, so that they come one after the other and only one way. */
  readonly once?: boolean
  /** The printer is not asked whether it agrees. */
  readonly unasked?: boolean
}

const DUAL: readonly ModelName[] = ['H2D']
const SINGLE: readonly ModelName[] = ['A1_MINI', 'P1S', 'X1C']

/** Printers with fans beside the nozzle's. */
const ENCLOSED: readonly ModelName[] = ['P1S', 'X1C', 'H2D']

const fan = (number: number, models?: readonly ModelName[]): RouteCases => ({
  good: ([[0, 0], [50, 127], [100, 255]] as const).map(([percent, value]) =>
    ({ params: { percent }, wire: [gcode(`M106 P${number} S${value}`)], ...(models && { models }) })),
  bad: models ? [{ params: { percent: 50 }, models: ['A1_MINI'], reason: /^'a1-mini' has no (auxiliary|exhaust) fan$/ }] : []
})
const job = (command: string, activity: Activity): RouteCases =>
  ({ good: [{ params: {}, while: activity, wire: [print(command, { param: '' })] }] })

/** Printers that say that they can beep. */
const AUDIBLE: readonly ModelName[] = ['A1_MINI', 'X1C', 'H2D']

/** Printers that report the four detectors. */
const watcher = (module: string): RouteCases => ({
  good: [
    { params: { enabled: true, sensitivity: 'HIGH' }, models: DUAL, wire: [detector(module, true, 'high')] },
    { params: { enabled: false }, models: DUAL, wire: [detector(module, false, 'high')] },
    { params: { enabled: 'true' }, models: DUAL, wire: [detector(module, true, 'high')] }
  ],
  bad: [{ params: { enabled: true }, models: ['A1_MINI', 'P1S'], reason: /^'[\w-]+' has no [\w- ]+ detector$/ }]
})
const WARM = { nozzle_temp_min: 190, nozzle_temp_max: 230 }
/** As the catalogue has it. */
const GENERIC_PLA = { nozzle_temp_min: 190, nozzle_temp_max: 240 }
const REAL = { curr_temp: 215, tar_temp: 215, soft_temp: 0 }
const FIRST_SPOOL: Readonly<Partial<Record<ModelName, string>>> = { A1_MINI: 'GFL99' }
const HELD: Readonly<Partial<Record<ModelName, string>>> = { A1_MINI: 'GFL99', P1S: 'GFL99' }
/** Of a printer that was just switched on. */
const STARTUP: Readonly<Partial<Record<ModelName, boolean>>> = { H2D: true }

/** Routes that read only, and take nothing but a printer's name. */
const READS: RouteCases = { good: [{ params: {} }] }

export const HTTP_CASES: Readonly<Record<string, RouteCases>> = {
  ...FILES_CASES,
  ...CAMERA_ROUTES,
  'GET /api/default_printer': {
    good: [
      { params: {}, answer: { printer: 'a1-mini', source: 'first_connected' } },
      { params: { printer: 'p1s' }, answer: { printer: 'p1s', source: 'explicit' } }
    ]
  },
  'GET /api/docs': READS,
  'GET /api/docs/': READS,
  'GET /api/dump_log': { good: [{ params: {} }, { params: { tail_lines: 1 } }] },
  'GET /api/filament_catalog': READS,
  'GET /api/health_check': { good: [{ params: {}, answer: { status: 'success' } }], gone: 'no data' },
  'GET /api/connections': { good: [{ params: {} }] },
  'GET /api/models': READS,
  'GET /api/log_level': { good: [{ params: {}, answer: { status: 'success', level: 'ERROR' } }] },
  'GET /api/alerts': { good: [{ params: { peek: true } }, { params: {} }], gone: 'works' },
  'DELETE /api/alerts': { good: [{ params: {}, answer: { status: 'ok' } }], gone: 'works' },
  'GET /api/charts': { good: [{ params: {} }], gone: 'works' },
  'GET /api/charts_panels': { good: [{ params: {} }], gone: 'no history' },
  'GET /api/monitoring_data': { good: [{ params: {} }], gone: 'works' },
  'GET /api/monitoring_history': { good: [{ params: {} }, { params: { raw: false } }], gone: 'works' },
  'GET /api/monitoring_series': {
    good: ['tool', 'bed', 'chamber', 'part_fan', 'tool_1_target', 'success_pct', 'hot_pct'].map(field =>
      ({ params: { field }, answer: { field } })),
    bad: [{ params: { field: 'Tool' }, reason: /Unknown field: 'Tool'/ }],
    gone: 'works'
  },
  'GET /api/openapi.json': { good: [{ params: {} }, { params: { pretty: 'true' } }, { params: { pretty: 'no' } }] },
  'GET /api/printer': {
    good: [
      { params: {}, answer: { _service_state: 'CONNECTED' } },
      { params: { fields: '_config.serial_number, _service_state,_printer_state,_active_job_info' }, answer: { _service_state: 'CONNECTED' } }
    ],
    bad: [
      { params: { fields: '_service_stat' }, reason: /did you mean '_service_state'\?/ },
      { params: { fields: '_printer_state.gcode' }, reason: /no 'gcode' in '_printer_state.gcode'/ }
    ],
    gone: 'no data'
  },
  'GET /api/printers': { good: [{ params: {}, answer: { total: 7 } }] },
  'GET /api/server_info': READS,
  'GET /api/session_status': {
    good: [{ params: {}, answer: { connected: true, service_state: 'CONNECTED', session_active: true } }]
  },
  'PATCH /api/rename_printer': {
    good: [
      { params: { new_name: 'workshop' }, wire: [{ section: 'update', name: 'workshop' }] },
      { params: { new_name: '  left  ' }, wire: [{ section: 'update', name: 'left' }] }
    ],
    bad: [
      { params: { new_name: '' }, reason: /^new_name is required$/ },
      { params: { new_name: '   ' }, reason: /^new_name is required$/ },
      { params: { new_name: 'x'.repeat(65) }, reason: /^new_name / },
      { params: { new_name: 'two\nlines' }, reason: /^new_name / }
    ]
  },
  'POST /api/set_bpm_verbose': {
    good: [true, 'TRUE', false, 'false'].map(verbose =>
      ({ params: { verbose }, answer: { verbose: String(verbose).toLowerCase() === 'true' } }))
  },
  'POST /api/set_log_level': {
    good: [
      { params: { level: 'info' }, answer: { level: 'INFO', bpm_level: null } },
      { params: { level: 'ERROR', bpm_level: 'Error' }, answer: { level: 'ERROR', bpm_level: 'ERROR' } }
    ],
    bad: [{ params: { bpm_level: 'INFO' }, reason: /^level must be one of DEBUG, INFO, WARNING, ERROR, CRITICAL$/ }]
  },
  'PATCH /api/toggle_session': {
    good: [
      { params: {}, answer: { state: 'PAUSED' } },
      { params: {}, while: 'asleep', answer: { state: 'CONNECTED' } }
    ],
    once: true
  },
  'POST /api/trigger_printer_refresh': {
    good: [{ params: {}, wire: REFRESH }],
    gone: 'works',
    unasked: true
  },
  'DELETE /api/truncate_log': READS,
  'GET /api/user_prefs': {
    good: [{
      params: { printer: 'nobody', key: 'ams0:target_temp' },
      answer: { key: 'nobody:ams0:target_temp', value: null }
    }],
    bad: [
      { params: { printer: '', key: 'k' }, reason: /^printer and key are required$/ },
      { params: { printer: 'p', key: '' }, reason: /^printer and key are required$/ }
    ]
  },
  'POST /api/user_prefs': {
    good: [
      { params: { printer: 'nobody', key: 'bed_leveling', value: true }, answer: { success: true } },
      { params: { printer: 'nobody', key: 'list', value: [1, { a: null }] }, answer: { success: true } },
      { params: { printer: 'nobody', key: 'nothing', value: null }, answer: { success: true } }
    ],
    bad: [
      { params: { printer: '', key: 'k', value: 1 }, reason: /^printer, key, and value are required$/ },
      { params: { printer: 'p', key: '', value: 1 }, reason: /^printer, key, and value are required$/ }
    ]
  },

  'PATCH /api/set_aux_fan_speed_target': fan(2, ENCLOSED),
  'PATCH /api/set_exhaust_fan_speed_target': fan(3, ENCLOSED),
  'PATCH /api/set_fan_speed_target': fan(1),
  'PATCH /api/set_bed_target_temp': {
    good: [
      { params: { temp: 60 }, wire: [gcode('M140 S60')] },
      { params: { temp: 0 }, wire: [gcode('M140 S0')] },
      { params: { temp: -5 }, wire: [gcode('M140 S0')] }
    ],
    bad: [
      { params: { temp: 81 }, models: ['A1_MINI'], reason: /temp must be at most 80/ },
      { params: { temp: 101 }, models: ['P1S'], reason: /temp must be at most 100/ },
      { params: { temp: 121 }, models: ['X1C', 'H2D'], reason: /temp must be at most 120/ }
    ]
  },
  'PATCH /api/set_chamber_target_temp': {
    good: [
      { params: { temp: 45 }, models: SINGLE, answer: { note: /nothing was sent/ } },
      {
        params: { temp: 0 },
        models: DUAL,
        wire: [print('set_ctt', { ctt_val: 0, temper_check: true }), airduct(0)]
      }
    ],
    bad: [{ params: { temp: 66 }, models: DUAL, reason: /temp must be at most 65/ }]
  },
  'PATCH /api/set_light_state': {
    good: [{ params: { state: 'on' }, wire: lights('on') }, { params: { state: 'OFF' }, wire: lights('off') }]
  },
  'PATCH /api/set_tool_target_temp': {
    good: [
      { params: { temp: 200 }, wire: [gcode('M104 S200')] },
      { params: { temp: -1 }, wire: [gcode('M104 S0')] },
      { params: { temp: 210, extruder: 0 }, models: SINGLE, wire: [gcode('M104 S210')] },
      { params: { temp: 210, extruder: 0 }, models: DUAL, wire: [gcode('M104 S210 T0')] },
      { params: { temp: 220, extruder: 1 }, models: DUAL, wire: [gcode('M104 S220 T1')] }
    ],
    bad: [
      { params: { temp: 301 }, models: SINGLE, reason: /temp must be at most 300/ },
      { params: { temp: 351 }, models: DUAL, reason: /temp must be at most 350/ },
      { params: { temp: 200, extruder: 1 }, models: SINGLE, reason: /has a single extruder$/ }
    ]
  },
  'PATCH /api/toggle_active_tool': {
    good: [{ params: {}, models: DUAL, wire: [print('select_extruder', { extruder_index: 1 })] }],
    bad: [{ params: {}, models: SINGLE, reason: /^'[\w-]+' has a single extruder$/ }],
    once: true
  },

  'POST /api/load_filament': {
    good: [
      { params: { slot: 0 }, wire: [load(0, 0, 0)] },
      { params: { slot: 2, ams_id: 0 }, wire: [load(0, 2, 2)] },
      { params: { slot: 1, ams_id: 1 }, models: ['X1C'], wire: [load(1, 1, 5)] },
      { params: { slot: 0, ams_id: 128 }, models: DUAL, wire: [load(128, 0, 128)] },
      { params: { slot: 254 }, models: SINGLE, wire: [load(255, 254, 254)] },
      { params: { slot: 255, ams_id: 9 }, models: SINGLE, wire: [load(255, 254, 254)] },
      { params: { slot: 254 }, models: DUAL, wire: [load(254, 0, 254, REAL)] },
      { params: { slot: 255 }, models: DUAL, wire: [load(255, 0, 255, REAL)] }
    ],
    bad: [
      ...[-1, 4, 16, 253, 256].map(slot => ({ params: { slot }, reason: /^slot must be one of/ })),
      ...[-1, 7, 129, 254].map(id =>
        ({ params: { slot: 0, ams_id: id }, reason: new RegExp(`^no AMS unit with ams_id ${id}$`) })),
      { params: { slot: 1, ams_id: 128 }, models: DUAL, reason: /^slot must be 0 for AMS unit 128, got 1$/ }
    ],
    once: true
  },
  'POST /api/unload_filament': {
    good: [
      { params: {}, wire: [unload(0, 210)] },
      { params: { ams_id: 0 }, wire: [unload(0, 210)] },
      { params: { ams_id: '254' }, models: SINGLE, wire: [unload(255, 210)] },
      { params: { ams_id: '254' }, models: DUAL, wire: [unload(254, 210)] },
      { params: { ams_id: 128 }, models: DUAL, wire: [unload(128, 210)] }
    ],
    bad: [
      ...['', 'abc', '-1', '1.5', true, {}, [1], 1.5].map(id => ({ params: { ams_id: id }, reason: /^ams_id must be/ })),
      { params: { ams_id: 9 }, reason: /^no AMS unit with ams_id 9$/ },
      { params: { ams_id: '9' }, reason: /^no AMS unit with ams_id 9$/ }
    ],
    once: true
  },
  'POST /api/refresh_spool_rfid': {
    good: [
      { params: { slot_id: 0 }, wire: [readTag(0, 0)] },
      { params: { slot_id: 0, ams_id: 128 }, models: DUAL, wire: [readTag(128, 0)] }
    ],
    bad: [
      { params: { slot_id: 1, ams_id: 128 }, models: DUAL, reason: /^slot must be 0 for AMS unit 128, got 1$/ },
      { params: { slot_id: 0, ams_id: 9 }, reason: /^no AMS unit with ams_id 9$/ }
    ],
    once: true
  },
  'POST /api/select_extrusion_calibration': {
    good: [
      {
        params: { tray_id: 1, cali_idx: 2 },
        wire: model => [calibration(1, 0, 1, 2, FIRST_SPOOL[model] ?? 'GFA01')]
      },
      { params: { tray_id: 6 }, models: ['X1C'], wire: [calibration(6, 1, 2, -1, 'GFB01')] },
      { params: { tray_id: 128 }, models: DUAL, wire: [calibration(0, 128, 0, -1, 'GFN03')] },
      { params: { tray_id: 254 }, models: SINGLE, wire: model => [calibration(254, 254, 0, -1, HELD[model])] },
      { params: { tray_id: 255, cali_idx: 0 }, models: DUAL, wire: [calibration(255, 255, 0, 0)] }
    ],
    bad: [
      ...[-1, 104, 127, 136, 253, 256].map(id => ({ params: { tray_id: id }, reason: /^tray_id must be/ })),
      { params: { tray_id: 16 }, reason: /^no AMS unit with ams_id 4$/ },
      { params: { tray_id: 128 }, models: SINGLE, reason: /^no AMS unit with ams_id 128$/ },
      { params: { tray_id: 0, cali_idx: -2 }, reason: /cali_idx/ }
    ]
  },
  'POST /api/send_ams_control_command': {
    good: [
      { params: { cmd: 'pause' }, wire: [control('pause')] },
      { params: { cmd: 'RESUME' }, wire: [control('resume'), resume] },
      { params: { cmd: 'resume', resume_print: 'FALSE' }, wire: [control('resume')] },
      { params: { cmd: 'resume', resume_print: false }, wire: [control('resume')] },
      { params: { cmd: 'Done', resume_print: true }, wire: [control('done')] },
      { params: { cmd: 'reset' }, wire: [control('reset')] },
      { params: { cmd: 'abort' }, wire: [control('abort')] }
    ],
    bad: ['nonsense', '', 1, {}, []].map(given =>
      ({ params: { cmd: 'resume', resume_print: given }, reason: /^resume_print must be true or false$/ }))
  },
  'PATCH /api/set_ams_user_setting': {
    good: [
      {
        params: { setting: 'tray_read_option', enabled: true },
        wire: model => [amsSetting(STARTUP[model] ?? false, true, model !== 'P1S')]
      },
      {
        params: { setting: 'STARTUP_READ_OPTION', enabled: false },
        wire: model => [amsSetting(false, true, model !== 'P1S')]
      },
      { params: { setting: 'calibrate_remain_flag', enabled: true }, wire: [amsSetting(false, true, true)] }
    ]
  },
  'PATCH /api/set_spool_details': {
    good: [
      {
        params: {
          tray_id: 0, tray_info_idx: 'GFA00', tray_id_name: 'A00-R0', tray_type: 'PLA', tray_color: '#ff0000', ...WARM
        },
        wire: [describe(0, 0, 0, {
          tray_info_idx: 'GFA00', tray_id_name: 'A00-R0', tray_color: 'FF0000FF', tray_type: 'PLA', ...WARM
        })]
      },
      {
        params: { tray_id: 0, tray_info_idx: 'GFL99', tray_type: 'PLA', tray_color: '00FF0080' },
        wire: [describe(0, 0, 0, { tray_info_idx: 'GFL99', tray_color: '00FF0080', tray_type: 'PLA', ...GENERIC_PLA })]
      },
      {
        params: { tray_id: 1, tray_info_idx: 'no_filament', tray_type: 'ABS', nozzle_temp_min: 240 },
        wire: [describe(0, 1, 1, { tray_color: 'FFFFFF00' })]
      },
      {
        params: { tray_id: 5, tray_info_idx: 'GFB01', ...WARM },
        models: ['X1C'],
        wire: [describe(1, 1, 1, { tray_info_idx: 'GFB01', tray_type: 'ASA', ...WARM })]
      },
      {
        params: { tray_id: 128, tray_info_idx: 'GFN03', tray_type: 'PA-CF', ...WARM },
        models: DUAL,
        wire: [describe(128, 0, 0, { tray_info_idx: 'GFN03', tray_type: 'PA-CF', ...WARM })]
      },
      {
        params: { tray_id: 254, tray_info_idx: 'GFL99', tray_color: 'white', ...WARM },
        wire: model => [describe(model === 'H2D' ? 254 : 255, 0, 254,
          { tray_info_idx: 'GFL99', tray_color: 'FFFFFFFF', tray_type: 'PLA', ...WARM })]
      }
    ],
    bad: [
      ...['nonsense', '#12345', '1234567', '#GGGGGG'].map(color =>
        ({ params: { tray_id: 0, tray_info_idx: 'GFA00', tray_color: color }, reason: /colou?r/ })),
      ...[-2, 501].map(celsius =>
        ({ params: { tray_id: 0, tray_info_idx: 'GFA00', nozzle_temp_max: celsius }, reason: /^nozzle_temp_max must be/ })),
      {
        params: { tray_id: 0, tray_info_idx: 'GFA00', nozzle_temp_min: 240, nozzle_temp_max: 230 },
        reason: /^nozzle_temp_min 240 is above nozzle_temp_max 230$/
      },
      { params: { tray_id: 16, tray_info_idx: 'GFA00' }, reason: /^no AMS unit with ams_id 4$/ },
      { params: { tray_id: 104, tray_info_idx: 'GFA00' }, reason: /^tray_id must be/ }
    ]
  },
  'POST /api/set_spool_k_factor': {
    good: [
      { params: {}, answer: { status: 'success' } },
      { params: { printer: 'nobody' }, answer: { status: 'success' } }
    ]
  },
  'POST /api/turn_on_ams_dryer': {
    good: [
      {
        params: { ams_id: 0 },
        models: DUAL,
        lives: true,
        wire: [dry(0, 55, 4, 'PLA')],
        answer: { ams_id: 0, heater_state: 'DRYING', target_temp: 55, duration_hours: 4 }
      },
      {
        params: { ams_id: 128, target_temp: 85, duration_hours: 999 },
        models: DUAL,
        lives: true,
        wire: [dry(128, 85, 999, 'PA-CF')],
        answer: { ams_id: 128, heater_state: 'DRYING', target_temp: 85, duration_hours: 999 }
      }
    ],
    bad: [
      ...[44, 66].map(celsius =>
        ({ params: { ams_id: 0, target_temp: celsius }, models: DUAL, reason: /^target_temp .* is outside the unit's range$/ })),
      { params: { ams_id: 128, target_temp: 86 }, models: DUAL, reason: /^target_temp 86 °C \(45 to 85 °C are possible\) is outside the unit's range$/ },
      ...[0, 1000].map(hours => ({
        params: { ams_id: 0, duration_hours: hours }, models: DUAL, reason: /^duration_hours .* outside the unit's range$/
      })),
      { params: { ams_id: 1 }, models: DUAL, reason: /^no AMS unit with ams_id 1$/ },
      { params: { ams_id: 0 }, models: SINGLE, reason: /^AMS unit 0 \(\w+\) has no dryer$/ }
    ],
    once: true
  },
  'POST /api/turn_off_ams_dryer': {
    good: [
      { params: { ams_id: 0 }, models: DUAL, wire: [stopDrying(0)] },
      { params: { ams_id: 128 }, models: DUAL, wire: [stopDrying(128)] }
    ],
    bad: [
      { params: { ams_id: 1 }, models: DUAL, reason: /^no AMS unit with ams_id 1$/ },
      { params: { ams_id: 0 }, models: SINGLE, reason: /^AMS unit 0 \(\w+\) has no dryer$/ }
    ]
  },

  'GET /api/get_detector_settings': READS,
  'POST /api/refresh_nozzles': {
    good: [{ params: {}, models: DUAL, wire: [print('refresh_nozzle')] }, { params: {}, models: SINGLE, wire: REFRESH.slice(1) }]
  },
  'PATCH /api/set_airprinting_detector': watcher('airprint_detector'),
  'PATCH /api/set_nozzleclumping_detector': watcher('clump_detector'),
  'PATCH /api/set_purgechutepileup_detector': watcher('pileup_detector'),
  'PATCH /api/set_spaghetti_detector': {
    ...watcher('spaghetti_detector'),
    good: [...watcher('spaghetti_detector').good, {
      params: { enabled: true, sensitivity: 'low' },
      models: ['X1C'],
      wire: [detector('spaghetti_detector', true, 'low')]
    }]
  },
  'PATCH /api/set_buildplate_marker_detector': {
    good: [true, false].map(on => ({
      params: { enabled: on },
      models: ['A1_MINI', 'X1C', 'H2D'],
      wire: [detector('buildplate_marker_detector', on)]
    }))
  },
  'PATCH /api/set_first_layer_inspection': {
    good: [true, false].map(on => ({
      params: { enabled: on },
      models: ['X1C', 'H2D'],
      wire: [detector('first_layer_inspector', on, undefined, false)]
    }))
  },
  'PATCH /api/set_nozzle_details': {
    good: [
      {
        params: { nozzle_diameter: 0.6, nozzle_type: 'Hardened_Steel' },
        models: SINGLE,
        wire: [accessories(0.6, 'hardened_steel')]
      },
      { params: { nozzle_diameter: 0.4, nozzle_type: 'e3d' }, models: SINGLE, wire: [accessories(0.4, 'E3D')] },
      {
        params: { nozzle_diameter: 0.4, nozzle_type: 'stainless_steel' },
        models: DUAL,
        wire: [print('set_nozzle', { id: 0, diameter: 0.4, type: 'HH00', wear: 0 })]
      }
    ],
    bad: [
      { params: { nozzle_diameter: 0.5, nozzle_type: 'brass' }, reason: /^nozzle_diameter must be one of 0\.2/ },
      { params: { nozzle_diameter: 0.4, nozzle_type: 'brass' }, models: DUAL, reason: /does not support brass nozzles$/ }
    ]
  },
  'PATCH /api/set_print_option': {
    good: [
      { params: { option: 'auto_recovery', enabled: true }, wire: [print('print_option', { auto_recovery: true, option: 1 })] },
      {
        params: { option: 'SOUND_ENABLE', enabled: false },
        models: AUDIBLE,
        wire: [print('print_option', { auto_recovery: true, option: 1, sound_enable: false })]
      },
      {
        params: { option: 'auto_recovery', enabled: false },
        wire: model => [print('print_option',
          { auto_recovery: false, option: 0, ...(AUDIBLE.includes(model) && { sound_enable: false }) })]
      }
    ],
    bad: [{ params: { option: 'sound_enable', enabled: true }, models: ['P1S'], reason: /^'p1s' has no option sound_enable$/ }]
  },

  'POST /api/clear_print_error': {
    good: [
      { params: {}, wire: [clearError(0, ''), dialog('00000000')] },
      { params: { print_error: 0 }, while: 'failed', wire: [clearError(0, ''), dialog('0300400C')] },
      {
        params: { print_error: 0x0300400C, subtask_id: '42' },
        wire: [clearError(0x0300400C, '42'), dialog('0300400C')]
      }
    ],
    bad: [-1, 2 ** 32].map(number => ({ params: { print_error: number }, reason: /^print_error / }))
  },
  'POST /api/pause_printing': job('pause', 'running'),
  'POST /api/resume_printing': job('resume', 'paused'),
  'POST /api/stop_printing': job('stop', 'running'),
  'POST /api/send_gcode': {
    good: [
      { params: { gcode: 'G28' }, wire: [gcode('G28')] },
      { params: { gcode: 'G28|M400' }, wire: [gcode('G28', 'M400')] },
      { params: { gcode: ' M400 \r\n\n G1 Z5 |' }, while: 'paused', wire: [gcode('M400', 'G1 Z5')] }
    ],
    bad: [
      { params: { gcode: '' }, reason: /^gcode / },
      { params: { gcode: ' | ' }, reason: /^gcode / },
      { params: { gcode: 'G4\n'.repeat(4_000) }, reason: /^gcode / }
    ]
  },
  'POST /api/send_mqtt_command': {
    good: [
      {
        params: { command_json: '{"print":{"command":"pause","param":"","sequence_id":"20001"}}' },
        while: 'running',
        wire: [print('pause', { param: '' })]
      },
      { params: { command_json: { info: { command: 'get_version', sequence_id: '1' } } } }
    ],
    bad: ['{', '[]', '5', 'null', '"text"', 5, [], true].map(given =>
      ({ params: { command_json: given }, reason: /^invalid JSON: ./ })),
    unasked: true
  },
  'PATCH /api/set_speed_level': {
    good: ['quiet', 'standard', 'Sport', 'LUDICROUS'].map((level, at) =>
      ({ params: { level }, wire: [print('print_speed', { param: String(at + 1) })] })),
    bad: [
      { params: { level: 'fast' }, reason: /^Invalid level 'fast'\. Must be one of: quiet, .*, ludicrous\.$/ },
      { params: {}, reason: /^Invalid level ''\. Must be one of: quiet, standard, sport, ludicrous\.$/ }
    ]
  },
  'POST /api/skip_objects': {
    good: [
      { params: { objects: '11' }, while: 'running', wire: [print('skip_objects', { obj_list: [11] })] },
      { params: { objects: ' 12, 13 ' }, while: 'running', wire: [print('skip_objects', { obj_list: [12, 13] })] },
      { params: { objects: [11, 12] }, while: 'paused', wire: [print('skip_objects', { obj_list: [11, 12] })] }
    ],
    bad: ['', ',', '1,x', '1;2', '-1', '1.5', [], [1, '2'], [-1], [1.5], {}, true].map(given =>
      ({ params: { objects: given }, reason: /^objects must be comma-separated integers$/ }))
  }
}
