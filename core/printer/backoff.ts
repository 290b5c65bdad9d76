import type { ConnectionErrorCode } from './connection-error.js'

/** Waits between attempts: quick at first, then every half minute. */
const STEPS_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000]
const LAST_STEP_MS = 30_000
/** ± share of a wait, so that a room of printers does not come back in one moment. */
const JITTER = 0.2

/** Hammering does not help these, and some printers lock out who tries too often: never sooner than the last step. */
const SLOW: ReadonlySet<ConnectionErrorCode> =
  new Set(['access_code_rejected', 'certificate_changed', 'certificate_untrusted', 'wrong_serial'])

/** @returns ms to wait before attempt number `attempt` (0 = the first retry) */
export function retryDelayMs (attempt: number, problem: ConnectionErrorCode | undefined, random = Math.random): number {
  if (problem !== undefined && SLOW.has(problem)) return Math.round(LAST_STEP_MS * (1 + JITTER * random()))
  const base = STEPS_MS[attempt] ?? LAST_STEP_MS
  return Math.round(base * (1 - JITTER + 2 * JITTER * random()))
}
