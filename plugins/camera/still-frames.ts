import type { FindDecoder } from './decoder/types.js'
import type { Frame } from './frame.js'
import { CameraError } from './upstream/camera-error.js'
import type { AccessUnit } from './video/types.js'

export interface StillFramesDeps {
  readonly findDecoder: FindDecoder
  /** @returns undefined if the bytes are not a JPEG */
  readonly toFrame: (jpeg: Buffer, capturedAt: number) => Frame | undefined
  /** Called for each decoded picture. */
  readonly onFrame: (frame: Frame) => void
}

/** Single pictures of a video, each decoded once for all requests. */
export class StillFrames {
  readonly #deps: StillFramesDeps
  readonly #ended = new AbortController()
  #latest: { readonly seq: number, readonly frame: Promise<Frame> } | undefined

  constructor (deps: StillFramesDeps) {
    this.#deps = deps
  }

  /** Starts the decoder's process while the camera is still connecting. */
  prepare (): void {
    this.#deps.findDecoder().then(decoder => decoder.prepare?.(), () => {}) // the request itself reports the error
  }

  /** Decodes the last of consecutive pictures, the first of which is a key picture. */
  last (units: readonly AccessUnit[]): Promise<Frame> {
    const last = units.at(-1) as AccessUnit
    if (this.#latest?.seq === last.seq) return this.#latest.frame
    const frame = this.#decode(units, last)
    this.#latest = { seq: last.seq, frame }
    frame.catch(() => { if (this.#latest?.frame === frame) this.#latest = undefined })
    return frame
  }

  /** Aborts all decoding. */
  close (): void {
    this.#ended.abort(new Error('The session of this printer was ended'))
  }

  async #decode (units: readonly AccessUnit[], { at }: AccessUnit): Promise<Frame> {
    const decoder = await this.#deps.findDecoder()
    const jpeg = await decoder.still(units, this.#ended.signal)
    const frame = this.#deps.toFrame(jpeg, at)
    if (frame === undefined) throw new CameraError('decoder_failed', `${decoder.name} made something that is no picture`)
    this.#deps.onFrame(frame)
    return frame
  }
}
