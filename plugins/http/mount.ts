import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { BadInput, jsonBytes, type CallOptions, type Kernel, type Route } from '../../core/index.js'
import type { Dialect } from './dialect.js'
import { routeSchema } from './schema.js'
import { readParams, textParam, type Sources } from './params.js'

/** Prefix of every contributed route. */
export const API_PREFIX = '/api'

declare module 'fastify' {
  interface FastifyContextConfig { readonly face?: Route }
}

const NOTHING: Readonly<Record<string, unknown>> = Object.freeze({})
const FORM = /^\s*(application\/x-www-form-urlencoded|multipart\/form-data)/i
const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The parameters of a request as they came.
 * @throws PRN_ERR_BAD_INPUT for a JSON body that is no object
 */
export function sourcesOf (request: FastifyRequest): Sources {
  if (request.body !== undefined && request.body !== null && !isFields(request.body)) {
    throw new BadInput('The body must be a JSON object')
  }
  const body = isFields(request.body) ? request.body : NOTHING
  const isForm = FORM.test(request.headers['content-type'] ?? '')
  return {
    query: request.query as Sources['query'],
    form: isForm ? body : NOTHING,
    json: isForm ? NOTHING : body
  }
}

/**
 * What a request tells the operation. A class, as an object with a getter of its own costs a hidden class for each
 * request, and these keep the requests alive for a long time.
 */
class Caller implements CallOptions {
  readonly printer: string | undefined
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply

  constructor (printer: string | undefined, request: FastifyRequest, reply: FastifyReply) {
    this.printer = printer
    this.#request = request
    this.#reply = reply
  }

  get log () { return this.#request.log }

  /** Aborted when the caller goes away before the answer; made only if somebody asks for it. */
  get signal (): AbortSignal {
    const controller = new AbortController()
    this.#reply.raw.once('close', () => controller.abort(new Error('the caller went away')))
    return controller.signal
  }
}

export function sendJson (reply: FastifyReply, body: unknown, redact: (text: string) => string): FastifyReply {
  return reply.header('content-type', 'application/json; charset=utf-8').header('cache-control', 'no-store')
    .send(jsonBytes(body, redact))
}

/** Serves contributed routes: read the parameters, call the operation, render the outcome. */
export function mountRoutes (app: FastifyInstance, kernel: Kernel, routes: readonly Route[], dialect: Dialect): void {
  for (const face of routes) {
    const { operation, input, params: schema = operation.input, reply: render } = face
    const part = kernel.isolation.part(kernel.originOf(face), 'route', `${face.method} ${face.path}`)
    app.route({
      method: face.method,
      url: API_PREFIX + face.path,
      config: { face },
      schema: routeSchema(face, kernel.originOf(face) ?? 'api', dialect),
      exposeHeadRoute: operation.effect === 'read', // asking for the head alone must not act
      validatorCompiler: () => () => true, // readParams is the one check
      serializerCompiler: () => data => JSON.stringify(data),
      handler: async (request, response) => {
        const sources = sourcesOf(request)
        const params = readParams(schema, sources)
        const printer = dialect.onePrinter === true ? undefined : textParam(sources, 'printer')
        const given = input ? part.run(() => input(params)) : params
        const output = await kernel.call(operation, given, new Caller(printer, request, response))
        const body = render ? part.run(() => render(output, params, response)) : output
        if (response.sent || body === response) return response
        return sendJson(response, dialect.success(body, face), kernel.redact)
      }
    })
  }
}
