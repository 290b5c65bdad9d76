import type { ModelName } from '../../plugins/emulator/index.js'
import type { Activity, Fields, Wire } from './fleet.js'
import { airduct, clearError, dialog, gcode, lights, print, REFRESH } from './wire.js'

// What is asked of each route of `http.data.ts`, and what then reaches the printer.

export interface Case {
  readonly params: Fields
  readonly models?: readonly ModelName[]
  /** What the printer is doing. @default 'idle' */
  readonly while?: Activity
  /** What must reach the printer, in this order, and nothing else. @default nothing */
  readonly wire?: readonly Wire[] | ((model: ModelName) => readonly Wire[])
  /** Members of the answer, beside those of every answer of the route. */
  readonly answer?: Fields
}

export interface BadCase {
  readonly params: Fields
  readonly reason: RegExp
  readonly models?: readonly ModelName[]
}

export interface RouteCases {
  readonly good: readonly Case[]
  /** Parameters that are refused for reasons of their own; nothing is sent. */
  readonly bad?: readonly BadCase[]
  /** The answer for a printer that cannot be reached. @default not connected for what is sent, else success */
  readonly gone?: 'refused' | 'works' | 'no data'
  /** Each call does something else, so that they come one after the other and only one way. */
  readonly once?: boolean
  /** The printer is not asked whether it agrees. */
  readonly unasked?: boolean
}

const DUAL: readonly ModelName[] = ['H2D']
const SINGLE: readonly ModelName[] = ['A1_MINI', 'P1S', 'X1C']

const fan = (number: number): RouteCases => ({
  good: [
    { params: { percent: 0 }, wire: [gcode(`M106 P${number} S0`)] },
    { params: { percent: 50 }, wire: [gcode(`M106 P${number} S127`)] },
    { params: { percent: 100 }, wire: [gcode(`M106 P${number} S255`)] }
  ]
})
const job = (command: string, activity: Activity): RouteCases =>
  ({ good: [{ params: {}, while: activity, wire: [print(command, { param: '' })] }] })

/** Routes that read only, and take nothing but a printer's name. */
const READS: RouteCases = { good: [{ params: {} }] }

export const HTTP_CASES: Readonly<Record<string, RouteCases>> = {
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
  'GET /api/log_level': { good: [{ params: {}, answer: { status: 'success', level: 'ERROR' } }] },
  'GET /api/openapi.json': { good: [{ params: {} }, { params: { pretty: 'true' } }, { params: { pretty: 'no' } }] },
  'GET /api/printer': { good: [{ params: {}, answer: { _service_state: 'CONNECTED' } }], gone: 'no data' },
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

  'PATCH /api/set_aux_fan_speed_target': fan(2),
  'PATCH /api/set_exhaust_fan_speed_target': fan(3),
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
      { params: { temp: 45 }, models: SINGLE },
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
