import type { ModelInfo } from './models.js'

/** How long a printer may be silent before a full report is requested, by the report rates of the families. */
export const SILENCE_MS = { full: 30_000, incremental: 60_000 } as const
/** The limit for this model. */
export const silenceLimitMs = ({ fullReports }: Pick<ModelInfo, 'fullReports'>): number =>
  fullReports ? SILENCE_MS.full : SILENCE_MS.incremental
/** How long it may stay silent after that before the connection is closed. */
export const GIVE_UP_MS = 30_000

/** A clock that stands still for a moment where the given one goes back, as after its first synchronisation. */
export function neverBack (clock: () => number): () => number {
  let last = clock()
  let ahead = 0
  return () => {
    const at = clock()
    if (at < last) ahead += last - at
    last = at
    return at + ahead
  }
}

export interface Activity {
  /** Start of the current connection, ms. */
  readonly connectedAt: number
  /** Last message on it; undefined without one. */
  readonly messageAt: number | undefined
  /** Last full report requested because of silence; undefined if none was since the last message. */
  readonly requestedAt: number | undefined
  readonly silenceMs: number
}

/**
 * What to do about the silence now. A broker that stopped publishing keeps its TCP connection open, hence `reconnect`.
 */
export function checkSilence (now: number, { connectedAt, messageAt, requestedAt, silenceMs }: Activity):
'none' | 'request' | 'wait' | 'reconnect' {
  const last = Math.max(connectedAt, messageAt ?? 0)
  if (requestedAt !== undefined && requestedAt >= last) return now - requestedAt >= GIVE_UP_MS ? 'reconnect' : 'wait'
  return now - last >= silenceMs ? 'request' : 'none'
}
