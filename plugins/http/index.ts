import formbody from '@fastify/formbody'
import { Type } from 'typebox'
import { definePlugin, type Plugin, type Route } from '../../core/index.js'
import { createAccess, type Access } from './access.js'
import { daemonDialect, type Dialect } from './dialect.js'
import { createLink, type Link } from './link.js'
import { installLimits, LimitOptions } from './limits.js'
import { mountRoutes } from './mount.js'
import { installRules } from './rules.js'

export { daemonDialect, unexpected } from './dialect.js'
export type { Dialect } from './dialect.js'
export { API_PREFIX, sendJson, sourcesOf } from './mount.js'
export { ok } from './ok.js'
export { textParam } from './params.js'
export { installRules, renderFailure } from './rules.js'
export type { Link } from './link.js'

declare module 'prn' {
  interface Services {
    /** Addresses of routes, and how this interface renders failures. */
    http: {
      readonly link: Link
      readonly dialect: Dialect
      readonly access: Access
      /** Whether a request with these headers may come in: by the token, or by the cookie of the login page. */
      readonly checkAccess: Access['checkAccess']
    }
  }
}

const Options = Type.Object({ limits: LimitOptions })

/** What a preset may set that no operator writes down. */
interface Dress { readonly dialect?: Dialect, readonly routes?: readonly Route[] }

/**
 * The HTTP surface: parameters, contributed routes, one error renderer, rules on hosts and origins.
 * @param routes replaces the contributed routes of each operation it names, and those on the same path
 */
export const httpWith = ({ dialect = daemonDialect, routes = [] }: Dress = {}): Plugin<typeof Options> => definePlugin({
  name: 'http',
  version: '1.0.0',
  kernel: '^1.0.0',
  description: 'HTTP API',
  provides: ['http'],
  uses: ['network'],
  encapsulate: false,
  options: Options,
  async setup ({ app, kernel, options, contributed, provide }) {
    const replaced = new Set(routes.map(({ operation }) => operation))
    const taken = new Set(routes.map(({ path }) => path))
    const access = createAccess(kernel.config.api.token, kernel.now)
    provide('http', { link: createLink(kernel), dialect, access, checkAccess: access.checkAccess })
    await app.register(formbody)
    installRules(app, kernel, dialect)
    await installLimits(app, options.limits)
    const kept = contributed('routes').filter(({ operation, path }) => !replaced.has(operation) && !taken.has(path))
    mountRoutes(app, kernel, [...kept, ...routes], dialect)
  }
})

export default httpWith()
