type Fields = Readonly<Record<string, unknown>>

export interface WireCase {
  readonly path: string
  readonly query?: Readonly<Record<string, string | number>>
  /** What the printer receives, in order; other fields may be there. */
  readonly wire: readonly Fields[]
}

const gcode = (param: string): Fields => ({ command: 'gcode_line', param })
const lights = (mode: 'on' | 'off'): Fields[] => ['chamber_light', 'chamber_light2', 'column_light']
  .map(node => ({ command: 'ledctrl', led_node: node, led_mode: mode }))
const detector = (module: string, control: boolean, level: string): Fields =>
  ({ command: 'xcam_control_set', module_name: module, control, halt_print_sensitivity: level })

/** Of every printer. */
export const COMMON: readonly WireCase[] = [
  { path: 'set_bed_target_temp', query: { temp: 60 }, wire: [gcode('M140 S60\n')] },
  { path: 'set_bed_target_temp', query: { temp: -5 }, wire: [gcode('M140 S0\n')] },
  { path: 'set_bed_target_temp', wire: [gcode('M140 S0\n')] },
  { path: 'set_fan_speed_target', query: { percent: 100 }, wire: [gcode('M106 P1 S255\n')] },
  { path: 'set_fan_speed_target', query: { percent: 250 }, wire: [gcode('M106 P1 S255\n')] },
  { path: 'set_fan_speed_target', wire: [gcode('M106 P1 S0\n')] },
  { path: 'set_aux_fan_speed_target', query: { percent: 40 }, wire: [gcode('M106 P2 S102\n')] },
  { path: 'set_exhaust_fan_speed_target', query: { percent: 20 }, wire: [gcode('M106 P3 S51\n')] },
  { path: 'set_light_state', query: { state: 'on' }, wire: lights('on') },
  { path: 'set_light_state', query: { state: 'ON' }, wire: lights('off') },
  { path: 'set_light_state', query: { state: 'off' }, wire: lights('off') },
  { path: 'set_speed_level', query: { level: '4' }, wire: [{ command: 'print_speed', param: '4' }] },
  { path: 'send_gcode', query: { gcode: 'G28|M84' }, wire: [gcode('G28\nM84\n')] },
  { path: 'set_print_option', query: { option: 'AUTO_SWITCH_FILAMENT', enabled: 'true' }, wire: [{ command: 'print_option', auto_switch_filament: true }] },
  {
    path: 'set_print_option',
    query: { option: 'auto_recovery', enabled: '1' },
    wire: [{ command: 'print_option', auto_recovery: false, auto_switch_filament: true }]
  },
  {
    path: 'set_ams_user_setting',
    query: { setting: 'STARTUP_READ_OPTION', enabled: 'true' },
    wire: [{ command: 'ams_user_setting', startup_read_option: true }]
  },
  { path: 'send_ams_control_command', query: { cmd: 'pause' }, wire: [{ command: 'ams_control', param: 'pause' }] },
  { path: 'send_ams_control_command', query: { cmd: 'RESET' }, wire: [{ command: 'ams_control', param: 'reset' }] },
  { path: 'refresh_spool_rfid', query: { slot_id: 1, ams_id: 0 }, wire: [{ command: 'ams_get_rfid', ams_id: 0, slot_id: 1 }] },
  { path: 'set_spool_k_factor', query: { tray_id: 1 }, wire: [] }
]

export const SINGLE: readonly WireCase[] = [
  { path: 'set_tool_target_temp', query: { temp: 210 }, wire: [gcode('M104 S210\n')] },
  { path: 'set_tool_target_temp', query: { temp: -1 }, wire: [gcode('M104 S0\n')] },
  { path: 'set_chamber_target_temp', query: { temp: 45 }, wire: [] }
]

export const DUAL: readonly WireCase[] = [
  { path: 'set_spaghetti_detector', query: { enabled: 'true' }, wire: [detector('spaghetti_detector', true, 'medium')] },
  {
    path: 'set_purgechutepileup_detector',
    query: { enabled: 'true', sensitivity: 'high' },
    wire: [detector('pileup_detector', true, 'high')]
  },
  {
    path: 'set_nozzleclumping_detector',
    query: { enabled: 'true', sensitivity: 'low' },
    wire: [detector('clump_detector', true, 'low')]
  },
  { path: 'set_airprinting_detector', query: { enabled: 'True' }, wire: [{ module_name: 'airprint_detector', control: false }] },
  {
    path: 'set_buildplate_marker_detector',
    query: { enabled: 'true' },
    wire: [{ command: 'xcam_control_set', module_name: 'buildplate_marker_detector', control: true }]
  },
  { path: 'set_tool_target_temp', query: { temp: 210 }, wire: [gcode('M104 S210 T0\n')] },
  { path: 'set_chamber_target_temp', query: { temp: 39 }, wire: [{ command: 'set_ctt', ctt_val: 39 }, { command: 'set_airduct', modeId: 0 }] },
  { path: 'set_chamber_target_temp', query: { temp: 40 }, wire: [{ command: 'set_ctt', ctt_val: 40 }, { command: 'set_airduct', modeId: 1 }] },
  { path: 'refresh_nozzles', wire: [{ command: 'refresh_nozzle' }] },
  { path: 'toggle_active_tool', wire: [{ command: 'select_extruder', extruder_index: 1 }] }
]

/** Refused with 500, and nothing is sent. */
export const REFUSED: readonly Omit<WireCase, 'wire'>[] = [
  { path: 'set_bed_target_temp', query: { temp: 'warm' } },
  { path: 'set_tool_target_temp', query: { temp: '' } },
  { path: 'set_fan_speed_target', query: { percent: '1.5' } },
  { path: 'set_speed_level', query: { level: '5' } },
  { path: 'set_speed_level' },
  { path: 'skip_objects', query: { objects: '1,two' } },
  { path: 'skip_objects' },
  { path: 'load_filament', query: { slot: 7 } },
  { path: 'refresh_spool_rfid', query: { slot_id: 1 } },
  { path: 'refresh_spool_rfid', query: { slot_id: 4, ams_id: 0 } },
  { path: 'set_spool_details', query: { tray_id: 0 } },
  { path: 'set_spool_details', query: { tray_id: 0, tray_info_idx: 'GFA00', tray_color: 'colourless' } },
  { path: 'set_nozzle_details', query: { nozzle_diameter: 0.5, nozzle_type: 'BRASS' } },
  { path: 'set_nozzle_details', query: { nozzle_diameter: 0.4, nozzle_type: 'WOOD' } },
  { path: 'set_spaghetti_detector', query: { enabled: 'true', sensitivity: 'utmost' } },
  { path: 'set_spaghetti_detector' },
  { path: 'set_print_option', query: { option: 'FLY', enabled: 'true' } },
  { path: 'set_ams_user_setting', query: { setting: 'FLY', enabled: 'true' } },
  { path: 'send_ams_control_command', query: { cmd: 'DANCE' } },
  { path: 'send_ams_control_command' },
  { path: 'send_gcode' },
  { path: 'zoom_in', query: { name: 'weather' } },
  { path: 'print_3mf', query: { filename: '/cube.3mf' } },
  { path: 'print_3mf', query: { filename: '/cube.3mf', plate: 'WOOD' } },
  { path: 'print_3mf', query: { plate: 'AUTO' } },
  { path: 'print_3mf', query: { filename: '/cube.3mf', plate: 'AUTO', ams_mapping: '{"a":1}' } },
  { path: 'print_3mf', query: { filename: '/cube.3mf', plate: 'AUTO', platenum: -1 } },
  { path: 'delete_sdcard_file', query: { file: '/' } },
  { path: 'delete_sdcard_file' },
  { path: 'make_sdcard_directory' },
  { path: 'rename_sdcard_file', query: { src: '/a' } },
  { path: 'upload_file_to_printer', query: { src: '../x', dest: '/x' } },
  { path: 'upload_file_to_printer', query: { src: 'not-there.3mf', dest: '/x.3mf' } },
  { path: 'download_file_from_printer', query: { src: '/../etc/passwd' } },
  { path: 'download_file_from_printer', query: { src: '/not-there.bin' } },
  { path: 'upload_file_to_host' }
]
