import { withTimeout } from '../../../core/index.js'
import { CameraError } from '../upstream/camera-error.js'
import type { AccessUnit } from '../video/types.js'
import { annexB } from './annex-b.js'
import { wordsOf, type Child } from './child.js'
import { createSplitter } from './splitter.js'

/** A process that makes a picture of each key picture it is given, one after the other. */
export interface StillProcess {
  /** It works at nothing and can be given something. */
  readonly free: boolean
  /**
   * @param last nothing more will be given to it, so it ends with this
   * @throws CameraError `decoder_failed`; the signal's reason. It cannot be used any more then
   */
  make (units: readonly AccessUnit[], options: MakeOptions): Promise<Buffer>
  stop (): Promise<void>
}

export interface MakeOptions {
  readonly last: boolean
  readonly withinMs: number
  readonly signal: AbortSignal
}

/** With nothing out by then, a program may hold a picture back until it knows that nothing follows. */
const FLUSH_MS = 1_000

export const failed = (words: string) =>
  new CameraError('decoder_failed', `No picture could be made of the video: ${words}`)

export function createStillProcess (path: string, start: (onComplaint: () => void) => Child): StillProcess {
  let waiting: ((jpeg: Buffer) => void) | undefined
  let isOpen = true

  /** Makes it give what it has, and end. */
  const flush = (): void => { isOpen = false; child.stdin.end() }
  // Whoever complains may not give anything, and what it knows of the stream may be wrong.
  const child = start(() => { if (waiting !== undefined) flush() })
  const close = (): Promise<void> => { isOpen = false; return child.stop() }

  child.stdout.on('data', createSplitter(jpeg => {
    const take = waiting
    waiting = undefined
    if (take === undefined) void close() // the next picture would be taken for this one
    else take(jpeg)
  }))
  void child.gone.then(() => { isOpen = false })

  return {
    get free () { return isOpen && waiting === undefined },
    async make (units, { last, withinMs, signal }) {
      const flushing = setTimeout(flush, FLUSH_MS)
      try {
        const made = new Promise<Buffer>((resolve, reject) => {
          waiting = resolve
          void child.gone.then(how => reject(failed(wordsOf(how, child.complaint()))))
        })
        for (const unit of units) child.stdin.write(annexB(unit))
        if (last) flush()
        return await withTimeout(withinMs, made, () => failed(`${path} gave nothing within ${withinMs / 1_000} s`), signal)
      } catch (error) {
        void close()
        throw error
      } finally {
        clearTimeout(flushing)
        if (!isOpen) void child.stop()
      }
    },
    stop: close
  }
}
