import type { Static, TObject } from 'typebox'
import type { Pager } from '../kernel/pages.js'
import type { AnyOperation, Effect, OutputOf } from '../kernel/types.js'
import type { Mapping } from './mapping.js'
import { unknownName } from '../util/validate.js'

declare module 'prnd' {
  interface Contributions { tools: Tool }
}

export type ToolBinding<Op extends AnyOperation, P extends TObject> = Mapping<Op, P> & {
  /** At most 40 characters of `[a-z0-9_]`. */
  name: string
  title?: string
  description?: string
  /** Shape of results and of errors: an object with `error`, a text starting `Error:`, a list with that object. */
  returns?: 'object' | 'text' | 'list'
  /** Shape of the answer for a printer without a session, where it differs from that of other errors. */
  absent?: 'object'
  /** `coded`: the `error` of a failure is its code, the sentence is `detail`. */
  errors?: 'coded'
  /** What a caller may add to get less, said where an answer is too long to be read: `a path or a limit`. */
  less?: string
  /**
   * The list in the answer, or how its answer is cut: where it is long it comes in parts, and the caller sends back
   * `next_cursor` as `cursor`.
   */
  pages?: string | Pager
  /** The list in an answer with a `limit` and a cursor of its own: where it is too long, fewer are asked for. */
  limited?: string
  /** Pages of MCP Apps read the structure of its lists, so long ones have it beside their text. */
  structured?: true
  /** What a text says in short, shown where the whole does not fit. */
  brief?: (output: OutputOf<Op>) => string
  /** Arguments by which a caller asks for pictures in full size in the answer itself, or for a long text whole. */
  full?: readonly string[]
  /**
   * It shows pictures: those that stand in the answer as data URIs, and those that `pictures` gives. `sized`: the
   * caller may say how large.
   */
  shows?: 'pictures' | 'sized'
  pictures?: (output: OutputOf<Op>) => readonly { readonly bytes: Uint8Array }[]
  /** What a failure interrupted, `<name>` standing for the printer: `setting the bed temperature on <name>`. */
  doing?: string
  /** Calling it twice with the same arguments is the same as once. @default true */
  idempotent?: boolean
  /** Touches only this service's memory and files. @default by effect: reads and local writes */
  closedWorld?: boolean
  /** What it counts as, where that differs from the operation's effect. */
  effect?: Effect
  /** False for the few writing tools that need no `user_permission`. */
  permission?: false
  result?: (output: OutputOf<Op>, params: Static<P>, printer: string) => unknown
}

/** One MCP tool over an operation. */
export type Tool = Readonly<ToolBinding<AnyOperation, TObject>> & { readonly operation: AnyOperation }

/** The compiler keeps it complete. */
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
  result: true
} satisfies Record<keyof ToolBinding<AnyOperation, TObject>, true>

/**
 * Gives an operation its MCP name and wire shape.
 * @throws TypeError for a member that tools do not have
 */
export function tool<Op extends AnyOperation, P extends TObject = TObject> (
  operation: Op, binding: ToolBinding<Op, P>): Tool {
  const problem = unknownName('member', Object.keys(binding), Object.keys(MEMBERS))
  if (problem !== undefined) throw new TypeError(`Tool '${binding.name}': ${problem}`)
  return Object.freeze({ ...binding, operation }) as unknown as Tool
}
