import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import { ErrorCode, McpError, type ServerNotification, type ServerRequest, type ServerResult } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'

/** What the library knows of a request while it is handled. */
export type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>

type RequestSchema = z.ZodObject<{ method: z.ZodLiteral<string>, params: z.ZodType }>

/**
 * Handles one kind of request. The library itself would blame the server for parameters that do not fit; here
 * they are invalid parameters, and the first that is wrong is named.
 */
export function handle<S extends RequestSchema> (server: Server, schema: S,
  handler: (request: z.output<S>, extra: Extra) => ServerResult | Promise<ServerResult>): void {
  const anyParams = z.looseObject({ method: schema.shape.method, params: z.unknown().optional() })
  server.setRequestHandler(anyParams, (request, extra) => {
    const { success, data, error } = schema.safeParse(request)
    if (success) return handler(data, extra)
    throw new McpError(ErrorCode.InvalidParams, sentence(error))
  })
}

function sentence ({ issues: [first] }: z.ZodError): string {
  const place = first?.path.join('.') ?? ''
  return `${place === '' ? 'the request' : place}: ${first?.message ?? 'does not fit'}`
}
