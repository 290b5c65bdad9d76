import type { Recording } from './schemas.js'

export interface Room {
  /** That finished recordings and those in the making may take together. */
  readonly maxBytes: number
  /** Of those in the making, with what is about to be written. */
  readonly pendingBytes: number
}

/**
 * Which finished recordings have to go.
 * @param finished newest first
 * @returns oldest first; undefined when there is no room without them either
 */
export function evictionsFor (finished: readonly Recording[], { maxBytes, pendingBytes }: Room):
readonly Recording[] | undefined {
  if (pendingBytes > maxBytes) return undefined
  let total = finished.reduce((sum, { bytes }) => sum + bytes, pendingBytes)
  const gone: Recording[] = []
  for (const recording of finished.toReversed()) {
    if (total <= maxBytes) break
    gone.push(recording)
    total -= recording.bytes
  }
  return gone
}
