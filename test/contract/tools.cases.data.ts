import type { ModelName } from '../../plugins/emulator/index.js'
import type { Activity, Fields, Wire } from './fleet.js'
import { airduct, clearError, dialog, gcode, lights, print, REFRESH } from './wire.js'

// What is asked of each tool of `tools.data.ts`, and what then reaches the printer.

export interface ToolCase {
  /** Without the printer's name and the consent. */
  readonly args: Fields
  readonly models?: readonly ModelName[]
  /** What the printer is doing. @default 'idle' */
  readonly while?: Activity
  /** What must reach the printer, in this order, and nothing else. @default nothing */
  readonly wire?: readonly Wire[]
  /** What stands for the blanks of the result that are no arguments. */
  readonly known?: Fields
  /** Members of the result, beside those of every result of the tool. */
  readonly answer?: Fields
}

export interface ToolCases {
  readonly good: readonly ToolCase[]
  /** Arguments that are refused for reasons of their own; nothing is sent. */
  readonly bad?: readonly { readonly args: Fields, readonly error: RegExp, readonly models?: readonly ModelName[] }[]
  /** The printer is not asked whether it agrees. */
  readonly unasked?: boolean
}

const DUAL: readonly ModelName[] = ['H2D']
const SINGLE: readonly ModelName[] = ['A1_MINI', 'P1S', 'X1C']

const READS: ToolCases = { good: [{ args: {} }] }
const job = (command: string, activity: Activity): ToolCases =>
  ({ good: [{ args: {}, while: activity, wire: [print(command, { param: '' })] }] })

export const TOOL_CASES: Readonly<Record<string, ToolCases>> = {
  dump_log: { good: [{ args: {} }, { args: { tail_lines: 0 } }, { args: { tail_lines: -3 } }] },
  force_state_refresh: { good: [{ args: {}, wire: REFRESH, answer: { success: true } }], unasked: true },
  get_firmware_version: READS,
  get_server_info: { good: [{ args: {}, answer: { api_port: 0, stream_count: 0 } }] },
  get_session_status: { good: [{ args: {}, answer: { connected: true, session_active: true } }] },
  get_user_pref: { good: [{ args: { key: 'ams0:target_temp' }, answer: { value: null } }] },
  pause_mqtt_session: { good: [{ args: {} }, { args: {}, while: 'asleep' }] },
  rename_printer: {
    good: [{ args: { new_name: 'workshop' }, wire: [{ section: 'update', name: 'workshop' }] }],
    bad: [{ args: { new_name: ' ' }, error: /^new_name is required$/ }]
  },
  resume_mqtt_session: { good: [{ args: {} }, { args: {}, while: 'asleep' }] },
  set_user_pref: {
    good: ['fast', 3, 0.5, true, null].map(value => ({ args: { key: 'k', value }, answer: { value } }))
  },
  trigger_printer_refresh: { good: [{ args: {}, wire: REFRESH }], unasked: true },
  truncate_log: { good: [{ args: {}, answer: { success: true } }] },

  get_chamber_light: READS,
  get_climate: READS,
  set_bed_temp: {
    good: [
      { args: { temp: 60 }, wire: [gcode('M140 S60')] },
      { args: { temp: 60.9 }, wire: [gcode('M140 S60')] },
      { args: { temp: -1 }, wire: [gcode('M140 S0')] }
    ],
    bad: [{ args: { temp: 121 }, error: /temp must be at most \d+/ }]
  },
  set_chamber_light: {
    good: [
      { args: { on: true }, wire: lights('on'), known: { state: 'on' } },
      { args: { on: false }, wire: lights('off'), known: { state: 'off' } }
    ]
  },
  set_chamber_temp: {
    good: [
      { args: { temp: 45 }, models: SINGLE },
      { args: { temp: 0 }, models: DUAL, wire: [print('set_ctt', { ctt_val: 0, temper_check: true }), airduct(0)] }
    ],
    bad: [{ args: { temp: 66 }, models: DUAL, error: /temp must be at most 65/ }]
  },
  set_fan_speed: {
    good: [
      { args: { fan: 'part_cooling', speed_percent: 100 }, wire: [gcode('M106 P1 S255')] },
      { args: { fan: 'AUX', speed_percent: 0 }, wire: [gcode('M106 P2 S0')] },
      { args: { fan: 'Exhaust', speed_percent: 50 }, wire: [gcode('M106 P3 S127')] },
      { args: { fan: 'enhanced_cooling', speed_percent: 40 }, models: DUAL, wire: [gcode('M106 P9 S102')] }
    ],
    bad: [
      { args: { fan: 'aux', speed_percent: 101 }, error: /^speed_percent must be between 0 and 100, got 101\.$/ },
      { args: { fan: 'aux', speed_percent: -1 }, error: /^speed_percent must be between 0 and 100, got -1\.$/ },
      {
        args: { fan: 'box', speed_percent: 1 },
        error: /^Unknown fan 'box'\. Valid values: \[part_cooling, aux, exhaust, enhanced_cooling\]$/
      },
      {
        args: { fan: 'enhanced_cooling', speed_percent: 1 },
        models: SINGLE,
        error: /has no enhanced cooling fan mounted$/
      }
    ]
  },
  set_nozzle_temp: {
    good: [
      { args: { temp: 200 }, models: SINGLE, wire: [gcode('M104 S200')], known: { n: 0 } },
      { args: { temp: 200 }, models: DUAL, wire: [gcode('M104 S200 T0')], known: { n: 0 } },
      { args: { temp: 200, extruder: 1 }, models: DUAL, wire: [gcode('M104 S200 T1')], known: { n: 1 } },
      { args: { temp: 0, extruder: -1 }, wire: [gcode('M104 S0')], known: { n: -1 } }
    ],
    bad: [
      { args: { temp: 351 }, error: /temp must be at most \d+/ },
      { args: { temp: 200, extruder: 1 }, models: SINGLE, error: /has a single extruder$/ }
    ]
  },

  get_ams_status: READS,
  get_capabilities: READS,
  get_fan_speeds: READS,
  get_hms_errors: READS,
  get_job_info: READS,
  get_print_progress: { good: [{ args: {} }, { args: {}, while: 'running', answer: { gcode_state: 'RUNNING' } }] },
  get_printer_info: READS,
  get_printer_state: { good: [{ args: {}, answer: { recent_update: true } }] },
  get_spool_info: READS,
  get_temperatures: READS,
  get_wifi_signal: READS,
  get_ams_units: READS,
  get_filament_catalog: {
    good: [
      { args: {} },
      { args: { filament_type: 'pla', search: 'basic' } },
      { args: { search: 'no such thing' }, answer: { count: 0, filaments: [] } }
    ]
  },

  clear_print_error: {
    good: [
      { args: {}, wire: [clearError(0, ''), dialog('00000000')], known: { print_error: 0 } },
      { args: { print_error: 0 }, while: 'failed', wire: [clearError(0, ''), dialog('0300400C')] },
      { args: { print_error: 50348044, subtask_id: '42' }, wire: [clearError(50348044, '42'), dialog('0300400C')] }
    ],
    bad: [-1, 2 ** 32].map(number => ({ args: { print_error: number }, error: /^print_error / }))
  },
  pause_print: job('pause', 'running'),
  resume_print: job('resume', 'paused'),
  stop_print: job('stop', 'running'),
  send_gcode: {
    good: [
      { args: { gcode: 'G28\nM400' }, wire: [gcode('G28', 'M400')] },
      { args: { gcode: 'G28|M400' }, while: 'paused', wire: [gcode('G28', 'M400')] }
    ],
    bad: [{ args: { gcode: ' \n ' }, error: /^gcode / }]
  },
  set_print_speed: {
    good: [
      { args: { speed_level: 'quiet' }, wire: [print('print_speed', { param: '1' })] },
      { args: { speed_level: 'Ludicrous' }, wire: [print('print_speed', { param: '4' })] }
    ],
    bad: [{
      args: { speed_level: 'fast' },
      error: /^Invalid speed_level 'fast'\. Choose from: \[quiet, standard, sport, ludicrous\]$/
    }]
  },
  skip_objects: {
    good: [{
      args: { object_list: [11, 12] },
      while: 'running',
      wire: [print('skip_objects', { obj_list: [11, 12] })],
      known: { list: '[11, 12]' }
    }],
    bad: [
      { args: { object_list: [] }, error: /^object_list must not be empty\.$/ },
      { args: { object_list: [-1] }, error: /object_list/ }
    ]
  },
  send_mqtt_command: {
    good: [{
      args: { command_json: '{"print":{"command":"pause","param":"","sequence_id":"20001"}}' },
      while: 'running',
      wire: [print('pause', { param: '' })],
      answer: { success: true, command: { print: { command: 'pause' } } }
    }],
    bad: ['{', '[]', '5', 'null'].map(given => ({ args: { command_json: given }, error: /^Invalid JSON: ./ })),
    unasked: true
  }
}
