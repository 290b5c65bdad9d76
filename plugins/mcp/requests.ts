import type { LoggingLevel, ServerResult } from '@modelcontextprotocol/sdk/types.js'
import type { z } from 'zod'
import type { AskConsent } from './consent.js'
import type { AskClient, RawToolContext, ToolClient } from './contributions.js'
import { INVALID_PARAMS, RpcError } from './rpc-error.js'
import type { Sender } from './types.js'

/** One request of a client, whichever revision of the protocol it speaks. */
export interface ClientRequest {
  readonly sender: Sender
  readonly client: ToolClient
  /** It shows pages beside the answers of tools. */
  readonly showsApps: boolean
  /** Aborted when the client cancels or leaves. */
  readonly signal: AbortSignal
  /** What the client calls the progress of this request; undefined when it wants none. */
  readonly progressToken: string | number | undefined
  /** Tells the client something before the answer. */
  notify (method: string, params: Record<string, unknown>): Promise<void>
  /** Whether log messages of this level are heard. */
  wantsLevel (level: LoggingLevel): boolean
  readonly ask: AskClient
  readonly closeStream: RawToolContext['closeStream']
  /** Undefined where nobody can be asked. */
  readonly askConsent: AskConsent | undefined
}

/** One method of the protocol. */
export interface Method {
  readonly name: string
  /** @throws RpcError */
  run (params: unknown, request: ClientRequest): ServerResult | Promise<ServerResult>
}

type RequestSchema = z.ZodObject<{ method: z.ZodLiteral<string>, params: z.ZodType }>

/**
 * A method with its schema. The libraries would blame the server for parameters that do not fit; here they are invalid
 * parameters, and the first that is wrong is named.
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
