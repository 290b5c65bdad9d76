import type { FastifyBaseLogger } from 'fastify'
import { createEmitter, type Dispose } from '../../core/index.js'
import { CameraError, toCameraError } from './upstream/camera-error.js'

/** The one connection to the camera of a printer: made while somebody wants it, and made again when it is lost. */
export interface CameraConnection {
  /** Why nothing comes; undefined while something comes. */
  readonly problem: CameraError | undefined
  /** It is kept, or being made. */
  readonly running: boolean
  readonly consumers: number
  /** Wants it from now on. @returns the end of it; it then stays for `lingerMs` more */
  want (): (lingerMs?: number) => void
  onProblem (listener: (problem: CameraError) => void): Dispose
  /** Ends it now if nobody wants it, instead of after its lingering. */
  rest (): void
  /** For good. Resolves once nothing of it runs any more. */
  close (): Promise<void>
}

export interface CameraConnectionDeps {
  /** One connection, which always ends with a reason. @param delivered to be called when something useful came */
  readonly connect: (signal: AbortSignal, delivered: () => void) => Promise<never>
  /** Runs whenever a connection has ended. */
  readonly onDown: () => void
  /** ms before attempt number `attempt` (0 = the first retry) */
  readonly retryMs: (attempt: number, problem: CameraError) => number
  readonly log: FastifyBaseLogger
}

export function createCameraConnection ({ connect, onDown, retryMs, log }: CameraConnectionDeps): CameraConnection {
  const events = createEmitter<{ problem: [problem: CameraError] }>(
    error => log.error({ err: error }, 'camera listener failed'))
  let consumers = 0
  let problem: CameraError | undefined
  let failures = 0
  let controller: AbortController | undefined
  let running: Promise<void> | undefined
  let wake = () => {}
  let linger: NodeJS.Timeout | undefined
  let closed = false

  const delivered = () => {
    problem = undefined
    failures = 0
  }

  async function once (signal: AbortSignal): Promise<void> {
    try {
      await connect(signal, () => { if (!signal.aborted) delivered() })
    } catch (error) {
      if (signal.aborted) return
      const isNews = problem === undefined
      problem = toCameraError(error)
      if (isNews) log.warn({ problem: problem.kind }, problem.message)
      events.emit('problem', problem)
    } finally {
      onDown()
    }
  }

  async function run (signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await once(signal)
      if (signal.aborted || problem === undefined) continue
      await pause(retryMs(failures++, problem), signal)
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
    problem = undefined
    onDown()
  }

  return {
    get problem () { return problem },
    get running () { return controller !== undefined },
    get consumers () { return consumers },
    want () {
      consumers++
      start()
      wake()
      let released = false
      return (lingerMs = 0) => {
        if (released) return
        released = true
        consumers--
        if (consumers > 0 || closed) return
        if (lingerMs === 0) stop()
        else linger = setTimeout(stop, lingerMs).unref()
      }
    },
    onProblem: listener => events.on('problem', listener),
    rest () { if (consumers === 0) stop() },
    async close () {
      closed = true
      stop()
      events.emit('problem', new CameraError('unreachable', 'The session of this printer was ended'))
      await running
    }
  }
}

/** What to wait for, and for how long. */
export interface FirstOptions {
  readonly withinMs: number
  readonly signal: AbortSignal
}

/**
 * The first that comes over a connection.
 * @param listen calls back with it; @returns the end of listening
 * @throws CameraError at once when waiting would not help, else the last problem when the time is up
 */
export function firstOf<T> (connection: CameraConnection, { withinMs, signal }: FirstOptions,
  listen: (take: (value: T) => void) => Dispose): Promise<T> {
  return new Promise((resolve, reject) => {
    let latest: CameraError | undefined
    const settle = (done: () => void) => {
      clearTimeout(timer)
      for (const dispose of listening) dispose()
      signal.removeEventListener('abort', abort)
      done()
    }
    const abort = () => settle(() => reject(signal.reason))
    const timer = setTimeout(() => settle(() => reject(latest ?? tooLate(withinMs))), withinMs).unref()
    const listening: Dispose[] = []
    listening.push(
      listen(value => settle(() => resolve(value))),
      connection.onProblem(why => {
        latest = why
        if (why.lasting) settle(() => reject(why))
      })
    )
    signal.addEventListener('abort', abort, { once: true })
  })
}

export const tooLate = (withinMs: number) => new CameraError('stalled',
  `The camera sent no picture within ${withinMs / 1000} s`)
