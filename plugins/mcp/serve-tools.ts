import {
  CallToolRequestSchema, ListToolsRequestSchema, type LoggingLevel, type ServerResult, type Tool as ToolDefinition
} from '@modelcontextprotocol/sdk/types.js'
import {
  AllPrintersOnly, checkAccess, mayUse, rightsOf, Uncounted, type Caller, type Kernel
} from '../../core/index.js'
import { appMeta } from './apps.js'
import { callTool } from './call.js'
import { FIND_TOOLS, findTools, findToolsDefinition, foundAnswer, FoundSchema } from './find-tools.js'
import type { ServedRawTool } from './served-tools.js'
import { redacted } from './error-text.js'
import { callRaw, rawContext } from './raw-tools.js'
import { defineMethod, type ClientRequest, type Method } from './requests.js'
import { INVALID_PARAMS, RpcError } from './rpc-error.js'
import { reportStillWorking } from './still-working.js'
import type { ServerContext } from './types.js'

/** Lists and calls tools. */
export function toolMethods (serverContext: ServerContext): Method[] {
  const { kernel, tools, rawTools, apps, envelope, outputSchemas, listed, listFound } = serverContext
  const definitions = [...tools.values(), ...rawTools.values()].map(({ definition }) => definition)
  /** With what only some clients are listed: pages, and schemas of answers. */
  function listedFor ({ showsApps, knowsSchemas }: ClientRequest, definition: ToolDefinition): ToolDefinition {
    const { name } = definition
    const app = showsApps ? apps.find(app => app.tools.includes(name)) : undefined
    const schema = outputSchemas && knowsSchemas ? tools.get(name)?.outputSchema() : undefined
    return { ...definition, ...(schema && { outputSchema: schema }), ...(app && appMeta(app)) }
  }

  async function runRaw (raw: ServedRawTool, args: Record<string, unknown>, request: ClientRequest) {
    const { name } = raw.definition
    const log = (level: LoggingLevel, data: unknown) => {
      if (!request.wantsLevel(level)) return
      const params = { level, logger: name, data: redacted(data ?? null, kernel.redact) }
      request.notify('notifications/message', params).catch(ignore)
    }
    const check = () => checkRaw(kernel, raw, request.sender.caller)
    return await reportStillWorking(reporter(request, kernel), progress =>
      callRaw(raw, args, rawContext({ kernel, request, log, progress }), { check, askConsent: request.askConsent }))
  }

  async function call (name: string, args: Record<string, unknown>, request: ClientRequest): Promise<ServerResult> {
    if (listed && name === FIND_TOOLS) return await find(args, request)
    const tool = tools.get(name)
    const { signal, askConsent } = request
    const progress = reporter(request, kernel)
    if (tool) {
      const listsSchemas = outputSchemas && request.knowsSchemas
      const context = { ...request.sender, kernel, envelope, listsSchemas, signal, progress, askConsent }
      return await callTool(tool, args, context)
    }
    const raw = rawTools.get(name)
    if (raw) return await runRaw(raw, args, request)
    throw new RpcError(INVALID_PARAMS, `Unknown tool: ${name}`)
  }

  /** Authenticated callers are offered only what their role allows; others learn it when they call. */
  function offeredTo (caller: Caller | undefined, all: typeof definitions) {
    const rights = rightsOf(caller)
    const known = all.filter(({ name }) => tools.get(name)?.binding.listedFor?.(rights) ?? true)
    if (rights === undefined) return known
    return known.filter(({ name }) => {
      const tool = tools.get(name)
      const raw = rawTools.get(name)
      return tool ? mayUse(kernel, tool.binding.operation, caller, tool.effect) : raw && mayUseRaw(kernel, raw, caller)
    })
  }

  async function find ({ words }: Record<string, unknown>, request: ClientRequest): Promise<ServerResult> {
    const { sender, notify, knowsSchemas } = request
    const wanted = typeof words === 'string' ? words : ''
    const found = findTools(offeredTo(sender.caller, definitions), wanted, listed)
    listFound?.(found.map(({ name }) => name))
    if (listFound && found.length > 0) await notify('notifications/tools/list_changed', {}).catch(ignore)
    return foundAnswer(found.map(definition => listedFor(request, definition)), wanted, outputSchemas && knowsSchemas)
  }

  /** Those found on demand are not listed before. */
  function listedTo (request: ClientRequest): ToolDefinition[] {
    const offered = offeredTo(request.sender.caller, definitions).map(definition => listedFor(request, definition))
    if (listed === undefined) return offered
    const isAtFirst = (name: string) => listed.has(name) || tools.get(name)?.binding.listedFor !== undefined
    const schema = outputSchemas && request.knowsSchemas ? { outputSchema: FoundSchema } : {}
    return [{ ...findToolsDefinition, ...schema }, ...offered.filter(({ name }) => isAtFirst(name))]
  }

  return [
    defineMethod(ListToolsRequestSchema, (_, request) => ({ tools: listedTo(request) })),
    defineMethod(CallToolRequestSchema, ({ name, arguments: args = {} }, request) => call(name, args, request))
  ]
}

/** @throws PRN_ERR_TRUSTED_ONLY, PRN_ERR_ROLE_TOO_LOW, PRN_ERR_ALL_PRINTERS_ONLY */
function checkRaw (kernel: Kernel, { raw: { access = 'network', effect }, definition: { name } }: ServedRawTool,
  caller: Caller | undefined): void {
  checkAccess(kernel, name, access, caller, effect)
  const rights = rightsOf(caller)
  if (rights?.budget && effect !== 'read' && effect !== 'local') throw new Uncounted(name, rights.name)
  if (rights?.printers !== undefined) throw new AllPrintersOnly(name, rights.name) // may affect others
}

function mayUseRaw (kernel: Kernel, raw: ServedRawTool, caller: Caller | undefined): boolean {
  try {
    checkRaw(kernel, raw, caller)
    return true
  } catch {
    return false
  }
}

const ignore = () => {} // the client may have disconnected

/** Sends progress to a client that requested it. The protocol requires increasing numbers. */
function reporter ({ progressToken, notify }: ClientRequest, { redact }: Kernel) {
  let last = -Infinity
  return (progress: number, total?: number, message?: string) => {
    if (progressToken === undefined || !(progress > last)) return
    last = progress
    const more = { ...(total !== undefined && { total }), ...(message !== undefined && { message: redact(message) }) }
    notify('notifications/progress', { progressToken, progress, ...more }).catch(ignore)
  }
}
