import { CLOCK_HZ, type AccessUnit } from './types.js'

const TICKS_PER_MS = CLOCK_HZ / 1_000

/** One time for all connections to a camera, so that who watches over a reconnection need not begin anew. */
export interface Timeline {
  /** For a new connection. @returns what gives its pictures their time, 1/90,000 s */
  begin (): (unit: AccessUnit) => number
}

export function createTimeline (): Timeline {
  let last: { readonly time: number, readonly at: number } | undefined
  return {
    begin () {
      let offset: number | undefined
      return ({ time, at }) => {
        offset ??= last === undefined ? -time : last.time + Math.max(1, (at - last.at) * TICKS_PER_MS) - time
        const shown = Math.round(time + offset)
        last = { time: shown, at }
        return shown
      }
    }
  }
}
