import { Type } from 'typebox'

export const Confirmation = Type.Object({
  confirmed: Type.Boolean({ description: 'The printer answered; many commands are never answered' })
})

export const SENSITIVITIES = ['low', 'medium', 'high'] as const
export const Sensitivity = Type.Enum(SENSITIVITIES)

/** Detectors with a sensitivity, as named in the API. */
export const DETECTORS = ['spaghetti', 'airprinting', 'purgechutepileup', 'nozzleclumping'] as const
export type DetectorName = (typeof DETECTORS)[number]

export const PRINT_OPTIONS = ['auto_recovery', 'filament_tangle_detect', 'sound_enable', 'auto_switch_filament',
  'nozzle_blob_detect', 'air_print_detect'] as const
export type PrintOption = (typeof PRINT_OPTIONS)[number]

export const DIAMETERS = [0.2, 0.4, 0.6, 0.8] as const
export const NOZZLE_TYPES = ['stainless_steel', 'hardened_steel', 'tungsten_carbide', 'brass', 'e3d'] as const
export type NozzleType = (typeof NOZZLE_TYPES)[number]
export const FLOWS = ['standard', 'high_flow', 'tpu_high_flow'] as const
export type Flow = (typeof FLOWS)[number]

const Entry = Type.Object({
  enabled: Type.Boolean(),
  sensitivity: Sensitivity,
  supported: Type.Boolean()
})
const Switch = Type.Object({ enabled: Type.Boolean(), supported: Type.Boolean() })

export const DetectorSettings = Type.Object({
  spaghetti_detector: Entry,
  airprinting_detector: Entry,
  purgechutepileup_detector: Entry,
  nozzleclumping_detector: Entry,
  buildplate_marker_detector: Switch,
  nozzle_blob_detect: Switch,
  air_print_detect: Switch
})

export const NozzleInfo = Type.Object({
  nozzles: Type.Array(Type.Object({
    extruder_id: Type.Integer({ description: '-1 the only one, 0 right, 1 left' }),
    diameter_mm: Type.Number(),
    nozzle_type: Type.String(),
    flow_type: Type.String(),
    encoded_id: Type.String(),
    active_tray_id: Type.Integer(),
    tray_state: Type.String()
  }))
})
