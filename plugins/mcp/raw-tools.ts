import { CallToolResultSchema, type CallToolResult, type ServerResult } from '@modelcontextprotocol/sdk/types.js'
import { validationError, type Kernel } from '../../core/index.js'
import type { ServedRawTool } from './served-tools.js'
import { consentTo, DECLINED, NO_PERMISSION, type AskConsent } from './consent.js'
import type { RawTool, RawToolContext } from './contributions.js'
import { errorText, redacted } from './error-text.js'
import type { ClientRequest } from './requests.js'
import { Interruption } from './rpc-error.js'
import { unlessInterrupted } from './run-guarded.js'

type Arguments = Record<string, unknown>

const failed = (text: string): CallToolResult => ({ content: [{ type: 'text', text }], isError: true })

export interface RawGuards {
  /** Throws if the caller may not use the tool. */
  readonly check: () => void
  readonly askConsent: AskConsent | undefined
}

/** Calls a raw tool. Failures become results; only an Interruption is thrown. */
export async function callRaw (tool: ServedRawTool, args: Arguments, context: RawToolContext,
  { check, askConsent }: RawGuards): Promise<ServerResult> {
  const { redact } = context.kernel
  const { raw, schema, permission, definition: { name } } = tool
  const { consequence = '' } = raw
  try {
    check()
    const problem = validationError(schema, args)
    if (problem !== undefined) return failed(redact(`Error: ${problem}`))
    if (permission && args.user_permission !== true) {
      const consent = await consentTo(tool, consequence, args, { askConsent, redact })
      if (consent === 'unasked') return failed(`${NO_PERMISSION} ${consequence}`)
      if (consent === 'declined') return failed(`${DECLINED} ${consequence}`)
    }
    const { user_permission: _, ...own } = args
    const declaresFlag = Object.hasOwn(raw.definition.inputSchema.properties ?? {}, 'user_permission')
    const result = CallToolResultSchema.safeParse(await run(raw, declaresFlag ? args : own, context))
    if (!result.success) return failed(`Error running ${name}: its answer is not a tool result`)
    return redacted(result.data, redact)
  } catch (error) {
    if (error instanceof Interruption) throw error
    return failed(redact(`Error running ${name}: ${errorText(error)}`))
  }
}

/** Errors count against its plugin; a tool that keeps failing is suspended for a while. */
async function run (raw: RawTool, args: Arguments, context: RawToolContext): Promise<CallToolResult> {
  const { kernel: { pluginFaults, originOf }, signal } = context
  const guard = pluginFaults.guard(originOf(raw), 'tool', raw.definition.name)
  return await unlessInterrupted(work => guard.call(work, signal), () => raw.run(args, context))
}

export interface RawContextParts {
  readonly kernel: Kernel
  readonly request: ClientRequest
  readonly progress: RawToolContext['progress']
  readonly log: RawToolContext['log']
}

export function rawContext ({ kernel, request, progress, log }: RawContextParts): RawToolContext {
  const { client, ask, closeStream } = request
  const signal = AbortSignal.any([request.signal, kernel.signal])
  return { kernel, signal, client, progress, log, request: ask, closeStream }
}
