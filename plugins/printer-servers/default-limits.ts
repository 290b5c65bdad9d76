import type { ConnectionLimits } from '../../core/index.js'

/** Where nobody says otherwise: far more than printers take, and no place for ever for whoever does not log in. */
export const DEFAULT_LIMITS: ConnectionLimits =
  { connections: 1024, connectionsPerAddress: 1024, strangers: 512, strangersPerAddress: 512, strangerMs: 60_000 }
