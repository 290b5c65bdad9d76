import type { Protocol } from './protocol.js'
import type { UpstreamWaits } from './upstream/types.js'

/** Time limits, ms; tests shorten them. */
export interface CameraTimeouts {
  /** For the first picture of a snapshot or of a starting stream. */
  readonly firstFrame: Readonly<Record<Protocol, number>>
  readonly upstream: Readonly<Record<Protocol, UpstreamWaits>>
  /** Before each retry; the last value repeats. */
  readonly retry: Readonly<Record<Protocol, readonly number[]>>
  /** A stream server of an RTSPS printer stops this long after its last viewer. */
  readonly autoStop: number
  /** How long a viewer may accept no data. */
  readonly viewer: number
  /** Highest age of a running stream's picture that a snapshot uses. */
  readonly fresh: number
}

export const CAMERA_TIMEOUTS: CameraTimeouts = {
  firstFrame: { rtsps: 15_000, tcp_tls: 30_000 },
  upstream: {
    rtsps: { connect: 10_000, stall: 30_000, grace: 1_000 },
    tcp_tls: { connect: 15_000, stall: 10_000, grace: 0 }
  },
  retry: {
    rtsps: [1_000, 2_000, 4_000, 8_000, 16_000, 30_000],
    tcp_tls: [2_000, 4_000, 8_000, 16_000, 30_000]
  },
  autoStop: 10_000,
  viewer: 10_000,
  fresh: 5_000
}

/** More frequent attempts do not help here, and some printers lock the client out. */
const SLOW_KINDS: ReadonlySet<string> = new Set(['access_code_rejected', 'certificate', 'refused'])

export function retryDelay (steps: readonly number[], attempt: number, kind: string): number {
  const last = steps.at(-1) ?? 0
  return SLOW_KINDS.has(kind) ? last : steps[attempt] ?? last
}

/** An agent should not wait longer for a camera that sends nothing. */
export const SHOWN_WITHIN_MS = 10_000
