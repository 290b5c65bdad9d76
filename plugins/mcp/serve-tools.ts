import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError, type CallToolResult, type LoggingLevel
} from '@modelcontextprotocol/sdk/types.js'
import { checkAccess, type Kernel } from '../../core/index.js'
import { callTool } from './call.js'
import type { ServedRawTool } from './catalogue.js'
import { callRaw, rawContext } from './raw-tools.js'
import { handle, type Extra } from './requests.js'
import { redacted } from './error-text.js'
import type { SenderOf, ServerContext } from './types.js'

/** Lists and calls tools. */
export function serveTools (server: Server, { kernel, tools, rawTools, envelope, clientRegistry }: ServerContext,
  senderOf: SenderOf): void {
  const definitions = [...tools.values(), ...rawTools.values()].map(({ definition }) => definition)
  handle(server, ListToolsRequestSchema, () => ({ tools: definitions }))

  async function runRaw (raw: ServedRawTool, name: string, args: Record<string, unknown>, extra: Extra) {
    const client = { info: server.getClientVersion(), capabilities: server.getClientCapabilities() ?? {} }
    const log = (level: LoggingLevel, data: unknown) => {
      if (clientRegistry.wantsLevel(server, level) === false) return
      const params = { level, logger: name, data: redacted(data ?? null, kernel.redact) }
      extra.sendNotification({ method: 'notifications/message', params }).catch(ignore)
    }
    const { access = 'network' } = raw.raw
    const check = () => checkAccess(kernel, name, access, senderOf(extra).caller)
    const context = rawContext({ kernel, extra, client, log, progress: reporter(extra, kernel) })
    return await callRaw(raw, args, context, check)
  }

  async function call (name: string, args: Record<string, unknown>, extra: Extra): Promise<CallToolResult> {
    const tool = tools.get(name)
    const { signal } = extra
    if (tool) {
      const progress = reporter(extra, kernel)
      return await callTool(tool, args, { ...senderOf(extra), kernel, envelope, signal, progress })
    }
    const raw = rawTools.get(name)
    if (raw) return await runRaw(raw, name, args, extra)
    throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${name}`)
  }

  handle(server, CallToolRequestSchema,
    ({ params: { name, arguments: args = {} } }, extra) => call(name, args, extra))
}

const ignore = () => {} // the client may be gone

/** Passes progress on to a client that asked for it. The protocol wants numbers that grow. */
function reporter (extra: Extra, { redact }: Kernel) {
  const progressToken = extra._meta?.progressToken
  let last = -Infinity
  return (progress: number, total?: number, message?: string) => {
    if (progressToken === undefined || !(progress > last)) return
    last = progress
    const more = { ...(total !== undefined && { total }), ...(message !== undefined && { message: redact(message) }) }
    extra.sendNotification({ method: 'notifications/progress', params: { progressToken, progress, ...more } })
      .catch(ignore)
  }
}
