import type { FastifyReply } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import { checkMembers } from './renamed.js'
import type { Pager } from './pages.js'
import type { AnyOperation, Effect, InputOf, Operation, OperationSpec, OutputOf, Scope } from './types.js'

declare module 'prnd' {
  interface Contributions {
    routes: Route
    tools: Tool
    /** Operations that neither a route nor a tool offers: other services of a fleet ask for them. */
    operations: AnyOperation
  }
}

/** What follows from an operation's effect on every surface. */
export const policy = {
  read: { permission: false, marker: '', readOnlyHint: true, destructiveHint: false },
  local: { permission: false, marker: '', readOnlyHint: false, destructiveHint: false },
  write: { permission: true, marker: '⚠ ', readOnlyHint: false, destructiveHint: false },
  destructive: { permission: true, marker: '⚠ ', readOnlyHint: false, destructiveHint: true }
} as const satisfies Record<Effect, object>

/** Defines one thing the service can do, apart from any way of asking for it. */
export function operation<I extends TObject, O extends TSchema, S extends Scope = 'printer'> (
  spec: OperationSpec<S, I, O>): Operation<S, I, O> {
  const { name, effect, consequence } = spec
  checkMembers(spec, 'operation', `Operation '${name}'`)
  if (!Object.hasOwn(policy, effect)) {
    throw new TypeError(`Operation '${name}' has an unknown effect; known are: ${Object.keys(policy).join(', ')}`)
  }
  if (policy[effect].permission && !consequence?.trim()) {
    throw new TypeError(`Operation '${name}' changes a printer and must state its consequence`)
  }
  return Object.freeze({ ...spec, scope: (spec.scope ?? 'printer') as S })
}

/** Either parameters with their translation into the operation's input, or neither: then they are the input. */
export type Mapping<Op extends AnyOperation, P extends TObject> =
  | { params: P, input: (params: Static<P>) => InputOf<Op> }
  | { params?: never, input?: never }

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export type RouteBinding<Op extends AnyOperation, P extends TObject> = Mapping<Op, P> & {
  method: Method
  /** Below the API's prefix, such as `/climate`. A parameter may stand in it: `/history/:id`. */
  path: string
  /** Group in the documentation; the plugin's name when left out. */
  tag?: string
  summary?: string
  /** Turns the output into the body; by default it is the body. */
  reply?: (output: OutputOf<Op>, params: Static<P>, response: FastifyReply) => unknown
  /** Shape of the body, when `reply` changes it. */
  body?: TSchema
  /** Large answers have an ETag, and callers that have them already get 304. Only where 304 means nothing else. */
  etag?: boolean
  /** Answers with a status of their own that tell of no failure, or of one in a form of its own. */
  answers?: Readonly<Record<number, { readonly description: string, readonly body?: TSchema }>>
  /** `text`: the `error` of a failure is its sentence instead of its code. */
  errors?: 'text'
  /** Parameters that make a reading route write something: a request that has one is judged like a write. */
  writesWith?: readonly string[]
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

/** One HTTP route over an operation. */
export type Route = Readonly<RouteBinding<AnyOperation, TObject>> & { readonly operation: AnyOperation }
/** One MCP tool over an operation. */
export type Tool = Readonly<ToolBinding<AnyOperation, TObject>> & { readonly operation: AnyOperation }

/** Gives an operation its HTTP name and wire shape. */
export const route = <Op extends AnyOperation, P extends TObject = TObject> (
  operation: Op, face: RouteBinding<Op, P>): Route =>
    Object.freeze({ ...face, operation }) as unknown as Route

/** Gives an operation its MCP name and wire shape. */
export const tool = <Op extends AnyOperation, P extends TObject = TObject> (
  operation: Op, face: ToolBinding<Op, P>): Tool => {
  checkMembers(face, 'tool', `Tool '${face.name}'`)
  return Object.freeze({ ...face, operation }) as unknown as Tool
}
