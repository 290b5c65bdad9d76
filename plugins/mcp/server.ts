import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema, CompleteRequestSchema, ErrorCode, GetPromptRequestSchema, ListPromptsRequestSchema,
  ListResourcesRequestSchema, ListResourceTemplatesRequestSchema, ListToolsRequestSchema, McpError,
  ReadResourceRequestSchema, ResultSchema, SubscribeRequestSchema, UnsubscribeRequestSchema,
  type CallToolResult, type ServerNotification, type ServerRequest
} from '@modelcontextprotocol/sdk/types.js'
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import type { Kernel } from '../../core/index.js'
import { callTool } from './call.js'
import type { ServedTool } from './catalogue.js'
import { completePart } from './completion.js'
import type { Prompt, RawTool } from './contributions.js'
import { INSTRUCTIONS } from './instructions.js'
import type { ResourceDesk } from './resource-desk.js'

/** What every session serves. */
export interface Offer {
  readonly kernel: Kernel
  readonly tools: ReadonlyMap<string, ServedTool>
  readonly rawTools: ReadonlyMap<string, RawTool>
  readonly prompts: ReadonlyMap<string, Prompt>
  readonly resources: ResourceDesk
  readonly envelope: boolean
}

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>

/** One protocol server; each session has its own. */
// The low-level class is the one that takes JSON Schema as it is.

export function createServer (offer: Offer): Server {
  const { kernel } = offer

  const server = new Server({ name: 'prn', title: 'prn printer service', version: kernel.version }, {
    instructions: INSTRUCTIONS,
    capabilities: {
      tools: {},
      prompts: {},
      resources: { subscribe: true },
      completions: {},
      logging: {}
    }
  })
  serveTools(server, offer)
  servePrompts(server, offer)
  serveResources(server, offer)
  return server
}

function serveTools (server: Server, { kernel, tools, rawTools, envelope }: Offer): void {
  const definitions = [...tools.values(), ...rawTools.values()].map(({ definition }) => definition)
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: definitions }))

  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: args = {} } }, extra) => {
    const tool = tools.get(name)
    if (tool) return await callTool(tool, args, { kernel, envelope, signal: extra.signal, progress: reporter(extra) })
    const raw = rawTools.get(name)
    if (raw) return await callRaw(raw, args, kernel, server, extra)
    throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${name}`)
  })
}

/** Passes progress on to a client that asked for it. */
function reporter (extra: Extra) {
  const progressToken = extra._meta?.progressToken
  return (progress: number, total?: number, message?: string) => {
    if (progressToken === undefined) return
    const more = { ...(total !== undefined && { total }), ...(message !== undefined && { message }) }
    extra.sendNotification({ method: 'notifications/progress', params: { progressToken, progress, ...more } })
      .catch(() => {}) // the client may be gone
  }
}

async function callRaw (tool: RawTool, args: Record<string, unknown>, kernel: Kernel, server: Server,
  extra: Extra): Promise<CallToolResult> {
  const report = reporter(extra)
  try {
    return await tool.run(args, {
      kernel,
      signal: extra.signal,
      progress: async (done, total, message) => { report(done, total, message) },
      log: async (level, data) => {
        await extra.sendNotification({ method: 'notifications/message', params: { level, logger: tool.definition.name, data } })
      },
      request: async <T>(method: string, params: object) =>
        await extra.sendRequest({ method, params } as ServerRequest, ResultSchema) as T
    })
  } catch (error) {
    const text = kernel.redact(`Error running ${tool.definition.name}: ${(error as Error).message}`)
    return { content: [{ type: 'text', text }], isError: true }
  }
}

function servePrompts (server: Server, { kernel, prompts, resources }: Offer): void {
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: [...prompts.values()].map(({ name, title, description, arguments: args = [] }) => ({
      name,
      ...(title !== undefined && { title }),
      description,
      arguments: args.map(({ name, description, required = false }) => ({ name, description, required }))
    }))
  }))

  server.setRequestHandler(GetPromptRequestSchema, async ({ params: { name, arguments: args = {} } }) => {
    const prompt = prompts.get(name)
    if (!prompt) throw new McpError(ErrorCode.InvalidParams, `Unknown prompt: ${name}`)
    const missing = prompt.arguments?.find(argument => argument.required && !args[argument.name])
    if (missing) throw new McpError(ErrorCode.InvalidParams, `Prompt '${name}' needs the argument '${missing.name}'`)
    return { description: prompt.description, messages: await prompt.get(kernel, args) }
  })

  server.setRequestHandler(CompleteRequestSchema, ({ params: { ref, argument } }) => {
    const values = ref.type === 'ref/prompt'
      ? completePart(kernel, prompts.get(ref.name), argument)
      : resources.complete(ref.uri, argument.value)
    return { completion: { values: values.slice(0, 100), total: values.length, hasMore: values.length > 100 } }
  })
}

function serveResources (server: Server, { resources }: Offer): void {
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: resources.list() }))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: resources.templates() }))

  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    const contents = await resources.read(uri)
    if (!contents) throw new McpError(-32002, `Resource not found: ${uri}`, { uri })
    return { contents: [contents] }
  })

  const update = (uri: string) => server.sendResourceUpdated({ uri })
  server.setRequestHandler(SubscribeRequestSchema, ({ params: { uri } }) => {
    resources.subscribe(server, uri, update)
    return {}
  })
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params: { uri } }) => {
    resources.unsubscribe(server, uri)
    return {}
  })
}
