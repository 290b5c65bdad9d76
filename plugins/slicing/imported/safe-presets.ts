import { PRESET_KINDS, type PresetKind, type PresetValue } from './preset-file.js'
import type { Presets, PresetSettings } from './read-presets.js'

/** Settings that run a program, name a file or server of whoever made them, or say how presets belong together. */
const LEFT_OUT = /^(post_process|filename_format|bed_custom_(texture|model)|bed_(texture|model)|hotend_model|print_?host.*|bbl_use_printhost|printer_agent|host_type|octoprint_.*|physical_printer.*|inherits.*|compatible_.*|upward_compatible_machine|different_settings_to_system|default_(print|filament)_profile|.*_settings_id|notes|.*_notes)$/

/** Of those, what somebody would miss. */
const MISSED = new Set(['post_process'])

/** Settings that a plate of this service needs as they are here: models lie too near for one after the other. */
const FORCED: Partial<Record<PresetKind, PresetSettings>> = { process: { print_sequence: 'by layer' } }

export interface SafePresets {
  readonly presets: Presets
  /** Keys that were left out or changed, and matter. */
  readonly changed: readonly string[]
}

const isEmpty = (value: PresetValue | undefined): boolean => [value ?? ''].flat().every(text => text === '')

/** Leaves out what could run a program or name a file, and sets what plates of this service need. */
export function safePresets (given: Presets): SafePresets {
  const changed = new Set<string>()
  const safe = (kind: PresetKind) => {
    const { name, settings } = given[kind]
    const forced = FORCED[kind] ?? {}
    for (const [key, value] of Object.entries(settings)) {
      if (MISSED.has(key) && !isEmpty(value)) changed.add(key)
      if (Object.hasOwn(forced, key) && String(value) !== String(forced[key])) changed.add(key)
    }
    const kept = Object.entries(settings).filter(([key]) => !LEFT_OUT.test(key))
    return { name, settings: Object.fromEntries([...kept, ...Object.entries(forced)]) }
  }
  const [machine, process, filament] = PRESET_KINDS.map(safe)
  return { presets: { machine: machine!, process: process!, filament: filament! }, changed: [...changed] }
}
