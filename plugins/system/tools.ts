import { Type } from 'typebox'
import { newestPagesOf, tool } from '../../core/index.js'
import { listConnections } from './operations/connections.js'
import { readPreference, storePreference } from './operations/preferences.js'
import { readServerInfo, tailLog, truncateLog } from './operations/server.js'
import {
  listPrinters, newName, pauseSession, readConnection, readSession, refresh, renamePrinter, resumeSession
} from './operations/sessions.js'

const DEFAULT_LINES = 200
const Key = Type.Object({
  name: Type.String(),
  key: Type.String()
})

export default [
  tool(tailLog, {
    name: 'dump_log',
    doing: 'reading log file',
    pages: newestPagesOf('lines', 'total_lines'),
    params: Type.Object({ tail_lines: Type.Optional(Type.Integer({ default: DEFAULT_LINES, description: '0 = whole file' })) }),
    input: ({ tail_lines: lines = DEFAULT_LINES }) => ({ lines })
  }),
  tool(refresh, {
    name: 'force_state_refresh',
    doing: 'sending state refresh for <name>',
    answer: Type.Object({ success: Type.Boolean(), message: Type.String() }),
    result: (_, __, printer) => ({ success: true, message: `State refresh request sent to '${printer}'.` })
  }),
  tool(listPrinters, { name: 'get_configured_printers', doing: 'listing printers', pages: 'printers' }),
  tool(readConnection, {
    name: 'get_printer_connection_status',
    doing: 'getting connection status of <name>',
    params: Type.Object({ name: Type.String() }),
    input: ({ name }) => ({ name })
  }),
  tool(readServerInfo, { name: 'get_server_info', doing: 'retrieving server info' }),
  tool(listConnections, { name: 'list_connections', onRequest: true, doing: 'listing connections' }),
  tool(readSession, { name: 'get_session_status', doing: 'getting session status' }),
  tool(readPreference, {
    name: 'get_user_pref',
    doing: 'reading preference',
    params: Key,
    input: ({ name, key }) => ({ printer: name, key })
  }),
  tool(pauseSession, {
    name: 'pause_mqtt_session',
    returns: 'text',
    doing: 'pausing session for <name>',
    result: (_, __, printer) => `MQTT session paused for '${printer}'.`
  }),
  tool(renamePrinter, {
    name: 'rename_printer',
    returns: 'text',
    absent: 'object',
    doing: 'renaming printer <name>',
    params: Type.Object({ new_name: Type.String() }),
    input: ({ new_name: name }) => ({ name: newName(name) }),
    result: (_, { new_name: name }, printer) =>
      `Rename command sent to '${printer}': printer display name set to '${name}'.`
  }),
  tool(resumeSession, {
    name: 'resume_mqtt_session',
    returns: 'text',
    doing: 'resuming session for <name>',
    result: (_, __, printer) => `MQTT session resumed for '${printer}'.`
  }),
  tool(storePreference, {
    name: 'set_user_pref',
    doing: 'storing preference',
    params: Type.Object({
      ...Key.properties,
      value: Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], { title: 'a single value' })
    }),
    input: ({ name, key, value }) => ({ printer: name, key, value: value ?? null })
  }),
  tool(refresh, {
    name: 'trigger_printer_refresh',
    returns: 'text',
    doing: 'triggering refresh for <name>',
    result: (_, __, printer) => `Refresh triggered for '${printer}'.`
  }),
  tool(truncateLog, {
    name: 'truncate_log',
    doing: 'truncating log file',
    closedWorld: true,
    answer: Type.Object({ success: Type.Boolean(), log_path: truncateLog.output.properties.path }),
    result: ({ path }) => ({ success: true, log_path: path })
  })
]
