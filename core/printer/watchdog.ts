import type { ModelInfo } from './models.js'

/** How long a printer may be silent before it is asked for everything again. Source: report rates by family. */
export const SILENCE_MS = { full: 30_000, incremental: 60_000 } as const
/** The time for a printer of this model. */
export const silenceLimitMs = ({ fullReports }: Pick<ModelInfo, 'fullReports'>): number =>
  fullReports ? SILENCE_MS.full : SILENCE_MS.incremental
/** How long it then may stay silent before the connection is given up. */
export const GIVE_UP_MS = 30_000

export interface Watch {
  /** Start of the present connection, ms since the epoch. */
  readonly connectedAt: number
  /** Last message on it, undefined when there was none. */
  readonly messageAt: number | undefined
  /** Last request for everything because of silence, undefined when none since the last message. */
  readonly askedAt: number | undefined
  readonly silenceMs: number
}

/** What silence calls for now. A broker that stopped publishing keeps its TCP connection, hence `reconnect`. */
export function checkSilence (now: number, { connectedAt, messageAt, askedAt, silenceMs }: Watch):
'fine' | 'ask' | 'wait' | 'reconnect' {
  const last = Math.max(connectedAt, messageAt ?? 0)
  if (askedAt !== undefined && askedAt >= last) return now - askedAt >= GIVE_UP_MS ? 'reconnect' : 'wait'
  return now - last >= silenceMs ? 'ask' : 'fine'
}
