import type { AccessUnit, VideoFormat, VideoSource } from '../video/types.js'
import { CLOCK_HZ } from '../video/types.js'
import { fragment, initSegment } from '../video/fragments.js'
import type { VideoViewer } from './video-viewer.js'

/** The viewers of one camera's video: each picture is packed once for all of them. */
export interface VideoChannel {
  add (viewer: VideoViewer): void
  remove (viewer: VideoViewer): void
}

/** Limit of what a new viewer starts with. */
const MOST_RECENT_BYTES = 24 * 1024 * 1024
/** Of the first picture, and of one after a long gap. */
const USUAL_DURATION = CLOCK_HZ / 30
const MOST_DURATION = 2 * CLOCK_HZ

/** @param lingerMs how long the camera stays connected after the last viewer */
export function createVideoChannel (source: VideoSource, lingerMs: () => number): VideoChannel {
  const viewers = new Set<VideoViewer>()
  /** Viewers who arrived when nothing could be decoded; they start with the next key picture. */
  const waiting = new Set<VideoViewer>()
  let release: ((lingerMs?: number) => void) | undefined
  let format: VideoFormat | undefined
  let init: Buffer = Buffer.alloc(0)
  let recent: Buffer[] = []
  let recentBytes = 0
  let last: AccessUnit | undefined

  /**
   * When the next picture arrives is not known yet, so each is shown for as long as it took to arrive: every fragment
   * begins where the previous one ended. Browsers drop everything between a gap and the next key picture.
   */
  function pack (unit: AccessUnit): Buffer {
    const since = last === undefined ? USUAL_DURATION : unit.time - last.time
    last = unit
    const duration = since > 0 && since <= MOST_DURATION ? since : USUAL_DURATION
    return fragment(unit, { sequence: unit.seq, time: unit.time + USUAL_DURATION - duration, duration })
  }

  function remember (bytes: Buffer, key: boolean): void {
    if (key) forget()
    else if (recent.length === 0) return
    recent.push(bytes)
    recentBytes += bytes.length
    if (recentBytes > MOST_RECENT_BYTES) forget()
  }

  function forget (): void {
    recent = []
    recentBytes = 0
  }

  function begin (viewer: VideoViewer, pictures: readonly Buffer[]): void {
    waiting.delete(viewer)
    if (format !== undefined) viewer.begin(format, init, pictures)
  }

  function onUnit (unit: AccessUnit): void {
    const isNew = unit.format !== format
    if (isNew && !unit.key) return
    const bytes = pack(unit)
    if (isNew) {
      format = unit.format
      init = initSegment(format)
      forget()
    }
    if (unit.key) for (const viewer of isNew ? [...viewers] : waiting) begin(viewer, [])
    remember(bytes, unit.key)
    for (const viewer of viewers) if (!waiting.has(viewer)) viewer.show(bytes, unit.key)
  }

  return {
    add (viewer) {
      release ??= source.attach(onUnit) // the current group arrives within the call, before this viewer is added
      viewers.add(viewer)
      if (recent.length > 0) begin(viewer, recent)
      else waiting.add(viewer)
    },
    remove (viewer) {
      waiting.delete(viewer)
      if (!viewers.delete(viewer) || viewers.size > 0) return
      release?.(lingerMs())
      release = undefined
      format = undefined
      last = undefined
      forget()
    }
  }
}
