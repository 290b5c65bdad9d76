import { Type, type TSchema } from 'typebox'
import { route } from '../../core/index.js'
import { downloadBackup, makeBackup, planBackups, readBackup } from './operations.js'

const tag = 'Backup'
const FILE = {
  content: { 'application/gzip': { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) } }
} as unknown as TSchema

export default [
  route(readBackup, { method: 'GET', path: '/backup', tag }),
  route(makeBackup, { method: 'POST', path: '/backup', tag }),
  route(planBackups, { method: 'PATCH', path: '/backup/nightly', tag }),
  route(downloadBackup, {
    method: 'GET',
    path: '/backup/:id',
    tag,
    body: FILE,
    reply: ({ file, size, body }, _params, response) => response.type('application/gzip').headers({
      'content-length': size,
      'content-disposition': `attachment; filename="${file}"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff'
    }).send(body)
  })
]
