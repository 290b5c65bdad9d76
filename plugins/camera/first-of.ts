import type { Dispose } from '../../core/index.js'
import type { CameraConnection } from './connection.js'
import { CameraError } from './upstream/camera-error.js'

/** Timeout and abort signal of the wait. */
export interface FirstOptions {
  readonly withinMs: number
  readonly signal: AbortSignal
}

const tooLate = (withinMs: number) => new CameraError('stalled',
  `The camera sent no picture within ${withinMs / 1000} s`)

/**
 * Waits for the first value that arrives over a connection.
 * @param listen calls back with it; @returns stops listening
 * @throws CameraError at once when waiting would not help, else the last problem on timeout
 */
export function firstOf<T> (connection: Pick<CameraConnection, 'onProblem'>, { withinMs, signal }: FirstOptions,
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
      connection.onProblem(problem => {
        latest = problem
        if (problem.lasting) settle(() => reject(problem))
      })
    )
    signal.addEventListener('abort', abort, { once: true })
  })
}
