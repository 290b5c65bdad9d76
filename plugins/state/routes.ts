import { Type } from 'typebox'
import { route } from '../../core/index.js'
import { listModels } from './models.js'
import { checkHealth, readDocument } from './operations.js'
import { PrinterDocument, PrinterParts } from './document-schemas.js'

const NOT_MODIFIED = 304

export default [
  route(readDocument, {
    method: 'GET',
    path: '/printer',
    tag: 'System',
    body: Type.Union([PrinterDocument, PrinterParts]),
    answers: { [NOT_MODIFIED]: { description: 'No live data: not connected, or nothing reported yet. Never means unchanged' } },
    reply: (document, _, response) => document ?? response.code(NOT_MODIFIED).send()
  }),
  route(checkHealth, { method: 'GET', path: '/health_check', tag: 'System', etag: true }),
  route(listModels, { method: 'GET', path: '/models', tag: 'System', etag: true, params: Type.Object({}), input: () => ({}) })
]
