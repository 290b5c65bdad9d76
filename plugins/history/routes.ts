import { Type, type TSchema } from 'typebox'
import { route } from '../../core/index.js'
import { ok } from '../http/index.js'
import { annotatePrint, deletePrint, listPrints, readPrint, readStatistics, readThumbnail } from './operations.js'

const tag = 'History'
const PNG = {
  content: { 'image/png': { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) } }
} as unknown as TSchema

export default [
  route(listPrints, { method: 'GET', path: '/history', tag, etag: true }),
  route(readStatistics, { method: 'GET', path: '/history/statistics', tag }),
  route(readPrint, { method: 'GET', path: '/history/:id', tag }),
  route(annotatePrint, { method: 'PATCH', path: '/history/:id', tag }),
  route(deletePrint, { method: 'DELETE', path: '/history/:id', tag, reply: ok }),
  route(readThumbnail, {
    method: 'GET',
    path: '/history/:id/thumbnail',
    tag,
    body: PNG,
    reply: ({ png }, _params, response) => response.type('image/png').header('cache-control', 'no-store').send(png)
  })
]
