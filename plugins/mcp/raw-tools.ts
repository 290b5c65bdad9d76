import { CallToolResultSchema, ResultSchema, type CallToolResult, type ServerRequest } from '@modelcontextprotocol/sdk/types.js'
import { validationError, type Kernel } from '../../core/index.js'
import type { ServedRawTool } from './catalogue.js'
import type { RawTool, RawToolContext, ToolClient } from './contributions.js'
import { messageOf, redacted } from './error-text.js'
import type { Extra } from './requests.js'

type Arguments = Record<string, unknown>

const failed = (text: string): CallToolResult => ({ content: [{ type: 'text', text }], isError: true })

/**
 * Calls a raw tool. Like any other it never throws: what goes wrong inside is an answer.
 * @param check throws for a caller who may not use it
 */
export async function callRaw ({ raw, schema, permission }: ServedRawTool, args: Arguments, context: RawToolContext,
  check: () => void): Promise<CallToolResult> {
  const { redact } = context.kernel
  const { definition: { name }, consequence = '' } = raw
  try {
    check()
    const problem = validationError(schema, args)
    if (problem !== undefined) return failed(redact(`Error: ${problem}`))
    if (permission && args.user_permission !== true) {
      return failed(`Error: user_permission must be True to perform this action. ${consequence}`)
    }
    const { user_permission: _, ...own } = args
    const result = CallToolResultSchema.safeParse(await run(raw, permission ? own : args, context))
    if (!result.success) return failed(`Error running ${name}: its answer is no tool result`)
    return redacted(result.data, redact)
  } catch (error) {
    return failed(redact(`Error running ${name}: ${messageOf(error)}`))
  }
}

/** What it throws is counted for its plugin; one that goes on doing so is not asked for a while. */
async function run (raw: RawTool, args: Arguments, context: RawToolContext): Promise<CallToolResult> {
  const { kernel: { pluginFaults, originOf }, signal } = context
  return await pluginFaults.guard(originOf(raw), 'tool', raw.definition.name).call(() => raw.run(args, context), signal)
}

export interface RawContextParts {
  readonly kernel: Kernel
  readonly extra: Extra
  readonly client: ToolClient
  readonly progress: RawToolContext['progress']
  readonly log: RawToolContext['log']
}

export function rawContext ({ kernel, extra, client, progress, log }: RawContextParts): RawToolContext {
  const signal = AbortSignal.any([extra.signal, kernel.signal])
  return {
    kernel,
    signal,
    client,
    progress,
    log,
    request: async <T>(method: string, params: object, { timeoutMs }: { timeoutMs?: number } = {}) =>
      await extra.sendRequest({ method, params } as ServerRequest, ResultSchema,
        { signal, ...(timeoutMs !== undefined && { timeout: timeoutMs }) }) as T,
    closeStream: () => extra.closeSSEStream?.()
  }
}
