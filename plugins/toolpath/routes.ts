import { Type, type TSchema } from 'typebox'
import { BadInput, route } from '../../core/index.js'
import { mappingIn } from '../projects/index.js'
import { BedType } from './schemas.js'
import { drawPlateLayer, readLayers, readProgress, readObjects, readSummary, readTrack } from './operations.js'

const tag = 'Files'

const File = Type.String({ minLength: 1, description: 'Full path on the card' })
const Plate = Type.Optional(Type.Integer({ minimum: 1, default: 1 }))
const Layers = Type.Optional(Type.String({
  maxLength: 13, description: 'One, as 12, or some, as 3-9 or 3-; left out: all. 0 comes before the first'
}))
const PNG = { content: { 'image/png': { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) } } } as
  unknown as TSchema
const TRACK = { content: { 'application/octet-stream': { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) } } } as
  unknown as TSchema

/**
 * First and last of `3-9`, `3-` or `3`.
 * @throws PRN_ERR_BAD_INPUT
 */
function layersOf (text: string | undefined): { readonly first?: number, readonly last?: number } {
  if (text === undefined) return {}
  if (!/^\d{1,6}(-\d{0,6})?$/.test(text)) {
    throw new BadInput(`layer must be a layer such as 12 or a range such as 3-9, not '${text}'`)
  }
  const [first = '', last] = text.split('-')
  return { first: Number(first), ...(last !== '' && { last: Number(last ?? first) }) }
}

export default [
  route(readSummary, {
    method: 'GET',
    path: '/toolpath/summary',
    tag,
    etag: true,
    params: Type.Object({
      file: File,
      plate: Plate,
      ams_mapping: Type.Optional(Type.Unknown({
        description: 'To judge whether the spools last: tray by filament id - 1, -1 unused, as a list or as its JSON text',
        'x-openapi': { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'integer' } }] }
      })),
      bed_type: BedType
    }),
    input: ({ file, plate = 1, ams_mapping: given, bed_type: plateType }) =>
      ({ file, plate, ...mappingIn(given), ...(plateType !== undefined && { plateType }) })
  }),
  route(readLayers, {
    method: 'GET',
    path: '/toolpath/layers',
    tag,
    etag: true,
    params: Type.Object({ file: File, plate: Plate, layer: Layers }),
    input: ({ file, plate = 1, layer }) => ({ file, plate, ...layersOf(layer) })
  }),
  route(readObjects, {
    method: 'GET',
    path: '/toolpath/objects',
    tag,
    etag: true,
    params: Type.Object({
      file: File,
      plate: Plate,
      from_layer: Type.Optional(Type.Integer({ minimum: 1, default: 1, description: 'The first in which they are skipped' }))
    }),
    input: ({ file, plate = 1, from_layer: fromLayer = 1 }) => ({ file, plate, fromLayer })
  }),
  route(readProgress, {
    method: 'GET',
    path: '/toolpath/progress',
    tag,
    params: Type.Object({ file: File, plate: Plate }),
    input: ({ file, plate = 1 }) => ({ file, plate })
  }),
  route(drawPlateLayer, {
    method: 'GET',
    path: '/toolpath/picture',
    tag,
    params: Type.Object({ file: File, plate: Plate, layer: Type.Integer({ minimum: 1, description: 'From 1' }) }),
    input: ({ file, plate = 1, layer }) => ({ file, plate, layer }),
    body: PNG,
    reply: ({ png }, _params, response) => response.type('image/png').header('cache-control', 'no-store').send(png)
  }),
  route(readTrack, {
    method: 'GET',
    path: '/toolpath/track',
    tag,
    params: Type.Object({ file: File, plate: Plate, layer: Layers }),
    input: ({ file, plate = 1, layer }) => ({ file, plate, ...layersOf(layer) }),
    body: TRACK,
    reply: ({ body, size }, _params, response) => response.type('application/octet-stream')
      .header('content-length', size).header('cache-control', 'no-store').send(body)
  })
]
