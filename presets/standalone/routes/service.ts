import { Type } from 'typebox'
import { ok, route } from '../../../core/index.js'
import { dumpLog, truncateLog } from '../../../plugins/system/operations/server.js'
import { toggleSession } from '../../../plugins/system/operations/sessions.js'
import { fail, refreshPrinter, toggleVerbosity } from '../operations/service.js'
import { Flag, isTrue, Success, successOnly, SuccessOnly } from '../param-schemas.js'
import { JSON_LINES, LINES_BODY } from './telemetry.js'

const tag = 'System'

export default [
  route(toggleSession, {
    method: 'GET',
    path: '/toggle_session',
    tag,
    params: Type.Object({}),
    input: () => ({}),
    body: Type.Object({ ...Success.properties, state: Type.String() }),
    reply: ({ state }) => ({ status: 'success', state })
  }),
  route(refreshPrinter, { method: 'GET', path: '/trigger_printer_refresh', tag, body: SuccessOnly, reply: successOnly }),
  route(toggleVerbosity, {
    method: 'GET',
    path: '/toggle_verbosity',
    tag,
    params: Type.Object({ verbose: Flag('Log raw payloads') }),
    input: ({ verbose }) => ({ verbose: isTrue(verbose) }),
    body: Type.Object({ ...Success.properties, level: Type.String(), verbose: Type.Boolean() }),
    reply: ({ level, verbose }) => ({ status: 'success', level, verbose })
  }),
  route(dumpLog, {
    method: 'GET',
    path: '/dump_log',
    tag,
    body: LINES_BODY,
    reply: (text, _params, response) => response.type(JSON_LINES).header('cache-control', 'no-store').send(text)
  }),
  route(truncateLog, { method: 'GET', path: '/truncate_log', tag, body: Success, reply: ok }),
  route(fail, { method: 'GET', path: '/fake_error', tag, body: Success })
]
