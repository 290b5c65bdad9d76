import type { ModelName, VirtualPrinter } from '../../plugins/emulator/index.js'
import type { Content } from './card.js'
import type { Activity, Fields, Wire } from './fleet.js'
import { CAMERA_TOOLS } from './camera.data.js'
import { FILES_CASES } from './tools.files.data.js'
import {
  accessories, airduct, amsSetting, calibration, clearError, control, describe, detector, dialog, dry, gcode, lights,
  load, print, readTag, REFRESH, resume, stopDrying, unload
} from './wire.js'

// What is asked of each tool of `tools.data.ts`, and what then reaches the printer.

export interface ToolCase {
  /** Without the printer's name and the consent. */
  readonly args: Fields
  /** Those that only the printer itself knows, or that are paths of the host. */
  readonly own?: (printer: VirtualPrinter, folder: string) => Fields
  readonly models?: readonly ModelName[]
  /** What the printer is doing. @default 'idle' */
  readonly while?: Activity
  /** The printer's time passes while it is asked. @default false */
  readonly lives?: boolean
  /** What must reach the printer, in this order, and nothing else. @default nothing */
  readonly wire?: readonly Wire[] | ((model: ModelName) => readonly Wire[])
  /** Put on the card before. */
  readonly has?: Content
  /** What it changes on the card. @default nothing */
  readonly after?: Content
  /** Files in the folder of the host. */
  readonly host?: { readonly has?: Readonly<Record<string, string>>, readonly after?: Readonly<Record<string, string>> }
  /** What stands for the blanks of the result that are no arguments. */
  readonly known?: Fields
  /** Members of the result, beside those of every result of the tool. */
  readonly answer?: Fields
}

export const wireOf = ({ wire = [] }: ToolCase, model: ModelName): readonly Wire[] =>
  typeof wire === 'function' ? wire(model) : wire

export interface ToolCases {
  readonly good: readonly ToolCase[]
  /** Arguments that are refused for reasons of their own; nothing is sent. */
  readonly bad?: readonly { readonly args: Fields, readonly error: RegExp, readonly models?: readonly ModelName[] }[]
  /** The printer is not asked whether it agrees. */
  readonly unasked?: boolean
  /** The failure for a printer that cannot be reached. @default not connected for what is sent, else success */
  readonly gone?: RegExp
}

const DUAL: readonly ModelName[] = ['H2D']
const SINGLE: readonly ModelName[] = ['A1_MINI', 'P1S', 'X1C']
/** Printers with fans beside the nozzle's. */
const ENCLOSED: readonly ModelName[] = ['P1S', 'X1C', 'H2D']
/** Printers that say that they can beep. */
const AUDIBLE: readonly ModelName[] = ['A1_MINI', 'X1C', 'H2D']

const NO_SENSITIVITY = {
  args: { enabled: true, sensitivity: 'never' },
  error: /^Invalid sensitivity 'never'\. Choose from: low, medium, high$/
}
/** Printers that report the four detectors. */
const watcher = (module: string): ToolCases => ({
  good: [
    {
      args: { enabled: true },
      models: DUAL,
      wire: [detector(module, true, 'medium')],
      known: { state: 'enabled', sensitivity: 'medium' }
    },
    {
      args: { enabled: true, sensitivity: 'High' },
      models: DUAL,
      wire: [detector(module, true, 'high')],
      known: { state: 'enabled', sensitivity: 'high' }
    },
    {
      args: { enabled: false },
      models: DUAL,
      wire: [detector(module, false, 'high')],
      known: { state: 'disabled', sensitivity: 'high' }
    }
  ],
  bad: [NO_SENSITIVITY]
})
const REAL = { curr_temp: 215, tar_temp: 215, soft_temp: 0 }
const MISSING = { args: { unit_id: 7 }, error: /^AMS unit 7 not found on '[\w-]+'\.$/ }
const PLA = { tray_info_idx: 'GFA00', tray_type: 'PLA', nozzle_temp_min: 190, nozzle_temp_max: 230 }

const READS: ToolCases = { good: [{ args: {} }] }
const job = (command: string, activity: Activity): ToolCases =>
  ({ good: [{ args: {}, while: activity, wire: [print(command, { param: '' })] }] })

export const TOOL_CASES: Readonly<Record<string, ToolCases>> = {
  ...FILES_CASES,
  ...CAMERA_TOOLS,
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
      { args: { fan: 'AUX', speed_percent: 0 }, models: ENCLOSED, wire: [gcode('M106 P2 S0')] },
      { args: { fan: 'Exhaust', speed_percent: 50 }, models: ENCLOSED, wire: [gcode('M106 P3 S127')] },
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

  calibrate_ams_remaining: {
    good: [
      { args: { unit_id: 0, slot_id: 1 }, wire: [readTag(0, 1)] },
      { args: { unit_id: 1, slot_id: 0 }, models: DUAL, wire: [readTag(128, 0)] },
      { args: { unit_id: 128, slot_id: 0 }, models: DUAL, wire: [readTag(128, 0)] }
    ],
    bad: [
      { ...MISSING, args: { unit_id: 7, slot_id: 0 } },
      { ...MISSING, args: { unit_id: -1, slot_id: 0 }, error: /^AMS unit -1 not found/ },
      { args: { unit_id: 0, slot_id: 4 }, error: /^slot_id must be one of 0, 1, 2, 3, got 4$/ },
      { args: { unit_id: 0, slot_id: 254 }, error: /^slot_id must be one of 0, 1, 2, 3, got 254$/ },
      { args: { unit_id: 128, slot_id: 1 }, models: DUAL, error: /^slot must be 0 for AMS unit 128, got 1$/ }
    ]
  },
  get_external_spool: {
    good: [
      { args: {}, models: SINGLE, answer: { loaded: true, spool: { id: 254 }, spools: [{ id: 254 }] } },
      { args: {}, models: DUAL, answer: { loaded: true, spool: { id: 254 }, spools: [{ id: 254 }, { id: 255 }] } }
    ]
  },
  load_filament: {
    good: [
      { args: { unit_id: 0, slot_id: 2 }, wire: [load(0, 2, 2)] },
      { args: { unit_id: 1, slot_id: 0 }, models: DUAL, wire: [load(128, 0, 128)] },
      { args: { unit_id: 128, slot_id: 0 }, models: DUAL, wire: [load(128, 0, 128)] },
      { args: { unit_id: 0, slot_id: 254 }, models: SINGLE, wire: [load(255, 254, 254)] },
      { args: { unit_id: 0, slot_id: 254 }, models: DUAL, wire: [load(254, 0, 254, REAL)] },
      { args: { unit_id: 0, slot_id: 255 }, models: DUAL, wire: [load(255, 0, 255, REAL)] }
    ],
    bad: [
      { ...MISSING, args: { unit_id: 7, slot_id: 0 } },
      { ...MISSING, args: { unit_id: 7, slot_id: 254 } },
      { args: { unit_id: 0, slot_id: 253 }, error: /^slot_id must be one of 0, 1, 2, 3, 254, 255, got 253$/ },
      { args: { unit_id: 1, slot_id: 2 }, models: DUAL, error: /^slot must be 0 for AMS unit 128, got 2$/ }
    ]
  },
  unload_filament: {
    good: [
      { args: {}, wire: [unload(0, 210)] },
      { args: { unit_id: null }, wire: [unload(0, 210)] },
      { args: { unit_id: 254 }, models: SINGLE, wire: [unload(255, 210)] },
      { args: { unit_id: 255 }, models: DUAL, wire: [unload(255, 210)] },
      { args: { unit_id: 1 }, models: DUAL, wire: [unload(128, 210)] }
    ],
    bad: [MISSING]
  },
  send_ams_control_command: {
    good: [
      { args: { cmd: 'pause' }, wire: [control('pause')], known: { CMD: 'PAUSE' } },
      { args: { cmd: 'Resume' }, wire: [control('resume'), resume], known: { CMD: 'RESUME' } },
      { args: { cmd: 'RESUME', resume_print: false }, wire: [control('resume')], known: { CMD: 'RESUME' } },
      { args: { cmd: 'DONE' }, wire: [control('done')], known: { CMD: 'DONE' } },
      { args: { cmd: 'RESET' }, wire: [control('reset')], known: { CMD: 'RESET' } },
      { args: { cmd: 'ABORT' }, wire: [control('abort')], known: { CMD: 'ABORT' } }
    ],
    bad: [{
      args: { cmd: 'stop' },
      error: /^Unknown AMS control command 'stop'\. Must be one of: PAUSE, RESUME, RESET, DONE, ABORT\.$/
    }]
  },
  set_ams_filament_setting: {
    good: [
      {
        args: {
          unit_id: 0,
          slot_id: 0,
          filament_id: 'GFA00',
          filament_name: 'A00-R0',
          filament_type: 'PLA',
          color: 'Red',
          nozzle_temp_min: 190,
          nozzle_temp_max: 230
        },
        wire: [describe(0, 0, 0, { ...PLA, tray_id_name: 'A00-R0', tray_color: 'FF0000FF' })]
      },
      {
        args: { unit_id: 0, slot_id: 0, filament_id: 'GFA00', filament_type: 'PLA' },
        wire: [describe(0, 0, 0, PLA)]
      },
      {
        args: { unit_id: 0, slot_id: 2, filament_id: 'no_filament', filament_type: 'PLA', color: '00ff00' },
        wire: [describe(0, 2, 2, { tray_color: 'FFFFFF00' })]
      },
      {
        args: { unit_id: 1, slot_id: 0, filament_id: 'no_filament' },
        models: DUAL,
        wire: [describe(128, 0, 0, { tray_color: 'FFFFFF00' })]
      },
      {
        args: { unit_id: 0, slot_id: 255, filament_id: 'no_filament' },
        models: DUAL,
        wire: [describe(255, 0, 254, { tray_color: 'FFFFFF00' })]
      }
    ],
    bad: [
      { ...MISSING, args: { unit_id: 7, slot_id: 0 } },
      { args: { unit_id: 0, slot_id: 4 }, error: /^slot_id must be one of/ },
      { args: { unit_id: 0, slot_id: 0, color: 'reddish' }, error: /colou?r.*reddish/ },
      { args: { unit_id: 0, slot_id: 0, nozzle_temp_min: 900 }, error: /^nozzle_temp_min must be 0 to/ }
    ]
  },
  set_ams_user_setting: {
    good: [
      {
        args: { setting: 'tray_read_option', value: true },
        models: ['X1C'],
        wire: [amsSetting(false, true, true)],
        known: { value: 'True' }
      },
      {
        args: { setting: 'Startup_Read_Option', value: true },
        models: ['X1C'],
        wire: [amsSetting(true, true, true)],
        known: { value: 'True' }
      },
      {
        args: { setting: 'calibrate_remain_flag', value: false },
        models: ['X1C', 'H2D'],
        wire: [amsSetting(true, true, false)],
        known: { value: 'False' }
      }
    ],
    bad: [{
      args: { setting: 'fast', value: true },
      error: /^Unknown setting 'fast'\. Supported: \[calibrate_remain_flag, startup_read_option, tray_read_option\]$/
    }]
  },
  start_ams_dryer: {
    good: [
      {
        args: { unit_id: 0 },
        models: DUAL,
        lives: true,
        wire: [dry(0, 55, 4, 'PLA')],
        known: { ams_id: 0, target_temp: 55, duration_hours: 4 }
      },
      {
        args: { unit_id: 1, target_temp: 70, duration_hours: 12, rotate_tray: true },
        models: DUAL,
        lives: true,
        wire: [dry(128, 70, 12, 'PLA', true)],
        known: { ams_id: 128 }
      }
    ],
    bad: [
      MISSING,
      {
        args: { unit_id: 0, target_temp: 66 },
        models: DUAL,
        error: /^target_temp 66 .* outside the unit's range\. Nothing was sent to 'h2d'\.$/
      },
      {
        args: { unit_id: 1, duration_hours: 1000 },
        models: DUAL,
        error: /^duration_hours 1000 .* outside the unit's range\. Nothing was sent to 'h2d'\.$/
      },
      { args: { unit_id: 0 }, models: SINGLE, error: /^AMS unit 0 \(\w+\) has no dryer\. Nothing was sent to '[\w-]+'\.$/ }
    ]
  },
  stop_ams_dryer: {
    good: [
      { args: { unit_id: 0 }, models: DUAL, wire: [stopDrying(0)], known: { ams_id: 0 } },
      { args: { unit_id: 1 }, models: DUAL, wire: [stopDrying(128)], known: { ams_id: 128 } }
    ],
    bad: [
      MISSING,
      { args: { unit_id: 0 }, models: SINGLE, error: /^AMS unit 0 \(\w+\) has no dryer\. Nothing was sent to '[\w-]+'\.$/ }
    ]
  },
  select_extrusion_calibration: {
    good: [
      {
        args: { tray_id: 4 },
        models: ['X1C'],
        wire: [calibration(4, 1, 0, -1, 'GFA00')],
        known: { cali_idx: -1 }
      },
      { args: { tray_id: 128, cali_idx: 3 }, models: DUAL, wire: [calibration(0, 128, 0, 3)] }
    ],
    bad: [
      { args: { tray_id: 200 }, error: /^tray_id must be/ },
      { args: { tray_id: 0, cali_idx: -2 }, error: /cali_idx/ }
    ]
  },

  get_detector_settings: READS,
  set_spaghetti_detection: watcher('spaghetti_detector'),
  set_air_printing_detection: watcher('airprint_detector'),
  set_nozzle_clumping_detection: watcher('clump_detector'),
  set_purge_chute_detection: watcher('pileup_detector'),
  set_buildplate_marker_detection: {
    good: [{
      args: { enabled: true },
      models: ['A1_MINI', 'X1C', 'H2D'],
      wire: [detector('buildplate_marker_detector', true)],
      known: { state: 'enabled' }
    }]
  },
  set_first_layer_inspection: {
    good: [{
      args: { enabled: false },
      models: ['X1C', 'H2D'],
      wire: [detector('first_layer_inspector', false, undefined, false)],
      known: { state: 'disabled' }
    }]
  },
  get_nozzle_info: READS,
  refresh_nozzles: {
    good: [{ args: {}, models: DUAL, wire: [print('refresh_nozzle')] }, { args: {}, models: SINGLE, wire: REFRESH.slice(1) }]
  },
  set_nozzle_config: {
    good: [
      {
        args: { diameter: 0.4, nozzle_type: 'stainless_steel' },
        models: SINGLE,
        wire: [accessories(0.4, 'stainless_steel')],
        known: { which: 'extruder 0' }
      },
      {
        args: { diameter: 0.6, nozzle_type: 'tungsten_carbide', flow_type: 'High_Flow', extruder: -1 },
        models: DUAL,
        wire: [0, 1].map(id => print('set_nozzle', { id, diameter: 0.6, type: 'HH05', wear: 0 })),
        known: { which: 'all extruders' }
      },
      {
        args: { diameter: 0.4, nozzle_type: 'hardened_steel', extruder: 1 },
        models: DUAL,
        wire: [print('set_nozzle', { id: 1, diameter: 0.4, type: 'HS01', wear: 0 })],
        known: { which: 'extruder 1' }
      }
    ],
    bad: [
      { args: { diameter: 0.5, nozzle_type: 'brass' }, error: /^Invalid diameter 0\.5\. Valid values: \[0\.2, 0\.4, 0\.6, 0\.8\]$/ },
      { args: { diameter: 0.4, nozzle_type: 'wood' }, error: /^Unknown nozzle_type 'wood'\. Valid: \[stainless_steel, .*\]$/ },
      {
        args: { diameter: 0.4, nozzle_type: 'brass', flow_type: 'slow' },
        error: /^Unknown flow_type 'slow'\. Valid: \[standard, high_flow, tpu_high_flow\]$/
      },
      {
        args: { diameter: 0.4, nozzle_type: 'brass', extruder: 1 },
        models: SINGLE,
        error: /has a single extruder\.$/
      }
    ]
  },
  swap_tool: {
    good: [
      { args: { extruder_id: 0 }, models: DUAL, wire: [print('select_extruder', { extruder_index: 0 })], known: { N: 0 } },
      { args: {}, models: DUAL, wire: [print('select_extruder', { extruder_index: 1 })], known: { N: 1 } }
    ],
    bad: [{ args: {}, models: SINGLE, error: /^'[\w-]+' has a single extruder\.$/ }]
  },
  set_print_options: {
    good: [
      {
        args: { auto_recovery: true, sound: false },
        models: AUDIBLE,
        wire: [
          print('print_option', { auto_recovery: true, option: 1 }),
          print('print_option', { auto_recovery: true, option: 1, sound_enable: false })
        ],
        answer: { success: true, options_set: { auto_recovery: true, sound: false } }
      },
      {
        args: { sound: true },
        models: AUDIBLE,
        wire: [print('print_option', { auto_recovery: true, option: 1, sound_enable: true })],
        answer: { options_set: { sound: true } }
      }
    ],
    bad: [{ args: {}, error: /^No options specified\. Provide at least one of: auto_recovery, sound$/ }]
  },
  set_print_option: {
    good: [{
      args: { option: 'Filament_Tangle_Detect', enabled: true },
      models: ['A1_MINI'],
      wire: [print('print_option',
        { auto_recovery: true, option: 1, sound_enable: true, filament_tangle_detect: true })],
      known: { enabled: 'True' }
    }],
    bad: [{ args: { option: 'speed', enabled: true }, error: /^Unknown option 'speed'\. Supported: \[auto_recovery, .*\]$/ }]
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
  add_printer: {
    good: [{
      args: { ip: '127.0.0.1', serial: '01P00A000000001', access_code: '24681357', mqtt_port: 1 },
      own: ({ serial, accessCode, ports }) => ({ serial, access_code: accessCode, mqtt_port: ports.mqtt })
    }],
    bad: [
      { args: { ip: ' ', serial: 'S1', access_code: '12345678' }, error: /^ip is required$/ },
      { args: { ip: 'a', serial: '', access_code: '12345678' }, error: /^serial is required$/ },
      { args: { ip: 'a', serial: 'S1', access_code: '' }, error: /^access_code is required$/ },
      { args: { ip: 'a b', serial: 'S1', access_code: '12345678' }, error: /^ip must be / }
    ]
  },
  disconnect_printer: READS,
  get_configured_printers: READS,
  get_printer_connection_status: { good: [{ args: {}, answer: { configured: true, connected: true } }] },
  remove_printer: READS,
  start_printer: { good: [{ args: {}, known: { done: 'restarted' } }] },
  update_printer_credentials: {
    good: [{ args: {} }, { args: { ip: '127.0.0.1' } }],
    bad: [{ args: { ip: 'http://a' }, error: /^ip must be / }]
  },
  discover_printers: { good: [{ args: { timeout_seconds: 1 } }] },
  get_monitoring_data: READS,
  get_monitoring_history: { good: [{ args: {} }, { args: { raw: true } }] },
  get_monitoring_series: {
    good: [{ args: { field: 'tool' } }, { args: { field: 'success_pct' } }],
    bad: [{ args: { field: 'nothing' }, error: /^invalid_field$/ }]
  },
  get_pending_alerts: { good: [{ args: {} }, { args: { clear: false } }] },
  open_charts: READS,
  render_charts_html: READS,
  render_charts_panels: READS,
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
