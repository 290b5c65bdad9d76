import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { CallToolResult, ClientCapabilities } from '@modelcontextprotocol/sdk/types.js'
import type { Kernel } from '../../core/index.js'

export type { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js'

/** The outcome of a tool call. */
export interface ToolAnswer {
  readonly result: CallToolResult
  /** Text of the first content block. */
  readonly text: string
  /** The structured content, or else the JSON in the text; of a list or a text `{ result }`. */
  readonly value: { readonly [key: string]: any }
  readonly failed: boolean
}

/**
 * The official client, connected to a kernel in this process. It lists no tools if the kernel does not load the `mcp`
 * plugin. Close it before the kernel.
 */
export async function connectClient (kernel: Kernel, info = { name: 'test', version: '1.0.0' },
  capabilities: ClientCapabilities = {}): Promise<Client> {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js')
  const client = new Client(info, { capabilities })
  const { mcp } = kernel.optional
  if (mcp === undefined) return client
  const { InMemoryTransport } = await import('@modelcontextprotocol/sdk/inMemory.js')
  const { createServer } = await import('./server.js')
  const [near, far] = InMemoryTransport.createLinkedPair()
  await createServer(mcp.serverContext).connect(far)
  await client.connect(near)
  return client
}

/** Long results are in the text only. */
function valueIn (content: CallToolResult['content'][number] | undefined): Readonly<Record<string, unknown>> {
  if (content?.type !== 'text' || !/^[{[]/.test(content.text)) return {}
  const value = JSON.parse(content.text) as Readonly<Record<string, unknown>>
  return Array.isArray(value) ? { result: value } : value
}

/** Calls a tool; a refusal is returned, not thrown. */
export async function askTool (client: Client, name: string, args: Readonly<Record<string, unknown>> = {}):
Promise<ToolAnswer> {
  const result = await client.callTool({ name, arguments: args }) as CallToolResult
  const [content] = result.content
  return {
    result,
    text: content?.type === 'text' ? content.text : '',
    value: result.structuredContent ?? valueIn(content),
    failed: result.isError === true
  }
}
