import type { CameraFeed } from '../camera-feed.js'
import type { Protocol } from '../protocol.js'

/** What a camera of each kind gives at best, pictures a second. */
const CAPS: Readonly<Record<Protocol, number>> = { tcp_tls: 0.5, rtsps: 30 }
const HISTORY = 60
/** However many pages ask, the history moves on no faster. */
const STEP_MS = 1_000

export interface StreamStats {
  readonly fps: number
  readonly fps_cap: number
  readonly fps_history: readonly number[]
}

/** @returns a reader of the speed now and before, as the live page shows it */
export function createStreamStats ({ rate, protocol }: CameraFeed, now: () => number): () => StreamStats {
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
