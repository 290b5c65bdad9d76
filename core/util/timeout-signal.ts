/**
 * Aborted after a time, and kept until then. Node collects an `AbortSignal.timeout` that only an `AbortSignal.any`
 * refers to, and whatever waits for that waits for ever; a listener of its own keeps it. It holds no process.
 * @returns a signal whose reason is a `TimeoutError`
 */
export function timeoutSignal (ms: number): AbortSignal {
  const signal = AbortSignal.timeout(ms)
  signal.addEventListener('abort', () => {}, { once: true })
  return signal
}
