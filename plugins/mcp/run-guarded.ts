import { withTimeout, type Kernel } from '../../core/index.js'
import { messageOf } from './error-text.js'

/**
 * Work of what a plugin contributed, for a client. What came by the configuration must answer in time, and what goes
 * on failing is not asked for a while.
 * @param kind such as `prompt`, for the log
 * @throws McpError in words without secrets
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
    const { ErrorCode, McpError } = await import('@modelcontextprotocol/sdk/types.js') // large: not loaded at the start
    throw new McpError(ErrorCode.InternalError, redact(messageOf(error)))
  }
}
