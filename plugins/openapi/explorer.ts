import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { asOpenApi3 } from './normalise.js'

const PAGE = '/api/docs'

/** Everything comes from here. The page writes styles into itself, which is no way in for code. */
const POLICY = "default-src 'self'; base-uri 'self'; frame-ancestors 'self'; img-src 'self' data:; object-src 'none'; " +
  "script-src 'self'; script-src-attr 'none'; style-src 'self' 'unsafe-inline'"

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
      staticCSP: POLICY,
      transformSpecification: specification => asOpenApi3(specification) as Record<string, unknown>,
      transformSpecificationClone: false
    })
  })
}
