import type { FastifyBaseLogger } from 'fastify'
import { createEmitter, type Dispose, type Pins, type PrinterSession } from '../../core/index.js'
import { streamFailed } from './errors.js'
import { jpegSize, type Frame } from './frame.js'
import { checkLiveView, type Protocol } from './protocol.js'
import { CameraError, toCameraError } from './upstream/camera-error.js'
import type { Upstream, UpstreamWaits } from './upstream/types.js'

/** Pictures per second over the last ten seconds. */
interface FpsMeter {
  count (): void
  /** Two decimals below 2, else whole. */
  value (): number
  clear (): void
}

const WINDOW_MS = 10_000

export function createFpsMeter (now: () => number): FpsMeter {
  let times: number[] = []
  const trim = () => {
    const since = now() - WINDOW_MS
    const first = times.findIndex(time => time > since)
    times = first < 0 ? [] : first > 0 ? times.slice(first) : times
  }
  return {
    count () {
      times.push(now())
      if (times.length > 1_000) trim()
    },
    value () {
      trim()
      const rate = times.length / (WINDOW_MS / 1_000)
      return rate < 2 ? Math.round(rate * 100) / 100 : Math.round(rate)
    },
    clear () { times = [] }
  }
}

interface SourceEvents {
  frame: [frame: Frame]
  problem: [problem: CameraError]
}

/** The one connection to the camera of a printer, for as long as somebody wants pictures. */
export interface CameraFeed {
  readonly protocol: Protocol
  /** The last picture of the connection that is up; undefined while there is none. */
  readonly newest: Frame | undefined
  /** Why no picture comes; undefined while they come. */
  readonly problem: CameraError | undefined
  /** A connection is kept, or being made. */
  readonly running: boolean
  readonly consumers: number
  readonly rate: FpsMeter
  /** Wants pictures from now on. @returns the end of it; the connection then stays for `lingerMs` more */
  attach (onFrame?: (frame: Frame) => void): (lingerMs?: number) => void
  /**
   * The newest picture when it is no older than `freshMs`, else the next one.
   * @throws PRN_ERR_STREAM_FAILED with the reason, at once when waiting would not help
   */
  picture (options: PictureOptions): Promise<Frame>
  /** Ends the connection now if nobody wants pictures, instead of after its lingering. */
  rest (): void
  /** For good. Resolves once nothing of it runs any more. */
  close (): Promise<void>
}

export interface PictureOptions {
  readonly freshMs: number
  readonly withinMs: number
  readonly signal: AbortSignal
  /** How long the connection stays if nobody else wants it. */
  readonly lingerMs?: number
}

export interface CameraFeedDeps {
  readonly session: PrinterSession
  readonly protocol: Protocol
  readonly upstream: Upstream
  readonly pins: Pick<Pins, 'get' | 'set'>
  readonly timeouts: UpstreamWaits
  /** ms before attempt number `attempt` (0 = the first retry) */
  readonly retryMs: (attempt: number, problem: CameraError) => number
  readonly log: FastifyBaseLogger
  readonly now: () => number
}

export function createCameraFeed (deps: CameraFeedDeps): CameraFeed {
  const { session, protocol, log, now } = deps
  const events = createEmitter<SourceEvents>((error, event) => log.error({ err: error, event }, 'camera listener failed'))
  const rate = createFpsMeter(now)
  let consumers = 0
  let seq = 0
  let newest: Frame | undefined
  let problem: CameraError | undefined
  let failures = 0
  let controller: AbortController | undefined
  let running: Promise<void> | undefined
  let wake = () => {}
  let linger: NodeJS.Timeout | undefined
  let closed = false

  function onJpeg (jpeg: Buffer): boolean {
    const size = jpegSize(jpeg)
    if (size === undefined) return false
    newest = { seq: ++seq, jpeg, ...size, capturedAt: now() }
    problem = undefined
    failures = 0
    rate.count()
    events.emit('frame', newest)
    return true
  }

  async function connection (signal: AbortSignal): Promise<void> {
    try {
      checkLiveView(session)
      const { config } = session
      await deps.upstream({ config, pins: deps.pins, signal, timeouts: deps.timeouts, onJpeg })
    } catch (error) {
      if (signal.aborted) return
      const isNews = problem === undefined
      problem = toCameraError(error)
      if (isNews) log.warn({ problem: problem.kind }, problem.message)
      events.emit('problem', problem)
    } finally {
      newest = undefined
    }
  }

  async function run (signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await connection(signal)
      if (signal.aborted || problem === undefined) continue
      await pause(deps.retryMs(failures++, problem), signal)
    }
  }

  /** Ends early for whoever asks anew: what hindered may have been put right. */
  function pause (ms: number, signal: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      const done = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', done)
        wake = () => {}
        resolve()
      }
      const timer = setTimeout(done, ms).unref()
      signal.addEventListener('abort', done, { once: true })
      wake = done
    })
  }

  /** A connection that is still ending is waited for: there is never a second one. */
  function start (): void {
    clearTimeout(linger)
    if (closed || controller !== undefined) return
    const { signal } = controller = new AbortController()
    const before = running
    failures = 0
    running = Promise.resolve(before).then(() => run(signal))
  }

  function stop (): void {
    clearTimeout(linger)
    controller?.abort(new Error('nobody wants pictures any more'))
    controller = undefined
    newest = undefined
    problem = undefined
    rate.clear()
  }

  function attach (onFrame?: (frame: Frame) => void): (lingerMs?: number) => void {
    const dispose: Dispose = onFrame ? events.on('frame', onFrame) : () => {}
    consumers++
    start()
    wake()
    let released = false
    return (lingerMs = 0) => {
      if (released) return
      released = true
      dispose()
      consumers--
      if (consumers > 0 || closed) return
      if (lingerMs === 0) stop()
      else linger = setTimeout(stop, lingerMs).unref()
    }
  }

  async function picture ({ freshMs, withinMs, signal, lingerMs = 0 }: PictureOptions): Promise<Frame> {
    signal.throwIfAborted()
    const release = attach()
    try {
      const known = newest
      if (known !== undefined && now() - known.capturedAt <= freshMs) return known
      return await nextFrame(withinMs, signal)
    } finally {
      release(lingerMs)
    }
  }

  function nextFrame (withinMs: number, signal: AbortSignal): Promise<Frame> {
    return new Promise((resolve, reject) => {
      let latest: CameraError | undefined
      const settle = (done: () => void) => {
        clearTimeout(timer)
        for (const dispose of listening) dispose()
        signal.removeEventListener('abort', abort)
        done()
      }
      const fail = (why: CameraError) => settle(() => reject(streamFailed(why.message, why)))
      const abort = () => settle(() => reject(signal.reason))
      const timer = setTimeout(() => fail(latest ?? tooLate(withinMs)), withinMs).unref()
      const listening = [
        events.on('frame', frame => settle(() => resolve(frame))),
        events.on('problem', why => {
          latest = why
          if (why.lasting) fail(why)
        })
      ]
      signal.addEventListener('abort', abort, { once: true })
    })
  }

  return {
    protocol,
    rate,
    get newest () { return newest },
    get problem () { return problem },
    get running () { return controller !== undefined },
    get consumers () { return consumers },
    attach,
    picture,
    rest () { if (consumers === 0) stop() },
    async close () {
      closed = true
      stop()
      events.emit('problem', new CameraError('unreachable', 'The session of this printer was ended'))
      await running
    }
  }
}

const tooLate = (withinMs: number) => new CameraError('stalled',
  `The camera sent no picture within ${withinMs / 1000} s`)
