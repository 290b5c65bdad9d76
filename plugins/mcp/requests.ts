import type { LoggingLevel, ServerResult } from '@modelcontextprotocol/sdk/types.js'
import type { z } from 'zod'
import type { AskConsent } from './consent.js'
import type { AskClient, RawToolContext, ToolClient } from './contributions.js'
import { INVALID_PARAMS, RpcError } from './rpc-error.js'
import type { Sender } from './types.js'

/** A client's request, independent of the protocol revision. */
export interface ClientRequest {
  readonly sender: Sender
  readonly client: ToolClient
  /** The client can show pages next to tool results. */
  readonly showsApps: boolean
  /** Its revision has structured content and output schemas. */
  readonly knowsSchemas: boolean
  /** Aborted when the client cancels or disconnects. */
  readonly signal: AbortSignal
  /** The client's token for progress notifications; undefined if it requested none. */
  readonly progressToken: string | number | undefined
  /** Sends a notification before the answer. */
  notify (method: string, params: Record<string, unknown>): Promise<void>
  /** Whether the client wants log messages of this level. */
  wantsLevel (level: LoggingLevel): boolean
  readonly ask: AskClient
  readonly closeStream: RawToolContext['closeStream']
  /** Undefined if the client cannot ask its user. */
  readonly askConsent: AskConsent | undefined
}

export interface Method {
  readonly name: string
  /** @throws RpcError */
  run (params: unknown, request: ClientRequest): ServerResult | Promise<ServerResult>
}

type RequestSchema = z.ZodObject<{ method: z.ZodLiteral<string>, params: z.ZodType }>

/**
 * A method with its schema. The libraries would report parameters that violate it as an internal error; here they are
 * `invalid params`, naming the first one that is wrong.
 */
export function defineMethod<S extends RequestSchema> (schema: S,
  handler: (params: z.output<S>['params'], request: ClientRequest) => ServerResult | Promise<ServerResult>): Method {
  const { value: name } = schema.shape.method
  return {
    name,
    run (params, request) {
      const { success, data, error } = schema.safeParse({ method: name, params })
      if (success) return handler(data.params, request)
      throw new RpcError(INVALID_PARAMS, sentence(error))
    }
  }
}

function sentence ({ issues: [first] }: z.ZodError): string {
  const place = first?.path.join('.') ?? ''
  return `${place === '' ? 'the request' : place}: ${first?.message ?? 'does not fit'}`
}
