import type { FindDecoder } from './decoder/types.js'
import type { Frame } from './frame.js'
import { CameraError } from './upstream/camera-error.js'
import type { AccessUnit } from './video/types.js'

export interface StillFramesDeps {
  readonly findDecoder: FindDecoder
  /** @returns undefined for bytes that are no JPEG */
  readonly toFrame: (jpeg: Buffer, capturedAt: number) => Frame | undefined
  /** Runs once for each picture that was decoded. */
  readonly onFrame: (frame: Frame) => void
}

/** Single pictures of a video. However many requests ask for the same picture, it is decoded once. */
export class StillFrames {
  readonly #deps: StillFramesDeps
  readonly #ended = new AbortController()
  #latest: { readonly seq: number, readonly frame: Promise<Frame> } | undefined

  constructor (deps: StillFramesDeps) {
    this.#deps = deps
  }

  /** Starts the decoder's process while the camera is still being connected. */
  prepare (): void {
    this.#deps.findDecoder().then(decoder => decoder.prepare?.(), () => {}) // the request itself reports what is wrong
  }

  /** The last of pictures that follow each other, the first of them a key picture. */
  last (units: readonly AccessUnit[]): Promise<Frame> {
    const last = units.at(-1) as AccessUnit
    if (this.#latest?.seq === last.seq) return this.#latest.frame
    const frame = this.#decode(units, last)
    this.#latest = { seq: last.seq, frame }
    frame.catch(() => { if (this.#latest?.frame === frame) this.#latest = undefined })
    return frame
  }

  /** Ends what is being decoded. */
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
