import { route } from '../../core/index.js'
import { checkHealth, readDocument } from './operations.js'
import { PrinterDocument } from './schemas.js'

const NOT_MODIFIED = 304

export default [
  route(readDocument, {
    method: 'GET',
    path: '/printer',
    tag: 'System',
    body: PrinterDocument,
    reply: (document, _, response) => document ?? response.code(NOT_MODIFIED).send()
  }),
  route(checkHealth, { method: 'GET', path: '/health_check', tag: 'System' })
]
