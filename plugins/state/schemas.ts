import { Type } from 'typebox'
import { AmsUnit, ExtensionTool, Fault, JobRecord, PrinterState, Spool } from './document-schemas.js'

export const Temperature = Type.Object({
  temp: Type.Number({ description: 'Measured, °C' }),
  target: Type.Number({ description: 'Target, °C; 0 off' })
})

export const Temperatures = Type.Object({
  nozzles: Type.Array(Type.Object({
    id: Type.Integer({ description: '-1 the only one, 0 right, 1 left' }),
    ...Temperature.properties
  })),
  bed: Temperature,
  chamber: Temperature
})

export const Climate = Type.Object({
  ...Temperatures.properties,
  chamber_door_open: Type.Boolean(),
  chamber_lid_open: Type.Boolean({ description: 'False when there is no sensor' }),
  air_conditioning_mode: Type.String({ description: 'HEAT_MODE or NOT_SUPPORTED' })
})

export const HmsErrors = Type.Object({
  hms_errors: Type.Array(Type.Unsafe<object>(Fault)),
  print_error: Type.Integer({ description: '0 none' })
})

export const Progress = Type.Object({
  gcode_state: Type.String(),
  cancelled: Type.Optional(Type.Boolean({ description: 'A person ended the job' })),
  print_percentage: Type.Integer({ description: 'Of a job that failed or was cancelled: how far it came' }),
  current_layer: Type.Integer(),
  total_layers: Type.Integer(),
  elapsed_minutes: Type.Integer(),
  remaining_minutes: Type.Integer(),
  stage_name: Type.String(),
  subtask_name: Type.String(),
  skipped_objects: Type.Array(Type.Integer())
})

export const Fans = Type.Object({
  part_cooling_pct: Type.Integer(),
  aux_pct: Type.Integer(),
  exhaust_pct: Type.Integer(),
  heatbreak_pct: Type.Integer(),
  enhanced_cooling_pct: Type.Integer({ description: 'Last commanded, not measured' })
})

const { stat: _stat, fun: _fun, ...printerState } = PrinterState.properties

/** The state without its undecoded members. */
export const ReadableState = Type.Unsafe<object>(Type.Object({
  ...printerState,
  extension_tool: Type.Object({ ...ExtensionTool.properties, mounted: Type.Boolean() }),
  recent_update: Type.Boolean()
}))

export const Job = Type.Unsafe<object>(JobRecord)
const Unit = Type.Unsafe<object>(AmsUnit)
const Entry = Type.Unsafe<object>(Type.Object({
  ...Spool.properties,
  color_name: Type.String(),
  display_name: Type.String()
}))

export const AmsStatus = Type.Object({
  ams_status: Type.String(),
  ams_count: Type.Integer(),
  units: Type.Array(Unit)
})

export const Spools = Type.Object({
  active_spool: Type.Union([Entry, Type.Null()]),
  spools: Type.Array(Entry)
})

export const ExternalSpools = Type.Object({
  loaded: Type.Boolean({ description: 'There is an entry, which may stand for an empty holder' }),
  spool: Type.Union([Entry, Type.Null()]),
  spools: Type.Array(Entry)
})
