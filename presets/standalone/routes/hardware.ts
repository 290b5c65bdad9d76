import { Type } from 'typebox'
import { ok, route } from '../../../core/index.js'
import { setDetector, setPlateMarker } from '../../../plugins/hardware/operations/detectors.js'
import { refresh, setNozzle } from '../../../plugins/hardware/operations/nozzles.js'
import { setPrintOptions } from '../../../plugins/hardware/operations/options.js'
import { later } from '../operations/delayed.js'
import { isTrue, oneOf, Success, Switch } from '../param-schemas.js'

const tag = 'Hardware'
const shape = { method: 'GET', tag, body: Success, reply: ok } as const

const DIAMETERS = [0.2, 0.4, 0.6, 0.8] as const
const NOZZLES = ['STAINLESS_STEEL', 'HARDENED_STEEL', 'TUNGSTEN_CARBIDE', 'BRASS', 'E3D'] as const
const OPTIONS = ['AUTO_RECOVERY', 'FILAMENT_TANGLE_DETECT', 'SOUND_ENABLE', 'AUTO_SWITCH_FILAMENT', 'NOZZLE_BLOB_DETECT',
  'AIR_PRINT_DETECT'] as const
const SENSITIVITIES = ['low', 'medium', 'high'] as const

/** How long the printer takes to report the new value. */
const REPORT_DELAY_MS = 1_000

const detector = (detector: 'spaghetti' | 'purgechutepileup' | 'nozzleclumping' | 'airprinting', what: string) =>
  route(setDetector, {
    ...shape,
    path: `/set_${detector}_detector`,
    summary: `Switch the ${what} detector`,
    params: Type.Object({
      enabled: Switch(),
      sensitivity: Type.Optional(Type.Enum(SENSITIVITIES, { default: 'medium' }))
    }),
    input: ({ enabled, sensitivity = 'medium' }) => ({ detector, enabled: isTrue(enabled), sensitivity })
  })

export default [
  route(later(setNozzle, REPORT_DELAY_MS), {
    ...shape,
    path: '/set_nozzle_details',
    summary: 'Tell the printer which nozzle is fitted on its active extruder',
    params: Type.Object({
      nozzle_diameter: Type.Number({ description: `mm: ${DIAMETERS.join(', ')}` }),
      nozzle_type: Type.Enum(NOZZLES)
    }),
    input: ({ nozzle_diameter: diameter, nozzle_type: type }) => ({
      diameter: oneOf('nozzle_diameter', diameter, DIAMETERS),
      type: type.toLowerCase() as Lowercase<typeof type>
    })
  }),
  route(refresh, { ...shape, path: '/refresh_nozzles' }),
  route(setPlateMarker, {
    ...shape,
    path: '/set_buildplate_marker_detector',
    params: Type.Object({ enabled: Switch() }),
    input: ({ enabled }) => ({ enabled: isTrue(enabled) })
  }),
  detector('spaghetti', 'failed-print'),
  detector('purgechutepileup', 'purge-chute pile-up'),
  detector('nozzleclumping', 'nozzle-clumping'),
  detector('airprinting', 'air-printing'),
  route(setPrintOptions, {
    ...shape,
    path: '/set_print_option',
    summary: 'Set one print option',
    params: Type.Object({ option: Type.Enum(OPTIONS), enabled: Switch() }),
    input: ({ option, enabled }) => ({ options: { [option.toLowerCase()]: isTrue(enabled) } })
  })
]
