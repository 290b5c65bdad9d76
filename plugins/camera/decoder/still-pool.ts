import type { AccessUnit, VideoFormat } from '../video/types.js'
import type { StillProcess } from './still-process.js'

/** Idle decoder processes, each reserved for one camera. */
export interface StillPool {
  /** Starts a spare process soon: most of the time for a first picture goes into starting the program. */
  prepare (): void
  /** Decodes one key picture. @throws what the process throws */
  make (unit: AccessUnit, work: (process: StillProcess, last: boolean) => Promise<Buffer>): Promise<Buffer>
  close (): void
}

/** Cameras with a process of their own, each of about 25 MB. */
const MOST = 4
/** Delays the start until the reply with the picture is sent. */
const SPARE_AFTER_MS = 250

interface PooledProcess {
  readonly process: StillProcess
  /** Undefined while it works. */
  readonly ends?: NodeJS.Timeout
}

/**
 * A process that has decoded a picture decodes the next one of the same camera in a third of the time. It never gets
 * video of another camera, so a hostile stream cannot affect others.
 *
 * @param idleMs how long a process is kept idle; 0 keeps none
 */
export function createStillPool (start: () => StillProcess, idleMs: number): StillPool {
  /** Keyed by the format object, which a feed shares among equal formats, so that it also identifies the camera. */
  const pool = new Map<VideoFormat, PooledProcess>()
  let spare: PooledProcess | undefined
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
    clearTimeout(pool.get(format)?.ends)
    pool.delete(format)
  }

  function keep (format: VideoFormat, process: StillProcess): void {
    const ends = after(() => { forget(format); void process.stop() })
    pool.set(format, { process, ends })
  }

  /** @returns undefined when there is none, or it is busy */
  function takePooled (format: VideoFormat): StillProcess | undefined {
    const known = pool.get(format)
    if (known?.ends === undefined) return undefined
    clearTimeout(known.ends)
    if (known.process.free) return known.process
    pool.delete(format) // it has exited
    return undefined
  }

  return {
    prepare,
    async make ({ format }, work) {
      const warm = takePooled(format)
      const process = warm ?? takeSpare() ?? start()
      const isPooled = warm !== undefined || (idleMs > 0 && !pool.has(format) && pool.size < MOST)
      if (isPooled) pool.set(format, { process })
      try {
        const jpeg = await work(process, !isPooled)
        if (warm === undefined && !closed) {
          clearTimeout(soon)
          soon = setTimeout(prepare, SPARE_AFTER_MS).unref()
        }
        return jpeg
      } finally {
        if (isPooled && process.free && !closed) keep(format, process)
        else if (isPooled) {
          forget(format)
          void process.stop()
        }
      }
    },
    close () {
      closed = true
      clearTimeout(soon)
      for (const one of [...pool.values(), spare]) clearTimeout(one?.ends)
      pool.clear()
    }
  }
}
