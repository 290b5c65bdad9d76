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
  /** Suggestions for the text typed so far. */
  readonly complete?: (kernel: Kernel, typed: string) => readonly string[]
}

export interface ToolClient {
  readonly info: Implementation | undefined
  /** What the client supports: `elicitation`, `sampling`, `roots`. */
  readonly capabilities: ClientCapabilities
}

export interface AskOptions {
  /** Time limit for the client or its user, ms; only up to revision 2025-11-25. @default 60000 */
  readonly timeoutMs?: number
  /** Name of the question in the protocol since revision 2026-07-28. @default `question_` and its number */
  readonly name?: string
}

/**
 * Asks the client with `elicitation/create`, `sampling/createMessage` or `roots/list`.
 *
 * Up to revision 2025-11-25 the handler waits for the answer. Since 2026-07-28 the question is the result of the call,
 * and the client calls again with the answer: this function throws, the handler ends there and later runs again from
 * the start. So ask before changing anything, always in the same order, and let the exception pass. Questions asked
 * concurrently reach the client together.
 * @throws if the client lacks the capability, refuses, disconnects, or takes too long
 */
export type AskClient = <T>(method: string, params: object, options?: AskOptions) => Promise<T>

/** What a prompt may use. */
export interface PromptContext {
  readonly client: ToolClient
  /** Aborted when the client cancels or disconnects. */
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

/** What a raw tool may use. */
export interface RawToolContext {
  readonly kernel: Kernel
  /** Aborted when the client cancels or disconnects, and at shutdown. */
  readonly signal: AbortSignal
  readonly client: ToolClient
  /** Sent only to a client that requested progress; `done` must grow from call to call. */
  progress (done: number, total?: number, message?: string): void
  /** Sent unless the client set a higher log level. */
  log (level: LoggingLevel, data: unknown): void
  readonly request: AskClient
  /**
   * Closes the connection of this call while the work continues: the client reconnects for the result. Does nothing
   * if the client or the transport does not support that.
   */
  closeStream (): void
}

/** A tool with its own schema and kinds of content, for what an operation cannot express. */
export interface RawTool {
  /** Missing annotations are derived from the effect. Arguments are validated against `inputSchema`. */
  readonly definition: ToolDefinition
  /** As for an operation: `write` and `destructive` require `user_permission` and are hidden by `readOnly`. */
  readonly effect: Effect
  /** What the user must agree to; required for write and destructive. */
  readonly consequence?: string
  /** As for an operation: `trusted` for what affects the host or whom the service trusts. @default 'network' */
  readonly access?: AccessLevel
  readonly run: (args: Readonly<Record<string, unknown>>, context: RawToolContext) =>
    CallToolResult | Promise<CallToolResult>
}

const MEMBERS = {
  definition: true, effect: true, consequence: true, access: true, run: true
} satisfies Record<keyof RawTool, true>

/** @throws TypeError for an unknown member, or for a tool that changes a printer without stating its consequence */
export function defineRawTool (tool: RawTool): RawTool {
  const problem = unknownName('member', Object.keys(tool), Object.keys(MEMBERS))
  if (problem !== undefined) throw new TypeError(`Tool '${tool.definition.name}': ${problem}`)
  if (policy[tool.effect].permission && tool.consequence === undefined) {
    throw new TypeError(`Tool '${tool.definition.name}' changes a printer and must state its consequence`)
  }
  return Object.freeze(tool)
}
