import type { ConnectionLimits } from '../../core/index.js'

/** Far more than printers allow; clients that do not log in are disconnected. */
export const DEFAULT_LIMITS: ConnectionLimits =
  { connections: 1024, connectionsPerAddress: 1024, strangers: 512, strangersPerAddress: 512, strangerMs: 60_000 }
