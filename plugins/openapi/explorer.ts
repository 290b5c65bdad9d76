import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { asOpenApi3 } from './normalise.js'

const PAGE = '/api/docs'

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

/** The pages serve themselves, so the description cannot know them by itself. */
export const explorerPaths = () => ({ [PAGE]: described('getDocs'), [`${PAGE}/`]: described('getDocsSlash') })

/**
 * The page that shows the document. It has a scope of its own, as it is set up before the common error handler.
 * @param document address of the document
 */
export async function serveExplorer (app: FastifyInstance, document: string,
  fail: (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply): Promise<void> {
  await app.register(async scope => {
    scope.setErrorHandler(fail)
    await scope.register(swaggerUi, {
      routePrefix: PAGE,
      uiConfig: { url: document, docExpansion: 'none', tryItOutEnabled: false, validatorUrl: null },
      staticCSP: true,
      // A page served without TLS must not ask for its own parts with it.
      transformStaticCSP: policy => policy.replace(/\s*upgrade-insecure-requests;?/, ''),
      transformSpecification: specification => asOpenApi3(specification) as Record<string, unknown>,
      transformSpecificationClone: false
    })
  })
}
