import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import fastify, { type FastifyInstance, type FastifySchema, type RouteOptions } from 'fastify'
import { readPageFile, Rehearsal, type Route } from '../../core/index.js'
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

const { 'x-name': _name, ...DRY_RUN_ANSWER } = Rehearsal as typeof Rehearsal & { 'x-name'?: string }

/**
 * The library's document is not yet valid OpenAPI 3.0, and verbose. What dry runs answer is said once, as an extension:
 * as a second answer of each write, generated clients would have to tell two kinds of success apart at every call.
 */
export const finished = (document: unknown): Record<string, unknown> =>
  normaliseBodies(withComponents(
    normaliseSchemas({ ...document as object, 'x-dry-run': DRY_RUN_ANSWER }) as Record<string, unknown>))

type Fields = Readonly<Record<string, unknown>>

const PARAMETER = {
  type: 'boolean',
  default: false,
  description: 'true: do nothing, and say what would happen or why it would be refused, as x-dry-run of this document.'
}

/** Adds the dry run to the description of a write, and of a read with parameters that make it one. */
function withDryRun (schema: FastifySchema, route: Route | undefined): FastifySchema {
  if (route === undefined || (route.operation.effect === 'read' && route.writesWith === undefined)) return schema
  const { querystring } = schema as { querystring?: Fields }
  const properties = { ...querystring?.properties as Fields | undefined, dry_run: PARAMETER }
  return { ...schema, querystring: { type: 'object', ...querystring, properties } }
}

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
    const described = schema && withDryRun(schema, config?.route)
    explorer.route({
      method, url, handler: async () => {}, ...(described && { schema: described }), ...(config && { config })
    })
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
