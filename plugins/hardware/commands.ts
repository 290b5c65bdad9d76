import type { Command, Sensitivity } from '../../core/index.js'
import type { DetectorName, Flow, NozzleType, PrintOption } from './schemas.js'

const MODULES: Readonly<Record<DetectorName, string>> = {
  spaghetti: 'spaghetti_detector',
  airprinting: 'airprint_detector',
  purgechutepileup: 'pileup_detector',
  nozzleclumping: 'clump_detector'
}

const vision = (module: string, enabled: boolean, halt: boolean): Command => ({
  section: 'xcam',
  command: 'xcam_control_set',
  module_name: module,
  control: enabled,
  enable: enabled,
  print_halt: halt
})

/**
 * Switches a detector that may halt a print, with its sensitivity.
 * @wire xcam.xcam_control_set
 */
export const detector = (name: DetectorName, enabled: boolean, sensitivity: Sensitivity): Command =>
  ({ ...vision(MODULES[name], enabled, true), halt_print_sensitivity: sensitivity })

/** @wire xcam.xcam_control_set, without a sensitivity */
export const plateMarker = (enabled: boolean): Command => vision('buildplate_marker_detector', enabled, true)

/** @wire xcam.xcam_control_set; the inspection itself decides whether to halt */
export const firstLayer = (enabled: boolean): Command => vision('first_layer_inspector', enabled, false)

export type OptionValues = Readonly<Partial<Record<PrintOption, boolean>>>

/**
 * Sets options. A message may carry several; `option` repeats auto recovery as a number for older firmware.
 * @wire print.print_option
 */
export const printOptions = (values: OptionValues): Command => ({
  section: 'print',
  command: 'print_option',
  ...values,
  ...(values.auto_recovery !== undefined && { option: values.auto_recovery ? 1 : 0 })
})

/** @wire print.refresh_nozzle */
export const refreshNozzles: Command = { section: 'print', command: 'refresh_nozzle' }

/** @wire pushing.pushall */
export const reportAll: Command = { section: 'pushing', command: 'pushall', version: 1, push_target: 1 }

/** @wire print.select_extruder */
export const selectExtruder = (extruder: number): Command =>
  ({ section: 'print', command: 'select_extruder', extruder_index: extruder })

/**
 * Tells a printer with one plain nozzle what is fitted.
 * @wire system.set_accessories
 */
export const accessoryNozzle = (diameterMm: number, type: NozzleType): Command => ({
  section: 'system',
  command: 'set_accessories',
  accessory_type: 'nozzle',
  nozzle_diameter: diameterMm,
  nozzle_type: type === 'e3d' ? 'E3D' : type
})

const FLOW_LETTERS: Readonly<Record<Flow, string>> = { standard: 'S', high_flow: 'H', tpu_high_flow: 'U' }
const MATERIAL_DIGITS: Readonly<Partial<Record<NozzleType, string>>> =
  { stainless_steel: '00', hardened_steel: '01', tungsten_carbide: '05' }

/** A code such as `HS01`; undefined for materials without one. */
export function nozzleCode (type: NozzleType, flow: Flow): string | undefined {
  const digits = MATERIAL_DIGITS[type]
  return digits === undefined ? undefined : `H${FLOW_LETTERS[flow]}${digits}`
}

/**
 * Tells a printer that knows nozzle codes what is fitted on one extruder.
 * @param extruder 0 right or only, 1 left
 * @wire print.set_nozzle
 */
export const codedNozzle = (extruder: number, diameterMm: number, code: string): Command =>
  ({ section: 'print', command: 'set_nozzle', id: extruder, diameter: diameterMm, type: code, wear: 0 })
