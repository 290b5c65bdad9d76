import type { Static, TObject, TSchema, TUnknown } from 'typebox'
import type { Pager } from '../kernel/pages.js'
import type { AnyOperation, Effect, OutputOf, Rights } from '../kernel/types.js'
import type { Mapping } from './mapping.js'
import { unknownName } from '../util/validate.js'

declare module 'prnd' {
  interface Contributions { tools: Tool }
}

export type ToolBinding<Op extends AnyOperation, P extends TObject, A extends TSchema = TUnknown> = Mapping<Op, P> & {
  /** At most 40 characters of `[a-z0-9_]`. */
  name: string
  /** For people. @default the words of the name: `get_hms_errors` is "Get HMS Errors" */
  title?: string
  description?: string
  /**
   * Format of results and errors: an object with `error`, a text starting with `Error:`, or a list with that object.
   */
  returns?: 'object' | 'text' | 'list'
  /** Format of the answer for a printer without a session, if it differs from that of other errors. */
  absent?: 'object'
  /** `coded`: the `error` member of a failure is its code, and the message is in `detail`. */
  errors?: 'coded'
  /** Arguments that shorten the answer, suggested where it is too long: `a path or a limit`. */
  less?: string
  /**
   * The list in the answer, or how to split it: a long answer comes in parts, and the caller sends `next_cursor` back
   * as
   * `cursor`.
   */
  pages?: string | Pager
  /**
   * The list in an answer with a `limit` and a cursor of its own: a long answer is requested again with a lower limit.
   */
  limited?: string
  /** Pages of MCP Apps read its structured content, so a long one is included next to the text. */
  structured?: true
  /** A summary, shown if the whole text does not fit. */
  brief?: (output: OutputOf<Op>) => string
  /** Arguments that request full-size pictures in the answer itself, or the whole of a long text. */
  full?: readonly string[]
  /**
   * Its answer contains pictures: data URIs in the output, and those that `pictures` returns. `sized`: the caller may
   * choose their size.
   */
  shows?: 'pictures' | 'sized'
  pictures?: (output: OutputOf<Op>) => readonly { readonly bytes: Uint8Array }[]
  /** The action in error messages, with `<name>` for the printer: `setting the bed temperature on <name>`. */
  doing?: string
  /** Repeating a call with the same arguments has no further effect. @default true */
  idempotent?: boolean
  /** Affects only this service's memory and files. @default by effect: reads and local writes */
  closedWorld?: boolean
  /** The tool's effect, if it differs from the operation's. */
  effect?: Effect
  /** False for the few writing tools that need no `user_permission`. */
  permission?: false
  /** Callers to whom it is listed, of those that may call it; left out: all. It can be called in any case. */
  listedFor?: (rights: Rights | undefined) => boolean
  /** Listed only in the toolset of its plugin, and found by `find_tools`: the whole list stays short. */
  onRequest?: true
  result?: (output: OutputOf<Op>, params: Static<P>, printer: string) => Static<A>
  /** Shape of what `result` makes of the output, if it is an object; made of parts of the operation's schema. */
  answer?: A
}

/** An MCP tool for an operation. */
export type Tool = Readonly<ToolBinding<AnyOperation, TObject>> & { readonly operation: AnyOperation }

/** Typed so that it must list all members. */
const MEMBERS = {
  params: true,
  input: true,
  name: true,
  title: true,
  description: true,
  returns: true,
  absent: true,
  errors: true,
  less: true,
  pages: true,
  limited: true,
  structured: true,
  brief: true,
  full: true,
  shows: true,
  pictures: true,
  doing: true,
  idempotent: true,
  closedWorld: true,
  effect: true,
  permission: true,
  listedFor: true,
  onRequest: true,
  result: true,
  answer: true
} satisfies Record<keyof ToolBinding<AnyOperation, TObject>, true>

/**
 * Binds an operation to an MCP tool.
 * @throws TypeError for an unknown member
 */
export function tool<Op extends AnyOperation, P extends TObject = TObject, A extends TSchema = TUnknown> (
  operation: Op, binding: ToolBinding<Op, P, A>): Tool {
  const problem = unknownName('member', Object.keys(binding), Object.keys(MEMBERS))
  if (problem !== undefined) throw new TypeError(`Tool '${binding.name}': ${problem}`)
  return Object.freeze({ ...binding, operation }) as unknown as Tool
}
