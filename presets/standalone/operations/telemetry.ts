import { Type } from 'typebox'
import { operation } from '../../../core/index.js'
import { COLLECTION_NAMES } from '../telemetry-view/collections.data.js'

const Nothing = Type.Object({})
export const Telemetry = Type.Object({}, { additionalProperties: true, description: 'tool, bed, chamber, fan, gcode_state_durations, printer' })

export const readTelemetry = operation({
  name: 'standalone.readTelemetry',
  summary: 'The telemetry document: charts of the last hour, times per job state, the printer',
  effect: 'read',
  scope: 'daemon',
  input: Nothing,
  output: Type.Unsafe<object>(Telemetry),
  run: ({ services }) => services.standalone.telemetry()
})

export const dumpCollections = operation({
  name: 'standalone.dumpCollections',
  summary: 'Everything that was recorded, a collection a line',
  effect: 'read',
  scope: 'daemon',
  input: Nothing,
  output: Type.String(),
  run: ({ services }) => services.standalone.dump()
})

/** The zoom is shared by all clients. */
export const zoom = operation({
  name: 'standalone.zoom',
  summary: 'Show 500 s more or less of a chart, 500 s at least',
  effect: 'local',
  scope: 'daemon',
  input: Type.Object({ name: Type.Enum(COLLECTION_NAMES), way: Type.Enum(['in', 'out']) }),
  output: Type.Object({}),
  run ({ services }, { name, way }) {
    services.standalone.zoom(name, way)
    return {}
  }
})
