import type { Protocol } from './protocol.js'
import type { UpstreamWaits } from './upstream/types.js'

/** How long what may take, ms; tests shorten it. */
export interface CameraTimeouts {
  /** Until the first picture, for a snapshot and for the start of a stream. */
  readonly firstFrame: Readonly<Record<Protocol, number>>
  readonly upstream: Readonly<Record<Protocol, UpstreamWaits>>
  /** Before each further attempt; the last one holds from then on. */
  readonly retry: Readonly<Record<Protocol, readonly number[]>>
  /** A stream server of an RTSPS printer ends so long after its last viewer. */
  readonly autoStop: number
  /** A viewer may take nothing for so long. */
  readonly viewer: number
  /** A picture of a running stream is new enough for a snapshot until then. */
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

/** Trying oftener does not help these, and some printers lock out who does. */
const SLOW_KINDS: ReadonlySet<string> = new Set(['access_code_rejected', 'certificate', 'refused'])

export function retryDelay (steps: readonly number[], attempt: number, kind: string): number {
  const last = steps.at(-1) ?? 0
  return SLOW_KINDS.has(kind) ? last : steps[attempt] ?? last
}

/** An agent is not kept waiting for a camera that sends nothing. */
export const SHOWN_WITHIN_MS = 10_000
