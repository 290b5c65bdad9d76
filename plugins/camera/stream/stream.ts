import type { FastifyBaseLogger } from 'fastify'
import type { Kernel, PrinterSession } from '../../../core/index.js'
import type { CameraFeed } from '../camera-feed.js'
import type { CameraTimeouts } from '../timeouts.js'
import { createViewerPool, type ViewerPool } from './viewer-pool.js'
import type { Protocol } from '../protocol.js'

/** What a camera of each kind gives at best, pictures a second. */
const CAPS: Readonly<Record<Protocol, number>> = { tcp_tls: 0.5, rtsps: 30 }
const HISTORY = 60
/** However many pages ask, the history moves on no faster. */
const STEP_MS = 1_000

interface StreamStats {
  readonly fps: number
  readonly fps_cap: number
  readonly fps_history: readonly number[]
}

/** @returns a reader of the speed now and before, as the live page shows it */
function createStreamStats ({ rate, protocol }: CameraFeed, now: () => number): () => StreamStats {
  const history: number[] = new Array<number>(HISTORY).fill(0)
  let movedAt = -Infinity
  return () => {
    const fps = rate.value()
    if (now() - movedAt >= STEP_MS) {
      movedAt = now()
      history.push(fps)
      history.shift()
    }
    return { fps, fps_cap: CAPS[protocol], fps_history: [...history] }
  }
}

/** What the camera of one printer shows, whichever port it is looked at through. */
export interface Stream {
  readonly kernel: Kernel
  readonly session: PrinterSession
  readonly source: CameraFeed
  readonly viewerPool: ViewerPool
  readonly timeouts: CameraTimeouts
  /** Speed now and before, as the live page shows it. */
  readonly stats: () => StreamStats
}

export interface StreamOptions {
  readonly kernel: Kernel
  readonly session: PrinterSession
  readonly source: CameraFeed
  readonly timeouts: CameraTimeouts
  readonly maxViewers: number
  readonly log: FastifyBaseLogger
}

export function createStream ({ kernel, session, source, timeouts, maxViewers, log }: StreamOptions): Stream {
  return {
    kernel,
    session,
    source,
    timeouts,
    stats: createStreamStats(source, kernel.now),
    viewerPool: createViewerPool({
      source,
      log,
      most: maxViewers,
      checkRoom: kernel.services.http.checkRoom,
      now: kernel.now,
      patienceMs: timeouts.viewer,
      lingerMs: () => timeouts.autoStop
    })
  }
}
