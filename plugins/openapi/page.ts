import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

export const PAGE = '/api/docs'

const described = (operationId: string) => ({
  get: {
    operationId,
    summary: 'Page to explore this API',
    tags: ['System'],
    responses: {
      200: { description: 'The page', content: { 'text/html': { schema: { type: 'string' as const } } } },
      401: { description: 'A token is set and was not sent' }
    }
  }
})

/** The pages in the description. */
export const pagePaths = () => ({ [PAGE]: described('getDocs'), [`${PAGE}/`]: described('getDocsSlash') })

type Fail = (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply

/** Headers of the connection, not of the answer. */
const HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length'])

/**
 * Forwards requests for the pages to another application, which is created on the first one. They have their own
 * scope, because they are set up before the common error handler.
 */
export async function servePage (app: FastifyInstance, explore: () => Promise<FastifyInstance>, fail: Fail):
Promise<void> {
  async function answer (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { url, headers } = request
    const { statusCode, headers: found, rawPayload } = await (await explore()).inject({ method: 'GET', url, headers })
    if (statusCode === 404) {
      reply.callNotFound()
      return reply
    }
    for (const [name, value] of Object.entries(found)) if (!HOP.has(name)) reply.header(name, value)
    return reply.code(statusCode).send(rawPayload)
  }
  await app.register(async scope => {
    scope.setErrorHandler(fail)
    for (const url of [PAGE, `${PAGE}/`, `${PAGE}/*`]) scope.get(url, { schema: { hide: true } }, answer)
  })
}
