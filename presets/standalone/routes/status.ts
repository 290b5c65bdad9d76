import { Type } from 'typebox'
import { route } from '../../../core/index.js'
import { NO_DATA } from '../telemetry-view/index.js'
import { checkHealth, PrinterDocument, readPrinter } from '../operations/status.js'

const tag = 'System'
const NOT_MODIFIED = 304
const UNHEALTHY = 500

export default [
  route(readPrinter, {
    method: 'GET',
    path: '/printer',
    tag,
    body: PrinterDocument,
    reply: (document, _params, response) => document ?? response.code(NOT_MODIFIED).send()
  }),
  route(checkHealth, {
    method: 'GET',
    path: '/health_check',
    tag,
    body: Type.Object({ status: Type.String(), printer: PrinterDocument }),
    reply ({ healthy, printer }, _params, response) {
      if (healthy) return { status: 'success', printer }
      response.code(UNHEALTHY)
      return { ...NO_DATA, printer }
    }
  })
]
