import type { Fields, Wire } from './fleet.js'

// What commands look like on the wire, apart from their numbers.

export const print = (command: string, fields: Fields = {}): Wire => ({ section: 'print', command, ...fields })
export const gcode = (...lines: readonly string[]): Wire =>
  print('gcode_line', { param: lines.map(line => `${line}\n`).join('') })
export const light = (node: string, mode: string): Wire => ({
  section: 'system',
  command: 'ledctrl',
  led_node: node,
  led_mode: mode,
  led_on_time: 500,
  led_off_time: 500,
  loop_times: 0,
  interval_time: 0
})
export const lights = (mode: string): readonly Wire[] =>
  ['chamber_light', 'chamber_light2', 'column_light'].map(node => light(node, mode))
export const dialog = (err: string): Wire => ({
  section: 'system', command: 'uiop', name: 'print_error', action: 'close', source: 1, type: 'dialog', err
})

export const airduct = (mode: number): Wire => print('set_airduct', { modeId: mode, submode: -1 })
export const clearError = (error: number, subtask: string): Wire =>
  print('clean_print_error', { subtask_id: subtask, print_error: error })
/** What a session also asks by itself. */
export const REFRESH: readonly Wire[] = [
  { section: 'info', command: 'get_version' },
  { section: 'pushing', command: 'pushall', version: 1, push_target: 1 }
]
