import formbody from '@fastify/formbody'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { definePlugin, type Caller, type PageFiles, type Plugin, type Route } from '../../core/index.js'
import { createAccess, type Access } from './access.js'
import { callerOf, isFromHere } from './caller.js'
import { daemonDialect, type Dialect } from './dialect.js'
import { openEndedLogins } from './ended-logins.js'
import { serveIdentity } from './identity.js'
import { createRouteUrl, mountRoutes, sendJson, type RouteUrl } from './mount.js'
import { checkRoom, installLimits, isLimited, LimitOptions } from './limits.js'
import { failuresOf, type Risks } from './replies.js'
import { installRules } from './request-guards.js'
import { enableFiles, servePageFiles } from './serve-page-files.js'
import { installWebSockets } from './web-sockets.js'

export { hostOf } from './caller.js'
export { TooManyFromAddress } from './errors.js'
export { checkRoom, connectionLimitReached } from './limits.js'
export { IDENTITY_PATH, isProof } from './identity.js'
export { describedAs } from './mount.js'
export type { Dialect, Failing } from './dialect.js'
export { renderFailure } from './request-guards.js'
export { markerOf, shownParams } from './schema.js'
export { sendBytes } from './tags.js'
export { cookieIn, localPassOf } from './people.js'
export type { ForeignLogin, LoggedIn, PeopleDirectory } from './people.js'
export { FOREIGN_LOGIN, FOREIGN_RETURN, loginCookie, placeOf, refuseGuesser, sendLoginAgain } from './login.js'
export { createLoginThrottle } from './login-throttle.js'
export type { WebSocket } from './web-sockets.js'
export { isLoopbackHost, refusalOf, WriteRefused } from './write-guard.js'
export type { RouteUrl } from './mount.js'

declare module 'prnd' {
  interface Services {
    /** Addresses of routes, and how this interface renders failures. */
    http: {
      readonly link: RouteUrl
      readonly dialect: Dialect
      readonly access: Access
      /** Whether a request with these headers may come in: by the token, or by the cookie of the login page. */
      readonly checkAccess: Access['checkAccess']
      /** Where a request comes from: for calls of operations by routes that are added by hand. */
      readonly callerOf: (request: FastifyRequest) => Caller
      /** The failures of a route that a plugin serves by itself, for its description. */
      failures (risks: Pick<Risks, 'method'> & Partial<Risks>, url: string): Readonly<Record<number, object>>
      /** Answers a route that is added by hand with JSON, without secrets. With `tagged`, large bodies get an ETag. */
      sendJson (reply: FastifyReply, body: unknown, tagged?: boolean): FastifyReply
      /** Serves files of pages, each page's below a path of its own, which should hold their mark. */
      servePageFiles (app: FastifyInstance, pages: ReadonlyMap<string, PageFiles>): void
      /** Lets routes of a scope answer with files, ranges included: `reply.type('…').sendFile(name, folder)`. */
      enableFiles (scope: FastifyInstance): Promise<void>
      /** The other end is a program of this very machine. */
      readonly isFromHere: typeof isFromHere
      /** Whether one more connection from an address has room. @throws when it has not */
      readonly checkRoom: typeof checkRoom
      /** Gives another server the rules of this one: who may ask, how failures look, WebSockets. */
      install (app: FastifyInstance): Promise<void>
    }
  }
}

const Options = Type.Object({ limits: LimitOptions })

/** What a preset may set that no operator writes down. */
interface HttpPresetOptions { readonly dialect?: Dialect, readonly routes?: readonly Route[] }

/**
 * The HTTP surface: parameters, contributed routes, one error renderer, rules on hosts and origins.
 * @param routes replaces the contributed routes of each operation it names, and those on the same path
 */
export const httpWith = ({
  dialect = daemonDialect,
  routes = []
}: HttpPresetOptions = {}): Plugin<typeof Options> => definePlugin({
  name: 'http',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'HTTP API',
  provides: ['http'],
  uses: ['network'],
  encapsulate: false,
  options: Options,
  async setup ({ app, kernel, options, log, contributed, provide, onClose }) {
    const replaced = new Set(routes.map(({ operation }) => operation))
    const taken = new Set(routes.map(({ path }) => path))
    const { now, dataDir, config: { api: { token } } } = kernel
    const ended = token === undefined ? undefined : await openEndedLogins(dataDir, now, message => log.error(message))
    if (ended) onClose(ended.settled)
    const steady = now === Date.now ? undefined : now // a clock that was handed in goes as its owner wants
    const limited = isLimited(options.limits)
    const access = createAccess(token, {
      now,
      ...(steady && { steady }),
      ...(ended && { ended }),
      folderKey: () => kernel.folderKey
    })
    provide('http', {
      link: createRouteUrl(kernel),
      dialect,
      access,
      checkAccess: access.checkAccess,
      callerOf,
      failures: (risks, url) => failuresOf({
        printer: false, acts: false, errors: [], limited: limited(url), locked: access.locked, ...risks
      }, dialect),
      sendJson: (reply, body, tagged) => sendJson(reply, body, kernel.redact, tagged),
      servePageFiles,
      enableFiles,
      isFromHere,
      checkRoom,
      async install (server) {
        await installWebSockets(server)
        installRules(server, kernel, daemonDialect)
      }
    })
    await app.register(formbody)
    await installWebSockets(app)
    installRules(app, kernel, dialect)
    serveIdentity(app, kernel)
    await installLimits(app, options.limits)
    const kept = contributed('routes').filter(({ operation, path }) => !replaced.has(operation) && !taken.has(path))
    mountRoutes(app, kernel, [...kept, ...routes], dialect, limited)
  }
})

export default httpWith()
