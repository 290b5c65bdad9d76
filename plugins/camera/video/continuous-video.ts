import { CLOCK_HZ, type AccessUnit, type VideoFormat } from './types.js'

const TICKS_PER_MS = CLOCK_HZ / 1_000

const isSame = (one: VideoFormat, other: VideoFormat): boolean =>
  one.sps.equals(other.sps) && one.pps.length === other.pps.length &&
  one.pps.every((set, at) => other.pps[at]?.equals(set) === true)

/**
 * Makes successive connections to a camera one continuous video, so that viewers need not restart after a reconnection.
 */
export class ContinuousVideo {
  #last: Pick<AccessUnit, 'time' | 'at'> | undefined
  #received: VideoFormat | undefined
  #format: VideoFormat | undefined

  /** Starts a new connection. @returns adapts time and format of its pictures to the continuous video */
  begin (): (unit: AccessUnit) => AccessUnit {
    let offset: number | undefined
    return unit => {
      offset ??= this.#offsetFor(unit)
      const time = Math.round(unit.time + offset)
      this.#last = { time, at: unit.at }
      return { ...unit, time, format: this.#formatFor(unit.format) }
    }
  }

  /** The gap between two connections counts with its duration, and at least one tick. */
  #offsetFor ({ time, at }: AccessUnit): number {
    if (this.#last === undefined) return -time
    return this.#last.time + Math.max(1, (at - this.#last.at) * TICKS_PER_MS) - time
  }

  /** Equal formats are the same object, so that a change is found by comparing references. */
  #formatFor (received: VideoFormat): VideoFormat {
    if (received === this.#received && this.#format !== undefined) return this.#format
    this.#received = received
    if (this.#format === undefined || !isSame(this.#format, received)) this.#format = received
    return this.#format
  }
}
