import type {
  CallToolResult, ClientCapabilities, GetPromptResult, Implementation, LoggingLevel, Tool as ToolDefinition
} from '@modelcontextprotocol/sdk/types.js'
import { policy, unknownName, type Effect, type Kernel, type AccessLevel } from '../../core/index.js'

declare module 'prnd' {
  interface Contributions {
    prompts: Prompt
    rawTools: RawTool
  }
}

export interface PromptArgument {
  readonly name: string
  readonly description: string
  readonly required?: boolean
  /** Suggestions for what was typed so far. */
  readonly complete?: (kernel: Kernel, typed: string) => readonly string[]
}

/** Who is calling. */
export interface ToolClient {
  readonly info: Implementation | undefined
  /** What it can be asked for: `elicitation`, `sampling`, `roots`. */
  readonly capabilities: ClientCapabilities
}

export interface AskOptions {
  /** How long the client, or the person before it, may take: up to revision 2025-11-25. @default 60000 */
  readonly timeoutMs?: number
  /** What the question is called between service and client since revision 2026-07-28. @default its place among them */
  readonly name?: string
}

/**
 * Asks the client by `elicitation/create`, `sampling/createMessage` or `roots/list`.
 *
 * Up to revision 2025-11-25 the work waits for the answer. Since 2026-07-28 the client is asked by the answer of the
 * call and calls again: this throws, the work ends there, and is done anew with the answers known. So ask before
 * anything is changed, in the same order, and let what is thrown pass. Questions put together are asked together.
 * @throws when the client has no such capability, refuses, leaves, or takes too long
 */
export type AskClient = <T>(method: string, params: object, options?: AskOptions) => Promise<T>

/** What a prompt may do beside answering. */
export interface PromptContext {
  readonly client: ToolClient
  /** Aborted when the client cancels or leaves. */
  readonly signal: AbortSignal
  readonly request: AskClient
}

/** A ready-made opening for an agent. */
export interface Prompt {
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly arguments?: readonly PromptArgument[]
  readonly get: (kernel: Kernel, args: Readonly<Record<string, string>>, context: PromptContext) =>
    GetPromptResult['messages'] | Promise<GetPromptResult['messages']>
}
export const definePrompt = (prompt: Prompt): Prompt => Object.freeze(prompt)

/** What a raw tool may do beside answering. */
export interface RawToolContext {
  readonly kernel: Kernel
  /** Aborted when the client cancels or leaves, and at shutdown. */
  readonly signal: AbortSignal
  readonly client: ToolClient
  /** Heard by a client that asked for it; `done` must grow from call to call. */
  progress (done: number, total?: number, message?: string): void
  /** Heard unless the client asked for weightier messages only. */
  log (level: LoggingLevel, data: unknown): void
  readonly request: AskClient
  /**
   * Lets the connection of this call go while the work goes on: the client comes back for the answer. Does
   * nothing where client or transport cannot do that.
   */
  closeStream (): void
}

/** A tool with its own schema and its own kinds of content, for what an operation cannot express. */
export interface RawTool {
  /** Annotations left out follow from the effect. Arguments are checked against `inputSchema`. */
  readonly definition: ToolDefinition
  /** As of an operation: `write` and `destructive` ask for `user_permission` and vanish with `readOnly`. */
  readonly effect: Effect
  /** What the user must agree to; required for write and destructive. */
  readonly consequence?: string
  /** As of an operation: `trusted` for what touches the host or what the service trusts. @default 'network' */
  readonly access?: AccessLevel
  readonly run: (args: Readonly<Record<string, unknown>>, context: RawToolContext) =>
    CallToolResult | Promise<CallToolResult>
}

const MEMBERS = {
  definition: true, effect: true, consequence: true, access: true, run: true
} satisfies Record<keyof RawTool, true>

/** @throws TypeError for a member that tools do not have, and for one that changes a printer without its consequence */
export function defineRawTool (tool: RawTool): RawTool {
  const problem = unknownName('member', Object.keys(tool), Object.keys(MEMBERS))
  if (problem !== undefined) throw new TypeError(`Tool '${tool.definition.name}': ${problem}`)
  if (policy[tool.effect].permission && tool.consequence === undefined) {
    throw new TypeError(`Tool '${tool.definition.name}' changes a printer and must state its consequence`)
  }
  return Object.freeze(tool)
}
