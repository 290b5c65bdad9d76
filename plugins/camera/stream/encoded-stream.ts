import type { FastifyBaseLogger } from 'fastify'
import { isNative, type Frame, type Rendition } from '../frame.js'
import { jpegOf } from '../rendition.js'
import { multipartFrame, type MultipartFrame } from './multipart-frame.js'
import type { Viewer } from './viewer.js'

/** The viewers of one camera at one size and quality. */
export interface EncodedStream {
  readonly viewers: ReadonlySet<Viewer>
  /** Shows a new viewer the current picture. */
  add (viewer: Viewer, newest: Frame | undefined): void
  remove (viewer: Viewer): void
  /** Takes the next picture; while one is being rendered, only the newest is queued. */
  push (frame: Frame): void
}

/** Each picture is rendered once for all viewers; one that cannot be rendered is shown unchanged. */
export function createEncodedStream (rendition: Rendition, log: FastifyBaseLogger): EncodedStream {
  const viewers = new Set<Viewer>()
  let waiting: Frame | undefined
  let busy = false
  let last: { readonly seq: number, readonly part: MultipartFrame } | undefined

  function show (frame: Frame, jpeg: Buffer): void {
    if (last !== undefined && last.seq > frame.seq) return
    last = { seq: frame.seq, part: multipartFrame(jpeg, frame) }
    for (const viewer of viewers) viewer.show(last.part)
  }

  async function make (frame: Frame): Promise<void> {
    busy = true
    const jpeg = await jpegOf(frame, rendition).catch((error: unknown) => {
      log.warn({ err: error, ...rendition }, 'a picture could not be made; it is shown as it came')
      return frame.jpeg
    })
    busy = false
    show(frame, jpeg)
    const next = waiting
    waiting = undefined
    if (next !== undefined && viewers.size > 0) void make(next)
  }

  function push (frame: Frame): void {
    if (viewers.size === 0) return
    if (isNative(rendition)) return show(frame, frame.jpeg)
    if (busy) waiting = frame
    else void make(frame)
  }

  return {
    viewers,
    add (viewer, newest) {
      viewers.add(viewer)
      if (newest === undefined) return
      if (last?.seq === newest.seq) viewer.show(last.part)
      else push(newest)
    },
    remove (viewer) {
      viewers.delete(viewer)
      if (viewers.size === 0) last = undefined
    },
    push
  }
}
