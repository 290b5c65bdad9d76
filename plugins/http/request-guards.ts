import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import {
  BadInput, checkOperation, checkRouteAccess, isServiceError, accessOf, accessOfRoute, rightsOf, viewFor, type Kernel,
  type Route
} from '../../core/index.js'
import type { Access } from './access.js'
import { watchSockets } from './open-sockets.js'
import { Forbidden, MethodNotAllowed, NoRoute, TooManyTries, Unauthorized, UnsupportedMediaType } from './errors.js'
import type { Dialect } from './dialect.js'
import { checkOrigin } from './origin-check.js'
import { isIdentityQuestion } from './identity.js'
import { isLoginPage, sendNoPage, sendToLogin, serveLogin } from './login.js'
import { describedAs, sendJson } from './mount.js'
import { DRY_RUN } from './params.js'
import { isLoopbackHost, refusalOf, WriteRefused } from './write-guard.js'

/** Accepted content types, unless a route declares its own. */
const BODIES: readonly string[] = ['application/json', 'application/x-www-form-urlencoded']

/** Time limit for receiving a request with its body; the answer may take longer. */
const REQUEST_MS = 120_000
/** Time limit for the headers. */
const HEADERS_MS = 20_000

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']
const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** The checks for every request, whichever plugin serves it. */
export function installRequestGuards (app: FastifyInstance, kernel: Kernel, dialect: Dialect): void {
  installBodyParsers(app)
  app.server.requestTimeout = REQUEST_MS
  app.server.headersTimeout = HEADERS_MS
  const { config: { api }, services: { http: { access } } } = kernel
  app.decorateRequest('identified')
  app.decorateRequest('place')
  if (access.hasToken || kernel.plugins.has('people')) serveLogin(app, access, kernel)
  const sockets = watchSockets(app, access, kernel)

  app.addHook('onRequest', (request, reply, next) => {
    const { headers, method } = request
    const { route } = request.routeOptions.config
    const writes = !READS.has(method) || (route !== undefined && changes(route, request))
    const verdict = checkOrigin({
      host: headers.host,
      origin: headers.origin,
      site: headers['sec-fetch-site'] as string | undefined,
      writes,
      isEncrypted: (request.socket as { encrypted?: boolean }).encrypted === true
    }, api)
    if (!verdict.allowed) return next(new Forbidden(verdict.reason))
    const refusal = writes && READS.has(method) ? refusedRead(request, kernel) : undefined
    if (refusal !== undefined) return next(new WriteRefused(refusal))
    if (verdict.cors !== undefined) allowOrigin(reply, verdict.cors)
    if (method === 'OPTIONS' && verdict.cors !== undefined) return reply.code(204).send()
    if (isLoginPage(request) || isIdentityQuestion(request) || request.routeOptions.config.isOpen) return next()
    try {
      admit(access, request)
      checkRoute(kernel, request, writes)
      sockets.add(request, reply)
    } catch (error) {
      if (!(error instanceof Unauthorized) || !sendToLogin(request, reply)) next(error as Error)
      return
    }
    next()
  })

  app.addHook('preHandler', (request, _reply, next) => {
    const { body, is404, method, routeOptions: { url = '', config: { route } } } = request
    const asks = typeof body === 'object' && body !== null && Object.hasOwn(body, DRY_RUN)
    next(asks && route === undefined && !is404 ? noDryRun(method, url) : undefined)
  })

  app.setErrorHandler((error, request, reply) => renderFailure(error, request, reply, kernel, dialect))

  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    const allowed = METHODS.filter(method => app.hasRoute({ method, url: path })).join(', ')
    if (allowed === '') {
      if (sendNoPage(request, reply, readable(path))) return reply
      throw new NoRoute(request.method, readable(path))
    }
    reply.header('allow', allowed)
    throw new MethodNotAllowed(path, request.method, allowed)
  })
}

/** Counts the parameter with any value, since it is parsed later, and leniently. */
const namesWrite = ({ writesWith = [] }: Route, query: unknown): boolean =>
  writesWith.some(name => Object.hasOwn(query as object, name))

const changes = (route: Route, { query }: FastifyRequest): boolean =>
  route.operation.effect !== 'read' || namesWrite(route, query)

/**
 * A GET request that writes can be caused by an image in any web page, so it is accepted only from our own pages or
 * from programs. The application for one printer has writes by GET that may be typed into a browser, and an option for
 * them.
 */
function refusedRead ({ headers, query, routeOptions: { config: { route } } }: FastifyRequest,
  { config: { api: { corsOrigins } }, plugins }: Kernel): string | undefined {
  const hasOwnGuard = plugins.has('standalone')
  const strict = route !== undefined && (!hasOwnGuard || namesWrite(route, query)) && !isLoopbackHost(headers)
  return refusalOf(headers, { strict, corsOrigins })
}

const noDryRun = (method: string, url: string): Error => new BadInput(`${method} ${url} has no dry run`)

/**
 * Runs before the body and parameters are read; calling the operation checks again.
 * @throws PRN_ERR_TRUSTED_ONLY, PRN_ERR_ROLE_TOO_LOW, PRN_ERR_ALL_PRINTERS_ONLY, PRN_ERR_NOT_CONNECTED
 */
function checkRoute (kernel: Kernel, request: FastifyRequest, writes: boolean): void {
  const { method, identified, is404, query, routeOptions: { url = '', config: { route, access: declared, ofPrinter } } } = request
  if (route === undefined && !is404 && Object.hasOwn(query as object, DRY_RUN)) {
    throw noDryRun(method, url)
  }
  const access = route === undefined ? accessOfRoute(method, url, declared) : accessOf(route.operation)
  if (is404 || (identified === undefined && access === 'network')) return
  const known = ofPrinter === undefined ? url : ofPrinter.prefix + url.replace(/^\/$/, '')
  const caller = identified ?? kernel.services.http.callerOf(request)
  if (route === undefined) checkRouteAccess(kernel, method, known, caller, declared)
  else {
    const { operation } = route
    const isWritingRead = writes && READS.has(method) && operation.effect === 'read' // because of a parameter
    checkOperation(kernel, operation, caller, `${method} ${url}`, isWritingRead ? 'local' : operation.effect)
  }
  checkPrinter(kernel, request)
}

/** Printers that the caller may not use do not exist for it, also on routes without an operation. */
function checkPrinter (kernel: Kernel, { identified, params, query, routeOptions: { config } }: FastifyRequest): void {
  if (rightsOf(identified)?.printers === undefined || config.route !== undefined) return
  if (config.ofPrinter !== undefined) viewFor(kernel, identified).printers.resolve(config.ofPrinter.name)
  for (const fields of [params, query] as Readonly<Record<string, unknown>>[]) {
    if (typeof fields.printer === 'string') viewFor(kernel, identified).printers.resolve(fields.printer)
  }
}

/** @throws PRN_ERR_UNAUTHORIZED, PRN_ERR_TOO_MANY_TRIES */
function admit (access: Access, request: FastifyRequest): void {
  if (!access.locked) return
  const { headers, ip } = request
  const caller = access.identify(headers) ?? access.grants?.identifier(request)?.()
  if (caller !== undefined) { // before the throttle: others at the same address must not lock it out
    request.identified = caller
    return
  }
  if (headers.authorization === undefined) throw new Unauthorized()
  const waitS = access.sent.waitS(ip)
  if (waitS > 0) throw new TooManyTries(waitS).with({ retry_after: waitS })
  access.sent.count(ip)
  throw new Unauthorized()
}

/** The challenge of a 401. */
export const challengeOf = ({ grants }: Access, request: FastifyRequest): string => grants?.challenge(request) ?? 'Bearer'

/** The decoded path, because a secret in an encoded one would not be recognized and masked. */
function readable (path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function allowOrigin (reply: FastifyReply, origin: string): void {
  reply.header('access-control-allow-origin', origin).header('vary', 'origin')
    .header('access-control-allow-methods', 'GET, POST, PATCH, DELETE')
    .header('access-control-allow-headers',
      'content-type, authorization, mcp-session-id, mcp-protocol-version, mcp-method, mcp-name, last-event-id')
}

/** The address of an open route may hold a secret: only its pattern is logged. */
const loggedUrl = ({ url, routeOptions }: FastifyRequest): string =>
  routeOptions.config.isOpen === true ? routeOptions.url ?? '' : url

export function renderFailure (error: unknown, request: FastifyRequest, reply: FastifyReply, kernel: Kernel,
  dialect: Dialect = kernel.services.http.dialect): FastifyReply {
  if (error instanceof Unauthorized) reply.header('www-authenticate', challengeOf(kernel.services.http.access, request))
  const { retry_after: waitS } = (isServiceError(error) ? error.extra : {}) as { retry_after?: number }
  if (waitS !== undefined) reply.header('retry-after', waitS)
  const debug = kernel.logs.level('service') === 'DEBUG'
  const { status, body } = dialect.failure(named(error, request), request.routeOptions.config.route, debug)
  if (status >= 500 && !isServiceError(error)) request.log.error({ err: error, url: loggedUrl(request) }, 'request failed')
  return sendJson(reply.code(status), body, kernel.redact)
}

/** Fastify's own error does not say which content types are accepted. */
function named (error: unknown, { routeOptions: { config, schema } }: FastifyRequest): unknown {
  if ((error as { code?: unknown }).code !== 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return error
  const { consumes = BODIES } = describedAs(config, schema as FastifySchema) ?? {}
  return new UnsupportedMediaType(consumes.join(', '), { cause: error })
}

/** The fields of a form; files are ignored. */
async function fieldsOf (body: Buffer, type: string): Promise<object> {
  try {
    const form = await new Response(body, { headers: { 'content-type': type } }).formData()
    return Object.fromEntries([...form].filter(([, value]) => typeof value === 'string'))
  } catch (error) {
    throw new BadInput('The form in the body cannot be read', { cause: error })
  }
}

/** Accepts JSON and forms, not plain text; an empty JSON body counts as `{}`. */
function installBodyParsers (app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') return done(null, {})
    parse(request, body as string, (error, value) => {
      if (error) return done(new BadInput(`The body is not valid JSON: ${error.message}`))
      done(null, value)
    })
  })
  app.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' },
    async ({ headers }: FastifyRequest, body: Buffer) => await fieldsOf(body, headers['content-type'] ?? ''))
}
