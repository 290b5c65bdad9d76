import { Type } from 'typebox'
import { BadInput, ok, route } from '../../core/index.js'
import { readDetectors, setDetector, setFirstLayer, setPlateMarker } from './operations/detectors.js'
import { refresh, setNozzle } from './operations/nozzles.js'
import { setPrintOptions } from './operations/options.js'
import { DIAMETERS, NOZZLE_TYPES, PRINT_OPTIONS, Sensitivity, type DetectorName } from './schemas.js'

const tag = 'Hardware'
const Enabled = Type.Object({ enabled: Type.Boolean() })

const detectorRoute = (path: string, detector: DetectorName, what: string) => route(setDetector, {
  method: 'PATCH',
  path,
  tag,
  summary: `Switch the ${what} detector`,
  params: Type.Object({ ...Enabled.properties, sensitivity: Type.Optional(Sensitivity) }),
  input: ({ enabled, sensitivity }) => ({ detector, enabled, ...(sensitivity !== undefined && { sensitivity }) }),
  reply: ok
})

function diameterOf (diameter: number) {
  const found = DIAMETERS.find(known => known === diameter)
  if (found === undefined) throw new BadInput(`nozzle_diameter must be one of ${DIAMETERS.join(', ')}`)
  return found
}

export default [
  route(readDetectors, { method: 'GET', path: '/get_detector_settings', tag }),
  route(refresh, { method: 'POST', path: '/refresh_nozzles', tag, reply: ok }),
  detectorRoute('/set_airprinting_detector', 'airprinting', 'air-printing'),
  route(setPlateMarker, { method: 'PATCH', path: '/set_buildplate_marker_detector', tag, reply: ok }),
  route(setFirstLayer, { method: 'PATCH', path: '/set_first_layer_inspection', tag, reply: ok }),
  route(setNozzle, {
    method: 'PATCH',
    path: '/set_nozzle_details',
    tag,
    summary: 'Tell the printer which nozzle is fitted on its active extruder',
    params: Type.Object({
      nozzle_diameter: Type.Number({ description: 'mm', 'x-openapi': { enum: DIAMETERS } }),
      nozzle_type: Type.Enum(NOZZLE_TYPES)
    }),
    input: ({ nozzle_diameter: diameter, nozzle_type: type }) =>
      ({ diameter: diameterOf(diameter), type }),
    reply: ok
  }),
  detectorRoute('/set_nozzleclumping_detector', 'nozzleclumping', 'nozzle-clumping'),
  route(setPrintOptions, {
    method: 'PATCH',
    path: '/set_print_option',
    tag,
    summary: 'Set one print option',
    params: Type.Object({ option: Type.Enum(PRINT_OPTIONS), ...Enabled.properties }),
    input: ({ option, enabled }) => ({ options: { [option]: enabled } }),
    reply: ok
  }),
  detectorRoute('/set_purgechutepileup_detector', 'purgechutepileup', 'purge-chute pile-up'),
  detectorRoute('/set_spaghetti_detector', 'spaghetti', 'spaghetti')
]
