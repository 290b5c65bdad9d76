import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { hostOf } from '../http/index.js'
import { rpcError } from './refusals.js'
import { INTERNAL_ERROR } from './rpc-error.js'
import type { Sender, SenderOf, ServerContext } from './types.js'

/** Passes the sender through the protocol's libraries; it belongs to the request, not to the session. */
const authOf = (sender: Sender): AuthInfo => ({ token: '', clientId: '', scopes: [], extra: { ...sender } })
export const senderOf: SenderOf = ({ authInfo }) => authInfo?.extra as Sender | undefined ?? { caller: 'network' }

/** A hijacked reply does not send headers set by hooks. */
function copyHeaders (reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value)
  }
}

/** The type `IncomingMessage` has `method` and `url` optional; a request always has both. */
type RawRequest = IncomingMessage & { auth: AuthInfo, method: string, url: string }

type Answer = (request: RawRequest, reply: ServerResponse) => Promise<void>

/** Lets a library write the response itself. */
export async function sendRaw (request: FastifyRequest, reply: FastifyReply, { kernel }: ServerContext, answer: Answer):
Promise<FastifyReply> {
  reply.hijack()
  copyHeaders(reply)
  try {
    const { method, url } = request
    const auth = authOf({ caller: kernel.services.http.callerOf(request), host: hostOf(request) })
    await answer(Object.assign(request.raw, { auth, method, url }), reply.raw)
  } catch (error) {
    request.log.error({ err: error }, 'request failed')
    if (reply.raw.headersSent) reply.raw.destroy()
    else {
      reply.raw.writeHead(500, { 'content-type': 'application/json' })
        .end(JSON.stringify(rpcError(INTERNAL_ERROR, 'Internal error')))
    }
  }
  return reply
}
