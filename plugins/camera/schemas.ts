import { Type } from 'typebox'
import { DEFAULT_QUALITY, RESOLUTIONS } from './frame.js'

/** Validated in the operation, as an unknown resolution has an error response of its own. */
export const ResolutionText = Type.String({ default: 'native', description: RESOLUTIONS.join(', ') })
/** JPEG quality; its range is checked in the operation for the same reason. */
export const Quality = Type.Integer({ default: DEFAULT_QUALITY, description: '1-100' })
export const Port = Type.Integer({ minimum: 1, maximum: 65_535, description: 'Preferred' })

const Protocol = Type.Enum(['rtsps', 'tcp_tls'], { description: 'How the camera is read' })
const SharedUrl = Type.String({ description: 'The same page under the port of the API, with its access rules' })
export const StreamAddress = Type.Object({
  url: Type.String({ description: 'Of the live page, on this host' }),
  port: Type.Integer({ description: 'Of the stream server' }),
  shared_url: SharedUrl,
  protocol: Protocol
})

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
export const StreamInfo = Type.Object({
  protocol: Type.Enum(['rtsps', 'tcp_tls', 'none'], { description: 'How the camera is read' }),
  rtsps_url: orNull('Address of the camera, its password as asterisks; null where there is none of that kind'),
  local_mjpeg_url: orNull('Address of the running stream; null without one'),
  shared_url: SharedUrl,
  streaming: Type.Boolean({ description: 'A stream server runs' })
})

const Temperature = (description: string) => Type.Number({ description: `${description}, °C` })
const Percent = (description: string) => Type.Number({ description: `${description}, percent` })
const OpenFlag = Type.Boolean({ description: 'False without a sensor' })
const Text = (description: string) => Type.String({ description })

/** The part of the print's status in a snapshot and on the stream page. */
export const PrintStatus = Type.Union([
  Type.Object({
    gcode_state: Text('IDLE, PREPARE, RUNNING, PAUSE, FINISH, FAILED, SLICING or INIT'),
    cancelled: Type.Boolean({ description: 'A person ended the job, which reads FAILED, IDLE or FINISH' }),
    print_percentage: Percent('Progress'),
    current_layer: Type.Integer(),
    total_layers: Type.Integer(),
    elapsed_minutes: Type.Integer(),
    remaining_minutes: Type.Integer(),
    stage_name: Text('What the printer is doing within the job'),
    subtask_name: Text('Name of the job'),
    nozzles: Type.Array(Type.Object({
      id: Type.Integer({ description: '-1 the only one, 0 right, 1 left' }),
      temp: Temperature('Measured'),
      target: Temperature('Target; 0 off')
    })),
    bed_temp: Temperature('Bed'),
    bed_temp_target: Temperature('Target of the bed; 0 off'),
    chamber_temp: Temperature('Chamber; 0 without a sensor'),
    chamber_temp_target: Temperature('Target of the chamber; 0 off'),
    part_cooling_pct: Percent('Part-cooling fan'),
    aux_pct: Percent('Auxiliary fan'),
    exhaust_pct: Percent('Exhaust fan'),
    heatbreak_pct: Percent('Fan of the hotend'),
    is_chamber_door_open: OpenFlag,
    is_chamber_lid_open: OpenFlag,
    active_filament: Type.Union([
      Type.Object({
        type: Type.String(),
        color: Text('CSS name where one matches, else #RRGGBBAA'),
        remaining_pct: Percent('What is left, -1 unknown')
      }),
      Type.Null()
    ], { description: 'null: none, or unknown' }),
    ams_humidity_index: Type.Integer({ description: '1 wet to 5 dry; 0 unknown' }),
    speed_level: Type.Integer({ description: '1 quiet, 2 standard, 3 sport, 4 ludicrous' }),
    wifi_signal: Text('As reported'),
    active_error_count: Type.Integer(),
    hms_errors: Type.Array(Type.Object({
      code: Type.String(),
      msg: Text('What it means'),
      url: Text("The vendor's page; empty where there is none"),
      is_critical: Type.Boolean({ description: 'The print cannot go on' })
    }))
  }, { 'x-name': 'PrintStatus' }),
  Type.Object({}, { additionalProperties: false, description: 'Before the first report' })
], { description: 'The print, when include_status is true' })

export const Snapshot = Type.Object({
  data_uri: Type.String({ description: 'The whole JPEG' }),
  saved_path: Type.String({ description: 'Copy that the next call with the same settings replaces' }),
  width: Type.Integer({ description: 'px' }),
  height: Type.Integer({ description: 'px' }),
  resolution: Type.String({ description: 'As asked for' }),
  quality: Type.Integer({ minimum: 1, maximum: 100 }),
  protocol: Protocol,
  timestamp: Type.String({ description: 'ISO 8601, when it was taken' }),
  status: Type.Optional(PrintStatus)
})
