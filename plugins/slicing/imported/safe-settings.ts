import type { Settings } from './read-configuration.js'

/** Settings that run a program, name a file or server of whoever made them, or say how presets belong together. */
const LEFT_OUT = /^(post_process|output_filename_format|bed_custom_(texture|model)|print_?host(_.*)?|host_type|octoprint_.*|physical_printer.*|inherits(_.*)?|compatible_.*|.*_settings_id|thumbnails(_format)?|notes|.*_notes)$/

/** Of those, what somebody would miss. */
const MISSED = new Set(['post_process'])

/** Settings that a plate of this service needs as they are here. */
const FORCED: Settings = {
  printer_technology: 'FFF',
  gcode_label_objects: '1',
  remaining_times: '1',
  binary_gcode: '0',
  complete_objects: '0',
  silent_mode: '0',
  machine_limits_usage: 'time_estimate_only',
  output_filename_format: 'plate.gcode',
  thumbnails: ''
}

/** Only newer versions know it, and older ones refuse what they do not know. */
const ONLY_IF_THERE = new Set(['binary_gcode'])

/** By it printers count the layers. */
const LAYER = 'M73 L{layer_num + 1}'

/** What differs from the configuration that somebody gave. */
export interface SafeSettings {
  readonly settings: Settings
  /** Keys that were left out or changed, and matter. */
  readonly changed: readonly string[]
}

/** Leaves out what could run a program or name a file, and sets what plates of this service need. */
export function safeSettings (given: Settings): SafeSettings {
  const kept = Object.entries(given).filter(([key]) => !LEFT_OUT.test(key))
  const forced = Object.entries(FORCED).filter(([key]) => !ONLY_IF_THERE.has(key) || Object.hasOwn(given, key))
  const settings = { ...Object.fromEntries(kept), ...Object.fromEntries(forced) }
  const counts = ['layer_gcode', 'before_layer_gcode'].some(key => /M73[^\\]*L/.test(settings[key] ?? ''))
  if (!counts) settings.layer_gcode = [LAYER, settings.layer_gcode ?? ''].filter(code => code !== '').join('\\n')
  const left = Object.keys(given).filter(key => MISSED.has(key) && given[key] !== '' && given[key] !== '""')
  return { settings, changed: given.complete_objects === '1' ? [...left, 'complete_objects'] : left }
}
