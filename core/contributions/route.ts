import type { FastifyReply } from 'fastify'
import type { Static, TObject, TSchema } from 'typebox'
import type { AnyOperation, OutputOf } from '../kernel/types.js'
import type { Mapping } from './mapping.js'
import { unknownName } from '../util/validate.js'

declare module 'prnd' {
  interface Contributions { routes: Route }
}

/** Prefix of every contributed route. */
export const API_PREFIX = '/api'

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

/** One HTTP route over an operation. */
export type Route = Readonly<RouteBinding<AnyOperation, TObject>> & { readonly operation: AnyOperation }

/** The compiler keeps it complete. */
const MEMBERS = {
  params: true,
  input: true,
  method: true,
  path: true,
  tag: true,
  summary: true,
  reply: true,
  body: true,
  etag: true,
  answers: true,
  errors: true,
  writesWith: true
} satisfies Record<keyof RouteBinding<AnyOperation, TObject>, true>

/**
 * Gives an operation its HTTP name and wire shape.
 * @throws TypeError for a member that routes do not have
 */
export function route<Op extends AnyOperation, P extends TObject = TObject> (
  operation: Op, binding: RouteBinding<Op, P>): Route {
  const problem = unknownName('member', Object.keys(binding), Object.keys(MEMBERS))
  if (problem !== undefined) throw new TypeError(`Route '${binding.method} ${binding.path}': ${problem}`)
  return Object.freeze({ ...binding, operation }) as unknown as Route
}
