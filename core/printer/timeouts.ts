import { retryDelayMs } from './backoff.js'
import type { SdCardTimeouts } from './ftp/index.js'
import type { ConnectionErrorCode } from './connection-error.js'
import { CONNECT_TIMEOUT_MS } from './tls.js'

/** How long a session waits for what, ms. Whoever tests one makes it shorter. */
export interface Timeouts {
  /** For the TLS handshake, the login and the subscription, each. */
  readonly connectMs: number
  /** For the printer to acknowledge that it received a command. */
  readonly takenMs: number
  /** For the answers to an operation's commands. Answers normally take less than a second. */
  readonly answerMs: number
  /** Between two looks at how long the printer has been silent. */
  readonly watchEveryMs: number
  /** Before attempt number `attempt` to connect again (0 = the first retry). */
  readonly retryMs: (attempt: number, problem: ConnectionErrorCode) => number
  /** Those of the card that differ from its own. */
  readonly card: Partial<SdCardTimeouts>
}

export const TIMEOUTS: Timeouts = {
  connectMs: CONNECT_TIMEOUT_MS,
  takenMs: 10_000,
  answerMs: 1_500,
  watchEveryMs: 1_000,
  retryMs: retryDelayMs,
  card: {}
}
