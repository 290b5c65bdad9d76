import { Type } from 'typebox'
import { tool } from '../../core/index.js'
import { snapshotLink, startStream, stopNamedStream, streamUrl, viewStream } from './operations.js'
import { checkRendition } from './routes.js'
import { Quality, ResolutionText } from './schemas.js'

const Rendition = { resolution: Type.Optional(ResolutionText), quality: Type.Optional(Quality) }

export default [
  tool(snapshotLink, {
    name: 'get_snapshot',
    errors: 'coded',
    shows: 'sized',
    params: Type.Object({
      ...Rendition,
      include_status: Type.Optional(Type.Boolean({ default: false })),
      image_px: Type.Optional(Type.Integer())
    }),
    input: ({ include_status: withStatus = false, image_px: side, ...rendition }) =>
      ({ ...checkRendition(rendition), include_status: withStatus, picture: side !== 0 }),
    pictures: ({ jpeg }) => jpeg === undefined ? [] : [{ bytes: jpeg }],
    answer: Type.Omit(snapshotLink.output, ['jpeg']),
    result: ({ jpeg: _jpeg, ...said }) => said
  }),
  tool(streamUrl, { name: 'get_stream_url', title: 'Get Stream URL', errors: 'coded' }),
  tool(startStream, { name: 'start_stream', permission: false }),
  tool(stopNamedStream, { name: 'stop_stream', permission: false }),
  tool(viewStream, {
    name: 'view_stream',
    effect: 'read',
    closedWorld: false,
    idempotent: false,
    params: Type.Object(Rendition),
    input: checkRendition
  })
]
