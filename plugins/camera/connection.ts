import type { FastifyBaseLogger } from 'fastify'
import { createEmitter, type Dispose } from '../../core/index.js'
import { RetryPause } from './retry-pause.js'
import { CameraError, toCameraError } from './upstream/camera-error.js'

export interface CameraConnectionDeps {
  /** One connection, which always ends with a reason. @param delivered to be called when something useful came */
  readonly connect: (signal: AbortSignal, delivered: () => void) => Promise<never>
  /** Runs whenever a connection has ended. */
  readonly onDown: () => void
  /** ms before attempt number `attempt` (0 = the first retry) */
  readonly retryMs: (attempt: number, problem: CameraError) => number
  readonly log: FastifyBaseLogger
}

/**
 * The one connection to the camera of a printer: made while a consumer wants it, and made again when it is lost.
 * There is never a second one, not even while the first is still ending.
 */
export class CameraConnection {
  readonly #deps: CameraConnectionDeps
  readonly #events
  readonly #pause = new RetryPause()
  #consumers = 0
  #problem: CameraError | undefined
  /** Attempts without anything useful, since the last success. */
  #failures = 0
  /** Of the connection that is wanted now; undefined while none is. */
  #controller: AbortController | undefined
  /** Settles when the last connection has ended. */
  #ended: Promise<void> = Promise.resolve()
  #linger: NodeJS.Timeout | undefined
  #isClosed = false

  constructor (deps: CameraConnectionDeps) {
    this.#deps = deps
    this.#events = createEmitter<{ problem: [problem: CameraError] }>(
      error => deps.log.error({ err: error }, 'camera listener failed'))
  }

  /** Why nothing comes; undefined while something comes. */
  get problem (): CameraError | undefined { return this.#problem }
  /** It is up, or being made. */
  get running (): boolean { return this.#controller !== undefined }
  get consumers (): number { return this.#consumers }

  /** Wants it from now on. @returns the end of it; it then stays for `lingerMs` more */
  want (): (lingerMs?: number) => void {
    this.#consumers++
    this.#start()
    this.#pause.end() // what prevented a connection may have been put right
    let isReleased = false
    return (lingerMs = 0) => {
      if (isReleased) return
      isReleased = true
      this.#release(lingerMs)
    }
  }

  onProblem (listener: (problem: CameraError) => void): Dispose {
    return this.#events.on('problem', listener)
  }

  /** Ends it now if no consumer wants it, instead of after its lingering. */
  rest (): void {
    if (this.#consumers === 0) this.#stop()
  }

  /** For good. Resolves once nothing of it runs any more. */
  async close (): Promise<void> {
    this.#isClosed = true
    this.#stop()
    this.#events.emit('problem', new CameraError('unreachable', 'The session of this printer was ended'))
    await this.#ended
  }

  #release (lingerMs: number): void {
    this.#consumers--
    if (this.#consumers > 0 || this.#isClosed) return
    if (lingerMs === 0) this.#stop()
    else this.#linger = setTimeout(() => this.#stop(), lingerMs).unref()
  }

  #start (): void {
    clearTimeout(this.#linger)
    if (this.#isClosed || this.#controller !== undefined) return
    const { signal } = this.#controller = new AbortController()
    this.#failures = 0
    this.#ended = this.#ended.then(() => this.#run(signal))
  }

  #stop (): void {
    clearTimeout(this.#linger)
    this.#controller?.abort(new Error('no consumer wants pictures any more'))
    this.#controller = undefined
    this.#problem = undefined
    this.#deps.onDown()
  }

  async #run (signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#connect(signal)
      if (signal.aborted || this.#problem === undefined) continue
      await this.#pause.begin(this.#deps.retryMs(this.#failures++, this.#problem), signal)
    }
  }

  async #connect (signal: AbortSignal): Promise<void> {
    try {
      await this.#deps.connect(signal, () => { if (!signal.aborted) this.#delivered() })
    } catch (error) {
      if (!signal.aborted) this.#failed(toCameraError(error))
    } finally {
      this.#deps.onDown()
    }
  }

  #delivered (): void {
    this.#problem = undefined
    this.#failures = 0
  }

  #failed (problem: CameraError): void {
    if (this.#problem === undefined) this.#deps.log.warn({ problem: problem.kind }, problem.message)
    this.#problem = problem
    this.#events.emit('problem', problem)
  }
}
