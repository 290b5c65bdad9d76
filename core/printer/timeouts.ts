import type { SdCardTimeouts } from './ftp/index.js'
import type { ConnectionErrorCode } from './connection-error.js'
import { CONNECT_TIMEOUT_MS } from './tls.js'

/** Between two requests for a full report; the vendor's slicer never sends `pushall` more often. */
export const FULL_REPORT_EVERY_MS = 3_000

/** Delays between attempts to connect: short at first, then every half minute. */
const STEPS_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000]
const LAST_STEP_MS = 30_000
/** ± share of a delay, so that many printers do not reconnect simultaneously. */
const JITTER = 0.2

/** Only the user can fix these, and some printers lock out clients that retry too often: always the longest delay. */
const SLOW: ReadonlySet<ConnectionErrorCode> =
  new Set(['access_code_rejected', 'certificate_changed', 'certificate_untrusted', 'wrong_serial'])

/** @returns ms to wait before retry number `attempt` (0 is the first) */
export function retryDelayMs (attempt: number, problem: ConnectionErrorCode | undefined, random = Math.random): number {
  if (problem !== undefined && SLOW.has(problem)) return Math.round(LAST_STEP_MS * (1 + JITTER * random()))
  const base = STEPS_MS[attempt] ?? LAST_STEP_MS
  return Math.round(base * (1 - JITTER + 2 * JITTER * random()))
}

/** Timeouts and intervals of a session, ms. Tests make them shorter. */
export interface Timeouts {
  /** For the TLS handshake, the login and the subscription, each. */
  readonly connectMs: number
  /** For the printer to acknowledge the receipt of a command. */
  readonly ackMs: number
  /** For the answers to an operation's commands. Answers normally take less than a second. */
  readonly answerMs: number
  /** Interval of the checks for a silent printer. */
  readonly watchEveryMs: number
  /** Before attempt number `attempt` to connect again (0 = the first retry). */
  readonly retryMs: (attempt: number, problem: ConnectionErrorCode) => number
  /** Overrides of the SD card client's timeouts. */
  readonly card: Partial<SdCardTimeouts>
}

export const TIMEOUTS: Timeouts = {
  connectMs: CONNECT_TIMEOUT_MS,
  ackMs: 10_000,
  answerMs: 1_500,
  watchEveryMs: 1_000,
  retryMs: retryDelayMs,
  card: {}
}
