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
  /** Below the API's prefix, such as `/climate`. May contain parameters: `/history/:id`. */
  path: string
  /** Group in the documentation; defaults to the plugin's name. */
  tag?: string
  summary?: string
  /** Converts the output to the body; by default the body is the output. */
  reply?: (output: OutputOf<Op>, params: Static<P>, response: FastifyReply) => unknown
  /** Shape of the body, when `reply` changes it. */
  body?: TSchema
  /**
   * Adds an ETag to large answers, so that unchanged ones are answered with 304. Only where 304 has no other meaning.
   */
  etag?: boolean
  /** Responses with other status codes that are no failures, or failures in a format of their own. */
  answers?: Readonly<Record<number, { readonly description: string, readonly body?: TSchema }>>
  /** `text`: the `error` member of a failure is the message instead of the code. */
  errors?: 'text'
  /** Parameters that make a read route write something: a request with one of them needs write access. */
  writesWith?: readonly string[]
}

/** An HTTP route for an operation. */
export type Route = Readonly<RouteBinding<AnyOperation, TObject>> & { readonly operation: AnyOperation }

/** Typed so that it must list all members. */
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
 * Binds an operation to an HTTP route.
 * @throws TypeError for an unknown member
 */
export function route<Op extends AnyOperation, P extends TObject = TObject> (
  operation: Op, binding: RouteBinding<Op, P>): Route {
  const problem = unknownName('member', Object.keys(binding), Object.keys(MEMBERS))
  if (problem !== undefined) throw new TypeError(`Route '${binding.method} ${binding.path}': ${problem}`)
  return Object.freeze({ ...binding, operation }) as unknown as Route
}
