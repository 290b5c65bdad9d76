import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import fastify, { type FastifyInstance, type RouteOptions } from 'fastify'
import { readPageFile } from '../../core/index.js'
import { withComponents } from './components.js'
import { normaliseSchemas, normaliseBodies } from './normalise.js'

/** Allows only our own files, and inline styles, which cannot run code. */
const POLICY = "default-src 'self'; base-uri 'self'; frame-ancestors 'self'; img-src 'self' data:; object-src 'none'; " +
  "script-src 'self'; script-src-attr 'none'; style-src 'self' 'unsafe-inline'"

export interface Described {
  readonly routes: readonly RouteOptions[]
  /** Named schemas that routes refer to. */
  readonly schemas: Readonly<Record<string, unknown>>
  readonly openapi: FastifyDynamicSwaggerOptions['openapi']
  /** Path of the page. */
  readonly page: string
  /** URL of the document that the page shows. */
  readonly document: string
}

/** The library's document is not yet valid OpenAPI 3.0, and verbose. */
export const finished = (document: unknown): Record<string, unknown> =>
  normaliseBodies(withComponents(normaliseSchemas(document) as Record<string, unknown>))

/**
 * A separate fastify application that knows the routes of the real one without serving them. It generates the
 * description and serves the explorer.
 */
export async function createExplorer ({ routes, schemas, openapi, page, document }: Described):
Promise<FastifyInstance> {
  const explorer = fastify({ exposeHeadRoutes: false })
  explorer.setValidatorCompiler(() => () => true)
  explorer.setSerializerCompiler(() => data => JSON.stringify(data))
  await explorer.register(swagger, { openapi: openapi ?? {}, hideUntagged: true })
  for (const schema of Object.values(schemas)) explorer.addSchema(schema)
  for (const { method, url, schema, config } of routes) {
    explorer.route({ method, url, handler: async () => {}, ...(schema && { schema }), ...(config && { config }) })
  }
  await explorer.register(swaggerUi, {
    routePrefix: page,
    uiConfig: { url: document, docExpansion: 'none', tryItOutEnabled: false, validatorUrl: null },
    staticCSP: POLICY,
    theme: {
      title: 'prnd API',
      css: [{ filename: 'prnd.css', content: readPageFile('openapi', 'explorer.css') }],
      js: [{ filename: 'prnd.js', content: readPageFile('openapi', 'explorer.js') }]
    },
    transformSpecification: finished,
    transformSpecificationClone: false
  })
  await explorer.ready()
  return explorer
}
