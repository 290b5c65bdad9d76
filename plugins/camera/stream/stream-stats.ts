import type { Protocol } from '../protocol.js'
import type { SharedFeed } from '../shared-feed.js'

/** What a camera of each kind gives at best, pictures a second. */
const CAPS: Readonly<Record<Protocol, number>> = { tcp_tls: 0.5, rtsps: 30 }
const HISTORY = 60
/** However many pages ask, the history moves on no faster. */
const STEP_MS = 1_000

/** @returns a reader of the speed now and before, as the live page shows it */
export function createStreamStats ({ rate, protocol }: SharedFeed, now: () => number) {
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
