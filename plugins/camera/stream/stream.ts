import type { FastifyBaseLogger } from 'fastify'
import type { Kernel, PrinterSession } from '../../../core/index.js'
import type { CameraFeed } from '../camera-feed.js'
import type { CameraTimeouts } from '../timeouts.js'
import { createStreamStats, type StreamStats } from './stats.js'
import { createViewerPool, type ViewerPool } from './viewer-pool.js'

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
      now: kernel.now,
      patienceMs: timeouts.viewer,
      lingerMs: () => timeouts.autoStop
    })
  }
}
