import type { Kernel } from '../../core/index.js'
import { messageOf } from './error-text.js'

/** Rejects after a time, or when the service ends. */
const overdue = (ms: number, end: AbortSignal) => new Promise<never>((_resolve, reject) => {
  const late = AbortSignal.timeout(ms)
  AbortSignal.any([late, end]).addEventListener('abort', () =>
    reject(end.aborted ? end.reason : new Error(`no answer in ${ms / 1000} s`)), { once: true })
})

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
    return await pluginFaults.guard(plugin, kind, name)
      .call(() => mustAnswer ? Promise.race([answer(), overdue(limits.call, signal)]) : answer())
  } catch (error) {
    const { ErrorCode, McpError } = await import('@modelcontextprotocol/sdk/types.js') // large: not loaded at the start
    throw new McpError(ErrorCode.InternalError, redact(messageOf(error)))
  }
}
