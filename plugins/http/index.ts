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
import { failuresOf, type Risks } from './failures.js'
import { installRequestGuards } from './request-guards.js'
import { enableFiles, servePageFiles } from './serve-page-files.js'
import { installWebSockets } from './web-sockets.js'

export { hostOf } from './caller.js'
export { TooManyFromAddress, TooManyTries } from './errors.js'
export { checkRoom, connectionLimitReached } from './limits.js'
export { IDENTITY_PATH, isProof } from './identity.js'
export { describedAs } from './mount.js'
export type { Dialect, Failing } from './dialect.js'
export { challengeOf, renderFailure } from './request-guards.js'
export { markerOf, shownParams } from './schema.js'
export { sendBytes } from './send-bytes.js'
export { cookieIn, localPassOf } from './people.js'
export type { GrantDirectory } from './grant-directory.js'
export type { ForeignLogin, LoggedIn, PasskeyLogin, PeopleDirectory } from './people.js'
export {
  FOREIGN_LOGIN, FOREIGN_RETURN, loginCookie, PASSKEY_LOGIN, PASSKEY_OPTIONS, placeOf, refuseGuesser, sendLoginAgain
} from './login.js'
export { createLoginThrottle } from './login-throttle.js'
export type { WebSocket } from './web-sockets.js'
export { isLoopbackHost, refusalOf, WriteRefused } from './write-guard.js'
export type { RouteUrl } from './mount.js'

declare module 'prnd' {
  interface Services {
    /** The HTTP interface: authentication, addresses of routes, rendering of failures. */
    http: {
      readonly link: RouteUrl
      readonly dialect: Dialect
      readonly access: Access
      /** Whether these headers authenticate a request, by token, key or login cookie. */
      readonly checkAccess: Access['checkAccess']
      /** The caller of a request, for operations called by routes without an operation of their own. */
      readonly callerOf: (request: FastifyRequest) => Caller
      /** Describes the failures of a route that a plugin serves itself. */
      failures (risks: Pick<Risks, 'method'> & Partial<Risks>, url: string): Readonly<Record<number, object>>
      /** Sends JSON with secrets masked. With `tagged`, large bodies get an ETag. */
      sendJson (reply: FastifyReply, body: unknown, tagged?: boolean): FastifyReply
      /** Serves the files of pages, each below its own path, which should contain a hash of the files. */
      servePageFiles (app: FastifyInstance, pages: ReadonlyMap<string, PageFiles>): void
      /** Lets routes of a scope send files, with ranges: `reply.type('…').sendFile(name, folder)`. */
      enableFiles (scope: FastifyInstance): Promise<void>
      /** Whether the client runs on this machine. */
      readonly isFromHere: typeof isFromHere
      /** Checks the limit of connections for an address. @throws if it is reached */
      readonly checkRoom: typeof checkRoom
      /** Sets up another server like this one: authentication, rendering of failures, WebSockets. */
      install (app: FastifyInstance): Promise<void>
    }
  }
}

const Options = Type.Object({ limits: LimitOptions })

/** Options for presets, not for the configuration file. */
interface HttpPresetOptions { readonly dialect?: Dialect, readonly routes?: readonly Route[] }

/**
 * The HTTP interface: parameters, contributed routes, rendering of errors, host and origin checks.
 * @param routes replaces contributed routes with the same operation or path
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
    const steady = now === Date.now ? undefined : now // an injected clock serves both purposes
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
        installRequestGuards(server, kernel, daemonDialect)
      }
    })
    await app.register(formbody)
    await installWebSockets(app)
    installRequestGuards(app, kernel, dialect)
    serveIdentity(app, kernel)
    await installLimits(app, options.limits)
    const remaining = contributed('routes').filter(({ operation, path }) => !replaced.has(operation) && !taken.has(path))
    mountRoutes(app, kernel, [...remaining, ...routes], dialect, limited)
  }
})

export default httpWith()
