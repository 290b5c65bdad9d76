import { CameraError } from './camera-error.js'

const MS_PER_S = 1_000
/** Twice what the fastest camera sends. */
const PICTURES_PER_S = 120
/** A camera has at most some dozen slices in a picture. */
const UNITS_PER_S = 60 * PICTURES_PER_S
/** A connection that stood still sends what it held back at once; after this long it counts as lost anyway. */
const BURST_S = 30

const flooded = () => new CameraError('bad_data',
  `The camera sends more pictures than ${PICTURES_PER_S} a second, which no camera does`)

/** Refuses what comes faster than `perSecond` for long, measured by a monotonic clock. */
function createRate (perSecond: number, now: () => number): () => void {
  const most = perSecond * BURST_S
  let left = most
  let at = now()
  return () => {
    if (left < 1) {
      const then = at
      at = now()
      left = Math.min(most, left + (at - then) * perSecond / MS_PER_S)
      if (left < 1) throw flooded()
    }
    left--
  }
}

/** Ends a connection whose pictures are so many, however small, that handling them would leave no time for the rest. */
export interface FloodLimit {
  /** @throws CameraError `bad_data` */
  picture (): void
  /** A NAL unit, in a picture or not. @throws CameraError `bad_data` */
  unit (): void
}

/** @param now a monotonic clock, ms */
export const createFloodLimit = (now: () => number = () => performance.now()): FloodLimit => ({
  picture: createRate(PICTURES_PER_S, now),
  unit: createRate(UNITS_PER_S, now)
})
