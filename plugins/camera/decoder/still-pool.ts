import type { AccessUnit, VideoFormat } from '../video/types.js'
import type { StillProcess } from './still-process.js'

/** Processes that wait for the next picture, each of one camera. */
export interface StillPool {
  /** Has one ready soon: most of the time that a first picture takes is the start of the program. */
  prepare (): void
  /** Of one key picture. @throws what the process throws */
  make (unit: AccessUnit, work: (process: StillProcess, last: boolean) => Promise<Buffer>): Promise<Buffer>
  close (): void
}

/** Cameras with a process of their own. Each holds some 25 MB. */
const MOST = 4
/** The reply with the picture goes first. */
const SPARE_AFTER_MS = 250

interface Kept {
  readonly process: StillProcess
  /** Undefined while it is at work. */
  readonly ends?: NodeJS.Timeout
}

/**
 * A process that has decoded a picture makes the next one of the same camera in a third of the time. It is never given
 * video of another camera: what a hostile stream did to it stays with that stream.
 *
 * @param idleMs how long they wait; 0 keeps none
 */
export function createStillPool (start: () => StillProcess, idleMs: number): StillPool {
  /** A feed gives equal formats as the same object, so that it names the camera too. */
  const kept = new Map<VideoFormat, Kept>()
  let spare: Kept | undefined
  let soon: NodeJS.Timeout | undefined
  let closed = false

  const after = (end: () => void): NodeJS.Timeout => setTimeout(end, idleMs).unref()

  function takeSpare (): StillProcess | undefined {
    clearTimeout(spare?.ends)
    const taken = spare?.process
    spare = undefined
    return taken?.free === true ? taken : undefined
  }

  function prepare (): void {
    clearTimeout(soon)
    if (closed || idleMs === 0 || spare?.process.free === true) return
    spare = { process: start(), ends: after(() => { void takeSpare()?.stop() }) }
  }

  function forget (format: VideoFormat): void {
    clearTimeout(kept.get(format)?.ends)
    kept.delete(format)
  }

  function keep (format: VideoFormat, process: StillProcess): void {
    const ends = after(() => { forget(format); void process.stop() })
    kept.set(format, { process, ends })
  }

  /** @returns undefined when there is none, or it is at work */
  function takeKept (format: VideoFormat): StillProcess | undefined {
    const known = kept.get(format)
    if (known?.ends === undefined) return undefined
    clearTimeout(known.ends)
    if (known.process.free) return known.process
    kept.delete(format) // it ended by itself
    return undefined
  }

  return {
    prepare,
    async make ({ format }, work) {
      const warm = takeKept(format)
      const process = warm ?? takeSpare() ?? start()
      const isKept = warm !== undefined || (idleMs > 0 && !kept.has(format) && kept.size < MOST)
      if (isKept) kept.set(format, { process })
      try {
        const jpeg = await work(process, !isKept)
        if (warm === undefined && !closed) {
          clearTimeout(soon)
          soon = setTimeout(prepare, SPARE_AFTER_MS).unref()
        }
        return jpeg
      } finally {
        if (isKept && process.free && !closed) keep(format, process)
        else if (isKept) {
          forget(format)
          void process.stop()
        }
      }
    },
    close () {
      closed = true
      clearTimeout(soon)
      for (const one of [...kept.values(), spare]) clearTimeout(one?.ends)
      kept.clear()
    }
  }
}
