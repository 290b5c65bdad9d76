import { withTimeout } from '../../../core/index.js'
import { CameraError } from '../upstream/camera-error.js'
import type { AccessUnit } from '../video/types.js'
import { annexB } from './annex-b.js'
import { wordsOf, type Child } from './child.js'
import { createSplitter } from './splitter.js'

/** A process that decodes key pictures, one at a time. */
export interface StillProcess {
  /** It is idle and accepts work. */
  readonly free: boolean
  /**
   * @param last no more pictures follow, so the process may exit after these
   * @throws CameraError `decoder_failed`; the signal's reason. The process cannot be used again after either
   */
  make (units: readonly AccessUnit[], options: MakeOptions): Promise<Buffer>
  stop (): Promise<void>
}

export interface MakeOptions {
  readonly last: boolean
  readonly withinMs: number
  readonly signal: AbortSignal
}

/** Without output by then, the program may be holding the picture back until it knows that nothing follows. */
const FLUSH_MS = 1_000

export const failed = (words: string) =>
  new CameraError('decoder_failed', `No picture could be made of the video: ${words}`)

export function createStillProcess (path: string, start: (onComplaint: () => void) => Child): StillProcess {
  let waiting: ((jpeg: Buffer) => void) | undefined
  let isOpen = true

  /** Closes its input, which makes it output what it has and exit. */
  const flush = (): void => { isOpen = false; child.stdin.end() }
  // After an error message it may output nothing and misread what follows, so it is made to exit.
  const child = start(() => { if (waiting !== undefined) flush() })
  const close = (): Promise<void> => { isOpen = false; return child.stop() }

  child.stdout.on('data', createSplitter(jpeg => {
    const take = waiting
    waiting = undefined
    if (take === undefined) void close() // an unexpected picture would be taken for the next one
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
