import { Type, type TSchema } from 'typebox'
import { route } from '../../core/index.js'
import { drawLabels, listSheets } from './operations.js'

const tag = 'Spools'
const file = {
  content: Object.fromEntries(['application/pdf', 'image/png'].map(type =>
    [type, { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) }]))
} as unknown as TSchema

export default [
  route(listSheets, { method: 'GET', path: '/spool_labels/sheets', tag }),
  route(drawLabels, {
    method: 'GET',
    path: '/spool_labels',
    tag,
    body: file,
    reply: ({ type, name, pages, file }, _params, response) => response.type(type).headers({
      'cache-control': 'no-store', 'content-disposition': `inline; filename="${name}"`, 'x-prnd-pages': String(pages)
    }).send(file)
  })
]
