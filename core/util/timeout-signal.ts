/**
 * Aborted after a time, and retained until then. Node garbage-collects an `AbortSignal.timeout` that only an
 * `AbortSignal.any` refers to, so that waiting for it never ends; a listener of its own retains it. The timer does not
 * keep the process alive.
 * @returns a signal whose reason is a `TimeoutError`
 */
export function timeoutSignal (ms: number): AbortSignal {
  const signal = AbortSignal.timeout(ms)
  signal.addEventListener('abort', () => {}, { once: true })
  return signal
}
