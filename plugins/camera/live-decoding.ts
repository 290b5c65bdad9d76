import type { FastifyBaseLogger } from 'fastify'
import type { Dispose } from '../../core/index.js'
import type { DecoderStream, FindDecoder } from './decoder/types.js'
import { toCameraError, type CameraError } from './upstream/camera-error.js'
import type { AccessUnit } from './video/types.js'

/** Decodes a video to pictures, once for all consumers of pictures, while there are any. */
export interface LiveDecoding {
  /** Why there are no pictures; undefined while there are, and without consumers. */
  readonly problem: CameraError | undefined
  readonly wanted: boolean
  /** @returns ends this request */
  want (): Dispose
  close (): Promise<void>
}

export interface LiveDecodingDeps {
  readonly findDecoder: FindDecoder
  readonly maxFps: number
  /** The pictures received so far from which decoding can start. */
  readonly begin: () => readonly AccessUnit[]
  readonly onUnit: (listener: (unit: AccessUnit) => void) => Dispose
  readonly onJpeg: (jpeg: Buffer) => void
  /** ms before attempt number `attempt` (0 = the first retry) */
  readonly retryMs: (attempt: number, problem: CameraError) => number
  readonly log: FastifyBaseLogger
}

export function createLiveDecoding (deps: LiveDecodingDeps): LiveDecoding {
  const { findDecoder, maxFps, begin, onUnit, onJpeg, retryMs, log } = deps
  let wanted = 0
  let problem: CameraError | undefined
  let failures = 0
  let run: AbortController | undefined
  let ending: Promise<unknown> = Promise.resolve()
  let retry: NodeJS.Timeout | undefined

  function fail (error: unknown): void {
    const isNews = problem === undefined
    problem = toCameraError(error)
    if (isNews) log.warn({ problem: problem.kind }, problem.message)
    run?.abort()
    run = undefined
    retry = setTimeout(start, retryMs(failures++, problem)).unref()
  }

  async function decode ({ signal }: AbortController): Promise<void> {
    const decoder = await findDecoder()
    if (signal.aborted) return
    const failed = (reason: unknown) => { if (!signal.aborted) fail(reason) }
    const stream: DecoderStream = decoder.stream({
      maxFps,
      onFailed: failed,
      onJpeg (jpeg) {
        if (signal.aborted) return
        problem = undefined
        failures = 0
        onJpeg(jpeg)
      }
    })
    for (const unit of begin()) stream.push(unit)
    const dispose = onUnit(unit => stream.push(unit))
    await new Promise<void>(resolve => {
      if (signal.aborted) return resolve()
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    dispose()
    await stream.stop()
  }

  /** Waits for the previous program to exit: there are never two for one camera. */
  function start (): void {
    clearTimeout(retry)
    if (wanted === 0 || run !== undefined) return
    const current = run = new AbortController()
    ending = ending.then(() => decode(current)).catch((error: unknown) => { if (!current.signal.aborted) fail(error) })
  }

  function stop (): void {
    clearTimeout(retry)
    run?.abort()
    run = undefined
    problem = undefined
    failures = 0
  }

  return {
    get problem () { return problem },
    get wanted () { return wanted > 0 },
    want () {
      wanted++
      start()
      let released = false
      return () => {
        if (released) return
        released = true
        if (--wanted === 0) stop()
      }
    },
    async close () {
      wanted = 0
      stop()
      await ending
    }
  }
}
