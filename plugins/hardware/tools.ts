import { Type } from 'typebox'
import { BadInput, tool } from '../../core/index.js'
import { readDetectors, setDetector, setFirstLayer, setPlateMarker } from './operations/detectors.js'
import { configureNozzle, readNozzles, refresh, swapTool } from './operations/nozzles.js'
import { setPrintOptions } from './operations/options.js'
import {
  DIAMETERS, FLOWS, NOZZLE_TYPES, PRINT_OPTIONS, SENSITIVITIES, type DetectorName, type PrintOption
} from './schemas.js'

const word = (on: boolean) => on ? 'enabled' : 'disabled'
/** Clients of these tools expect this spelling. */
const truth = (on: boolean) => on ? 'True' : 'False'

/** Finds a value without regard to case. */
function oneOf<T extends string> (values: readonly T[], text: string, complaint: string): T {
  const found = values.find(value => value.toLowerCase() === text.trim().toLowerCase())
  if (found === undefined) throw new BadInput(complaint)
  return found
}

const sensitivityOf = (text: string) =>
  oneOf(SENSITIVITIES, text, `Invalid sensitivity '${text}'. Choose from: ${SENSITIVITIES.join(', ')}`)

const detectorTool = (detector: DetectorName, name: string, label: string) => tool(setDetector, {
  name,
  description: `Switch the ${label.toLowerCase()} detector`,
  returns: 'text',
  doing: `setting ${label.toLowerCase()} detector on <name>`,
  params: Type.Object({
    enabled: Type.Boolean(),
    sensitivity: Type.Optional(Type.String({ description: SENSITIVITIES.join(', ') }))
  }),
  input: ({ enabled, sensitivity }) =>
    ({ detector, enabled, ...(sensitivity !== undefined && { sensitivity: sensitivityOf(sensitivity) }) }),
  result: ({ sensitivity }, { enabled }, printer) =>
    `${label} detector ${word(enabled)} (sensitivity: ${sensitivity}) on '${printer}'.`
})

function diameterOf (diameter: number) {
  const found = DIAMETERS.find(known => known === diameter)
  if (found === undefined) throw new BadInput(`Invalid diameter ${diameter}. Valid values: [${DIAMETERS.join(', ')}]`)
  return found
}

const optionOf = (text: string): PrintOption =>
  oneOf(PRINT_OPTIONS, text, `Unknown option '${text}'. Supported: [${PRINT_OPTIONS.join(', ')}]`)

function optionsOf (autoRecovery?: boolean, sound?: boolean) {
  if (autoRecovery === undefined && sound === undefined) {
    throw new BadInput('No options specified. Provide at least one of: auto_recovery, sound')
  }
  return {
    options: {
      ...(autoRecovery !== undefined && { auto_recovery: autoRecovery }),
      ...(sound !== undefined && { sound_enable: sound })
    }
  }
}

export default [
  tool(readDetectors, { name: 'get_detector_settings' }),
  detectorTool('spaghetti', 'set_spaghetti_detection', 'Spaghetti'),
  detectorTool('airprinting', 'set_air_printing_detection', 'Air-printing'),
  detectorTool('nozzleclumping', 'set_nozzle_clumping_detection', 'Nozzle clumping'),
  detectorTool('purgechutepileup', 'set_purge_chute_detection', 'Purge chute pile-up'),
  tool(setPlateMarker, {
    name: 'set_buildplate_marker_detection',
    returns: 'text',
    doing: 'setting buildplate marker detector on <name>',
    result: (_, { enabled }, printer) => `Buildplate marker detector ${word(enabled === true)} on '${printer}'.`
  }),
  tool(setFirstLayer, {
    name: 'set_first_layer_inspection',
    returns: 'text',
    doing: 'setting first layer inspection on <name>',
    result: (_, { enabled }, printer) => `First layer inspection ${word(enabled === true)} on '${printer}'.`
  }),
  tool(setPrintOptions, {
    name: 'set_print_option',
    description: 'Set a print option',
    returns: 'text',
    doing: 'setting option on <name>',
    params: Type.Object({ option: Type.String({ description: PRINT_OPTIONS.join(', ') }), enabled: Type.Boolean() }),
    input: ({ option, enabled }) => ({ options: { [optionOf(option)]: enabled } }),
    result: (_, { option, enabled }, printer) => `Option '${option}' set to ${truth(enabled)} on '${printer}'.`
  }),
  tool(setPrintOptions, {
    name: 'set_print_options',
    description: 'Set auto recovery and sound',
    doing: 'setting print options',
    params: Type.Object({
      auto_recovery: Type.Optional(Type.Boolean()),
      sound: Type.Optional(Type.Boolean())
    }),
    input: ({ auto_recovery: autoRecovery, sound }) => optionsOf(autoRecovery, sound),
    answer: Type.Object({
      success: Type.Boolean(),
      options_set: Type.Object({ auto_recovery: Type.Optional(Type.Boolean()), sound: Type.Optional(Type.Boolean()) })
    }),
    result: (_, { auto_recovery: autoRecovery, sound }) => ({
      success: true,
      options_set: {
        ...(autoRecovery !== undefined && { auto_recovery: autoRecovery }),
        ...(sound !== undefined && { sound })
      }
    })
  }),
  tool(readNozzles, { name: 'get_nozzle_info' }),
  tool(refresh, {
    name: 'refresh_nozzles',
    description: 'Have the printer report its nozzles',
    returns: 'text',
    doing: 'refreshing nozzles on <name>',
    result: (_, __, printer) => `Nozzle refresh command sent to '${printer}'.`
  }),
  tool(configureNozzle, {
    name: 'set_nozzle_config',
    description: 'Tell the printer which nozzle is fitted',
    returns: 'text',
    doing: 'setting nozzle config on <name>',
    params: Type.Object({
      diameter: Type.Number({ description: `mm: ${DIAMETERS.join(', ')}` }),
      nozzle_type: Type.String({ description: NOZZLE_TYPES.join(', ') }),
      flow_type: Type.Optional(Type.String({ default: 'standard', description: FLOWS.join(', ') })),
      extruder: Type.Optional(Type.Integer({ default: 0, description: '-1 all' }))
    }),
    input: ({ diameter, nozzle_type: type, flow_type: flow = 'standard', extruder = 0 }) => ({
      diameter: diameterOf(diameter),
      type: oneOf(NOZZLE_TYPES, type, `Unknown nozzle_type '${type}'. Valid: [${NOZZLE_TYPES.join(', ')}]`),
      flow: oneOf(FLOWS, flow, `Unknown flow_type '${flow}'. Valid: [${FLOWS.join(', ')}]`),
      extruder
    }),
    result: (_, { diameter, nozzle_type: type, extruder = 0 }, printer) =>
      `Nozzle config set to ${diameter}mm ${type} on ${extruder === -1 ? 'all extruders' : `extruder ${extruder}`} of '${printer}'.`
  }),
  tool(swapTool, {
    name: 'swap_tool',
    description: 'Activate an extruder; default the other',
    returns: 'text',
    idempotent: false,
    doing: 'swapping tool on <name>',
    params: Type.Object({ extruder_id: Type.Optional(Type.Integer()) }),
    input: ({ extruder_id: extruder }) => extruder === undefined ? {} : { extruder },
    result: ({ extruder }, _, printer) => `Tool selection command sent: extruder ${extruder} now active on '${printer}'.`
  })
]
