import type { CallToolResult, GetPromptResult, Tool as ToolDefinition } from '@modelcontextprotocol/sdk/types.js'
import type { Dispose, Kernel } from '../../core/index.js'

declare module 'prn' {
  interface Contributions {
    resources: Resource
    prompts: Prompt
    rawTools: RawTool
  }
}

/** What a resource holds: text, or bytes. */
export type ResourceContent = { readonly text: string } | { readonly bytes: Uint8Array }

/** Something clients read by address and may subscribe to. */
export interface Resource {
  /** Address; a part in braces makes it a template: `prn://printers/{name}`. */
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly mimeType: string
  /** For a template: values of its part that exist now, for listing and completion. */
  readonly values?: (kernel: Kernel) => readonly string[]
  /** @returns undefined when there is no such thing */
  readonly read: (kernel: Kernel, value: string) => ResourceContent | undefined | Promise<ResourceContent | undefined>
  /** Calls `changed` with the value (empty without a template) whenever the content is another. */
  readonly watch?: (kernel: Kernel, changed: (value: string) => void) => Dispose
}
export const defineResource = (resource: Resource): Resource => Object.freeze(resource)

export interface PromptArgument {
  readonly name: string
  readonly description: string
  readonly required?: boolean
  /** Suggestions for what was typed so far. */
  readonly complete?: (kernel: Kernel, typed: string) => readonly string[]
}

/** A ready-made opening for an agent. */
export interface Prompt {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly arguments?: readonly PromptArgument[]
  readonly get: (kernel: Kernel, args: Readonly<Record<string, string>>) =>
    GetPromptResult['messages'] | Promise<GetPromptResult['messages']>
}
export const definePrompt = (prompt: Prompt): Prompt => Object.freeze(prompt)

/** What a raw tool may do beside answering. */
export interface RawToolContext {
  readonly kernel: Kernel
  readonly signal: AbortSignal
  progress (done: number, total?: number, message?: string): Promise<void>
  log (level: 'debug' | 'info' | 'warning' | 'error', data: unknown): Promise<void>
  /** Sends a request to the client and waits for its answer. */
  request<T> (method: string, params: object): Promise<T>
}

/** A tool with its own schema and its own kinds of content, for what an operation cannot express. */
export interface RawTool {
  readonly definition: ToolDefinition
  readonly run: (args: Readonly<Record<string, unknown>>, context: RawToolContext) => Promise<CallToolResult>
}
export const defineRawTool = (tool: RawTool): RawTool => Object.freeze(tool)
