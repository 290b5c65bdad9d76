import { Type } from 'typebox'
import { DEFAULT_QUALITY, RESOLUTIONS } from './frame.js'

/** Checked where it is used, as an unknown one is answered in a way of its own. */
export const ResolutionText = Type.String({ default: 'native', description: RESOLUTIONS.join(', ') })
/** Whole JPEG quality; its range is checked where it is used, for the same reason. */
export const Quality = Type.Integer({ default: DEFAULT_QUALITY, description: '1-100' })
export const Port = Type.Integer({ minimum: 1, maximum: 65_535, description: 'Preferred; ignored if running' })

export const StreamAddress = Type.Object({ url: Type.String(), port: Type.Integer(), protocol: Type.String() })

const orNull = Type.Union([Type.String(), Type.Null()])
export const StreamInfo = Type.Object({
  protocol: Type.Enum(['rtsps', 'tcp_tls', 'none']),
  rtsps_url: orNull,
  local_mjpeg_url: orNull,
  streaming: Type.Boolean()
})

export const Snapshot = Type.Object({
  data_uri: Type.String({ description: 'The whole JPEG' }),
  saved_path: Type.String({ description: 'Copy that the next call with the same settings replaces' }),
  width: Type.Integer(),
  height: Type.Integer(),
  resolution: Type.String(),
  quality: Type.Integer(),
  protocol: Type.String(),
  timestamp: Type.String({ description: 'ISO 8601, when it was taken' }),
  status: Type.Optional(Type.Object({}, { description: 'The print, when include_status is true' }))
})
