import type { FastifyBaseLogger } from 'fastify'
import type { Kernel, PrinterSession } from '../../../core/index.js'
import type { CameraFeed } from '../camera-feed.js'
import type { CameraTimeouts } from '../timeouts.js'
import { createViewerPool, type ViewerPool } from './viewer-pool.js'
import type { Protocol } from '../protocol.js'

/** The highest frame rate of each kind of camera, pictures a second. */
const CAPS: Readonly<Record<Protocol, number>> = { tcp_tls: 0.5, rtsps: 30 }
const HISTORY = 60
/** The history advances at this interval, however many pages poll. */
const STEP_MS = 1_000

interface StreamStats {
  readonly fps: number
  readonly fps_cap: number
  readonly fps_history: readonly number[]
}

/** @returns reads the current and past frame rate, as the live page shows it */
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

/** What is shared by all viewers of a printer's camera, whichever port they use. */
export interface Stream {
  readonly kernel: Kernel
  readonly session: PrinterSession
  readonly source: CameraFeed
  readonly viewerPool: ViewerPool
  readonly timeouts: CameraTimeouts
  /** Current and past frame rate, as the live page shows it. */
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
