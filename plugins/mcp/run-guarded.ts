import { withTimeout, type Kernel } from '../../core/index.js'
import { errorText } from './error-text.js'
import { INTERNAL_ERROR, Interruption, RpcError } from './rpc-error.js'

/**
 * Runs a plugin's contribution for a client. Outside plugins have a time limit, and a contribution that keeps failing
 * is suspended for a while.
 * @param kind such as `prompt`, for the log
 * @throws RpcError with secrets masked
 */
export async function runGuarded<T> (kernel: Kernel, source: object, kind: string, name: string,
  work: () => T | Promise<T>): Promise<T> {
  const { pluginFaults, limits, redact, signal } = kernel
  const plugin = kernel.originOf(source)
  const mustAnswer = plugin !== undefined && pluginFaults.isOutside(plugin)
  const guard = pluginFaults.guard(plugin, kind, name)
  try {
    return await unlessInterrupted(answer => guard.call(() => mustAnswer
      ? withTimeout(limits.call, answer(), () => new Error(`no answer in ${limits.call / 1000} s`), signal)
      : answer()), work)
  } catch (error) {
    if (error instanceof Interruption) throw error
    throw new RpcError(INTERNAL_ERROR, redact(errorText(error)))
  }
}

/**
 * Runs work within a plugin's guard. An interruption bypasses the guard, since it is not a failure of the plugin.
 * @throws Interruption and errors that the guard passes on
 */
export async function unlessInterrupted<T> (guarded: <R>(work: () => Promise<R>) => Promise<R>,
  work: () => T | Promise<T>): Promise<T> {
  const outcome = await guarded(async () => {
    try {
      return { value: await work() }
    } catch (error) {
      if (error instanceof Interruption) return error
      throw error
    }
  })
  if (outcome instanceof Interruption) throw outcome
  return outcome.value
}
