import type { VideoFormat } from './types.js'

const isSame = (one: VideoFormat, other: VideoFormat): boolean =>
  one.sps.equals(other.sps) && one.pps.length === other.pps.length &&
  one.pps.every((set, at) => other.pps[at]?.equals(set) === true)

/** @returns a function that gives equal formats as the same object, over reconnections too */
export function createFormatMemory (): (format: VideoFormat) => VideoFormat {
  let given: VideoFormat | undefined
  let kept: VideoFormat | undefined
  return format => {
    if (format === given && kept !== undefined) return kept
    given = format
    if (kept === undefined || !isSame(kept, format)) kept = format
    return kept
  }
}
