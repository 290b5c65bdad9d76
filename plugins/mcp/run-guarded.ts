import { withTimeout, type Kernel } from '../../core/index.js'
import { messageOf } from './error-text.js'
import { INTERNAL_ERROR, Interruption, RpcError } from './rpc-error.js'

/**
 * Work of what a plugin contributed, for a client. What came by the configuration must answer in time, and what goes
 * on failing is not asked for a while.
 * @param kind such as `prompt`, for the log
 * @throws RpcError in words without secrets
 */
export async function attempt<T> (kernel: Kernel, source: object, kind: string, name: string,
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
    throw new RpcError(INTERNAL_ERROR, redact(messageOf(error)))
  }
}

/**
 * Work that a plugin's guard looks after. An interruption passes by the guard: it is no failure of the plugin's.
 * @throws Interruption and whatever the guard lets through
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
