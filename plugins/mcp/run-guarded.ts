import { withTimeout, type Kernel } from '../../core/index.js'
import { messageOf } from './error-text.js'
import { INTERNAL_ERROR, RpcError } from './rpc-error.js'

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
  const answer = async () => await work()
  try {
    return await pluginFaults.guard(plugin, kind, name).call(() => mustAnswer
      ? withTimeout(limits.call, answer(), () => new Error(`no answer in ${limits.call / 1000} s`), signal)
      : answer())
  } catch (error) {
    throw new RpcError(INTERNAL_ERROR, redact(messageOf(error)))
  }
}
