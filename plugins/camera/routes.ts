import { Type } from 'typebox'
import { route } from '../../core/index.js'
import { invalidQuality, invalidResolution } from './errors.js'
import { DEFAULT_QUALITY, readQuality, resolutionOf, RESOLUTIONS } from './frame.js'
import { snapshot, startStream, stopStream, streamUrl, viewStream } from './operations.js'
import { ResolutionText } from './schemas.js'

const tag = 'System'

/** Without a type, so that it arrives unconverted: whatever is wrong with it has one error of its own. */
const QualityText = Type.Unsafe<string | number | null>({
  description: '1 to 100 in plain digits, at most six of them',
  default: DEFAULT_QUALITY,
  anyOf: ['number', 'string', 'null'].map(type => ({ type })),
  'x-openapi': { anyOf: undefined, type: 'integer', minimum: 1, maximum: 100 }
})

/** @throws PRN_ERR_INVALID_QUALITY */
export function checkQuality (given: string | number): number {
  const quality = readQuality(given)
  if (quality === undefined) throw invalidQuality(given)
  return quality
}

/** @throws PRN_ERR_INVALID_RESOLUTION, before PRN_ERR_INVALID_QUALITY */
export function checkRendition ({ resolution: given = 'native', quality }: {
  readonly resolution?: string
  readonly quality?: string | number | null
}) {
  const resolution = resolutionOf(given)
  if (resolution === undefined) throw invalidResolution(given)
  return { resolution, quality: checkQuality(quality ?? DEFAULT_QUALITY) }
}

export default [
  route(snapshot, {
    method: 'GET',
    path: '/snapshot',
    tag,
    summary: 'A picture of the camera',
    params: Type.Object({
      resolution: Type.Optional(Type.String({ default: 'native', description: `${RESOLUTIONS.join(', ')}; any other means native` })),
      quality: Type.Optional(QualityText),
      include_status: Type.Optional(Type.Boolean({ default: false, description: 'Add what the print is doing' }))
    }),
    input: ({ resolution = 'native', quality, include_status: withStatus = false }) =>
      ({ resolution, quality: checkQuality(quality ?? DEFAULT_QUALITY), include_status: withStatus })
  }),
  route(startStream, { method: 'POST', path: '/start_stream', tag }),
  route(stopStream, { method: 'POST', path: '/stop_stream', tag }),
  route(streamUrl, { method: 'GET', path: '/stream_url', tag }),
  route(viewStream, {
    method: 'POST',
    path: '/view_stream',
    tag,
    params: Type.Object({
      resolution: Type.Optional({ ...ResolutionText, 'x-openapi': { enum: RESOLUTIONS } } as typeof ResolutionText),
      quality: Type.Optional(QualityText)
    }),
    input: checkRendition
  })
]
