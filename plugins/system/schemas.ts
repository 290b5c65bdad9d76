import { Type } from 'typebox'
import { LEVELS, SERVICE_STATES } from '../../core/index.js'

export const Level = Type.Enum(LEVELS)

export const Problem = Type.Object({
  code: Type.String({ description: 'What went wrong, for programs' }),
  message: Type.String({ description: 'What went wrong and what to do, for people' })
}, { description: 'Why there is no connection; absent when all is well' })

export const PrinterEntry = Type.Object({
  name: Type.String(),
  connected: Type.Boolean({ description: 'The session is CONNECTED' }),
  session_active: Type.Boolean({ description: 'There is a session, connected or trying to' }),
  service_state: Type.Union([Type.Enum(SERVICE_STATES), Type.Null()]),
  problem: Type.Optional(Problem)
})

export const PrinterList = Type.Object({
  printers: Type.Array(PrinterEntry),
  total: Type.Integer({ description: 'Number of configured printers' })
})

const LIVE = 'Reports are current; false before the first one, and when none came for 30 s (60 s from models that send ' +
  'changes only), so also in a paused session'

export const Connection = Type.Object({
  name: Type.String(),
  configured: Type.Boolean(),
  session_active: Type.Boolean({ description: 'There is a session, connected or trying to' }),
  connected: Type.Boolean({ description: 'The session is CONNECTED' }),
  service_state: Type.Union([Type.Enum(SERVICE_STATES), Type.Null()]),
  recent_update: Type.Union([Type.Boolean(), Type.Null()], { description: LIVE }),
  problem: Type.Optional(Problem)
})

export const ServerInfo = Type.Object({
  api_port: Type.Integer({ description: '0 while the API is not running' }),
  api_url: Type.String(),
  pool_start: Type.Integer(),
  pool_end: Type.Integer({ description: 'Inclusive' }),
  pool_size: Type.Integer(),
  pool_available: Type.Integer(),
  pool_claimed: Type.Array(Type.Integer()),
  stream_count: Type.Integer(),
  streams: Type.Record(Type.String(), Type.Object({ port: Type.Integer(), url: Type.String() })),
  plugin_problems: Type.Optional(Type.Array(Type.Object({
    plugin: Type.String({ description: 'Its name, or the package or path of one that cannot be loaded' }),
    part: Type.Union([Type.String(), Type.Null()], { description: 'What of it fails; null: the service runs without the plugin' }),
    message: Type.String(),
    disabled: Type.Boolean({ description: 'It is not called now' })
  }), { description: 'Of plugins that the configuration adds; left out while there are none' }))
})

export const SessionStatus = Type.Object({
  name: Type.String(),
  connected: Type.Boolean(),
  service_state: Type.Enum(SERVICE_STATES),
  session_active: Type.Boolean(),
  recent_update: Type.Boolean({ description: LIVE }),
  developer_mode: Type.Enum(['on', 'off', 'unknown'], { description: 'off: the printer refuses unsigned commands' }),
  problem: Type.Optional(Problem)
})

export const Preference = Type.Object({
  key: Type.String({ description: '<printer>:<key>' }),
  value: Type.Unknown({ description: 'null when unset' })
})

export const LogTail = Type.Object({
  lines: Type.Array(Type.String(), { description: 'Newest last' }),
  total_lines: Type.Integer({ description: 'Number of lines returned' }),
  log_path: Type.String(),
  note: Type.Optional(Type.String())
})
