import type { FastifyBaseLogger } from 'fastify'
import { createEmitter, type Dispose } from '../../core/index.js'
import { RetryPause } from './retry-pause.js'
import { CameraError, toCameraError } from './upstream/camera-error.js'

export interface CameraConnectionDeps {
  /** Runs one connection, which always rejects with a reason. @param delivered to be called when usable data arrived */
  readonly connect: (signal: AbortSignal, delivered: () => void) => Promise<never>
  /** Runs whenever a connection has ended. */
  readonly onDown: () => void
  /** ms before attempt number `attempt` (0 = the first retry) */
  readonly retryMs: (attempt: number, problem: CameraError) => number
  readonly log: FastifyBaseLogger
}

/**
 * The only connection to a printer's camera: opened while a consumer needs it, and reopened when it is lost. There is
 * never a second one, not even while the first is still closing.
 */
export class CameraConnection {
  readonly #deps: CameraConnectionDeps
  readonly #events
  readonly #pause = new RetryPause()
  #consumers = 0
  #problem: CameraError | undefined
  /** Failed attempts since the last usable data. */
  #failures = 0
  /** Aborts the current connection; undefined while there is none. */
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

  /** Why no data arrives; undefined while it does. */
  get problem (): CameraError | undefined { return this.#problem }
  /** The connection is open or being opened. */
  get running (): boolean { return this.#controller !== undefined }
  get consumers (): number { return this.#consumers }

  /** Registers a consumer. @returns releases it; the connection then stays open for `lingerMs` more */
  want (): (lingerMs?: number) => void {
    this.#consumers++
    this.#start()
    this.#pause.end() // the cause of an earlier failure may have been removed
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

  /** Disconnects now if there is no consumer, instead of after the linger time. */
  rest (): void {
    if (this.#consumers === 0) this.#stop()
  }

  /** Ends the connection for good. Resolves once nothing of it runs any more. */
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
