import { Type, type TSchema } from 'typebox'
import { route } from '../../core/index.js'
import { readTag, writeTag } from './operations.js'

const tag = 'Spools'
const bytes = {
  content: { 'application/octet-stream': { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) } }
} as unknown as TSchema

export default [
  route(readTag, { method: 'GET', path: '/spool_tags', tag }),
  route(writeTag, { method: 'GET', path: '/spool_tags/:spool', tag }),
  route(writeTag, {
    method: 'GET',
    path: '/spool_tags/:spool/file',
    tag,
    summary: 'What to write to the tag of a spool, as a file',
    body: bytes,
    reply: ({ format, message, memory }, { content }, response) => response.type('application/octet-stream').headers({
      'cache-control': 'no-store', 'content-disposition': `attachment; filename="${format}.${content === 'memory' ? 'bin' : 'ndef'}"`
    }).send(Buffer.from(content === 'memory' ? memory : message, 'base64'))
  })
]
