import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import {
  API_PREFIX, BadInput, baseUrlFor, isNestedWithin, jsonBytes, MOST_LEVELS, takeUp, type AccessLevel,
  type CallOptions, type Kernel, type Route
} from '../../core/index.js'
import { hostOf } from './caller.js'
import type { Dialect } from './dialect.js'
import { routeSchema } from './schema.js'
import { isDryRun, readParams, refuseNameless, refuseUnknown, textParam, type Sources } from './params.js'
import { sendBytes } from './send-bytes.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly route?: Route
    /**
     * API description of a route that reads its parameters itself; otherwise its `schema` is used. A function is called
     * when the description is requested.
     */
    readonly openapi?: FastifySchema | (() => FastifySchema)
    /** For a route without an operation. @default 'network' */
    readonly access?: AccessLevel
    /** All of this server is about one printer: its paths stand for those below the prefix on the port of the API. */
    readonly ofPrinter?: { readonly name: string, readonly prefix: string }
    /** Answers everyone, also before a login. @default false */
    readonly isOpen?: boolean
  }
}

/** The API description of a route. */
export const describedAs = (config: FastifyContextConfig = {}, schema?: FastifySchema): FastifySchema | undefined =>
  typeof config.openapi === 'function' ? config.openapi() : config.openapi ?? schema

const NOTHING: Readonly<Record<string, unknown>> = Object.freeze({})
const FORM = /^\s*(application\/x-www-form-urlencoded|multipart\/form-data)/i
const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * The parameters of a request as received.
 * @throws PRN_ERR_BAD_INPUT for a JSON body that is not an object or is nested too deeply
 */
export function sourcesOf (request: FastifyRequest): Sources {
  if (request.body !== undefined && request.body !== null && !isFields(request.body)) {
    throw new BadInput('The body must be a JSON object')
  }
  const body = isFields(request.body) ? request.body : NOTHING
  if (!isNestedWithin(body)) throw new BadInput(`The body is nested more than ${MOST_LEVELS} levels deep`)
  const isForm = FORM.test(request.headers['content-type'] ?? '')
  return {
    path: request.params as Sources['path'],
    query: request.query as Sources['query'],
    form: isForm ? body : NOTHING,
    json: isForm ? NOTHING : body
  }
}

/**
 * Call options from a request. A class, because an object literal with getters gets a hidden class for each request,
 * which keeps the requests in memory for a long time.
 */
class Caller implements CallOptions {
  readonly surface = 'http'
  readonly printer: string | undefined
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  readonly #kernel: Kernel

  constructor (printer: string | undefined, request: FastifyRequest, reply: FastifyReply, kernel: Kernel) {
    this.printer = printer
    this.#request = request
    this.#reply = reply
    this.#kernel = kernel
  }

  get log () { return this.#request.log }
  get caller () { return this.#kernel.services.http.callerOf(this.#request) }
  get host () { return hostOf(this.#request) }

  /** Aborted when the caller disconnects before the answer; created only on access. */
  get signal (): AbortSignal {
    const controller = new AbortController()
    this.#reply.raw.once('close', () => controller.abort(new Error('the caller went away')))
    return controller.signal
  }
}

/** @param tagged large bodies get an ETag */
export function sendJson (reply: FastifyReply, body: unknown, redact: (text: string) => string, tagged = false):
FastifyReply {
  reply.header('content-type', 'application/json; charset=utf-8').header('cache-control', 'no-store')
  return sendBytes(reply, jsonBytes(body, redact), { isTagged: tagged })
}

/**
 * Whether a route ignores unknown parameters: reads, GET routes that change at most the service's own data, and those
 * whose schema allows it.
 */
const isTolerant = ({ method, operation, params = operation.input }: Route): boolean =>
  operation.effect === 'read' || (operation.effect === 'local' && method === 'GET') ||
  (params as { additionalProperties?: unknown }).additionalProperties === true

/**
 * Additional checks for the parameters of routes that change something; reads ignore unknown parameters. Every route
 * accepts `printer`, because many callers always send it.
 */
function parameterCheck (route: Route, { onePrinter = false }: Dialect) {
  const { operation, params = operation.input } = route
  const own = Object.keys(params.properties ?? {})
  const known = [...own, ...(onePrinter || own.includes('printer') ? [] : ['printer'])]
  const choosesPrinter = !onePrinter && operation.scope === 'printer' && !own.includes('printer')
  const tolerant = isTolerant(route)
  return (sources: Sources): void => {
    if (tolerant) return
    refuseUnknown(known, sources)
    if (choosesPrinter) refuseNameless(sources)
  }
}

/** Writes, and reads with a parameter that makes them write something. */
const mayChange = ({ operation, writesWith = [] }: Route, { query, form, json }: Sources): boolean =>
  operation.effect !== 'read' ||
  writesWith.some(name => [query, form, json].some(source => Object.hasOwn(source, name)))

/** Serves contributed routes: read the parameters, call the operation, render the outcome. */
export function mountRoutes (app: FastifyInstance, kernel: Kernel, routes: readonly Route[], dialect: Dialect,
  isLimited: (url: string) => boolean): void {
  const locked = kernel.config.api.token !== undefined
  for (const route of routes) {
    const { operation, input, params: schema = operation.input, reply: render, etag } = route
    const guard = kernel.pluginFaults.guard(kernel.originOf(route), 'route', `${route.method} ${route.path}`)
    const check = parameterCheck(route, dialect)
    takeUp(kernel.originOf(route) ?? '?', `route '${route.method} ${route.path}'`, () => app.route({
      method: route.method,
      url: API_PREFIX + route.path,
      config: {
        route,
        openapi: () => routeSchema(route, kernel.originOf(route) ?? 'api',
          { dialect, locked, limited: isLimited(API_PREFIX + route.path) })
      },
      exposeHeadRoute: operation.effect === 'read', // HEAD must not have side effects
      handler: async (request, response) => {
        const sources = sourcesOf(request)
        check(sources)
        const params = readParams(schema, sources)
        const printer = dialect.onePrinter === true ? undefined : textParam(sources, 'printer')
        const given = guard.call(() => input ? input(params) : params)
        const caller = new Caller(printer, request, response, kernel)
        if (mayChange(route, sources) && isDryRun(sources)) {
          response.header('prnd-dry-run', 'true')
          return sendJson(response, await kernel.rehearse(operation, given, caller), kernel.redact)
        }
        const output = await kernel.call(operation, given, caller)
        const body = render ? guard.call(() => render(output, params, response)) : output
        if (response.sent || body === response) return response
        return sendJson(response, dialect.success(body, route), kernel.redact, etag)
      }
    }))
  }
}

/**
 * Builds the URL of a route, so that no URL is written by hand.
 * @param baseUrl from the operation's context; by default a URL for this machine
 */
export type RouteUrl = (route: Pick<Route, 'path'>, query?: Readonly<Record<string, string | number | boolean>>,
  baseUrl?: string) => string

export const createRouteUrl = (kernel: Kernel): RouteUrl => ({ path }, query = {}, baseUrl = baseUrlFor(kernel)) => {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  const base = baseUrl + API_PREFIX + path
  return pairs.length === 0 ? base : `${base}?${pairs.join('&')}`
}
