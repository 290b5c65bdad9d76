import formbody from '@fastify/formbody'
import { definePlugin, type Plugin, type Route } from '../../core/index.js'
import { daemonDialect, type Dialect } from './dialect.js'
import { createLink, type Link } from './link.js'
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
    http: { readonly link: Link, readonly dialect: Dialect }
  }
}

/** What a preset may set that no operator writes down. */
interface Dress { readonly dialect?: Dialect, readonly routes?: readonly Route[] }

/**
 * The HTTP surface: parameters, contributed routes, one error renderer, rules on hosts and origins.
 * @param routes replaces the contributed routes of each operation it names
 */
export const httpWith = ({ dialect = daemonDialect, routes = [] }: Dress = {}): Plugin => definePlugin({
  name: 'http',
  version: '1.0.0',
  kernel: '^1.0.0',
  description: 'HTTP API',
  provides: ['http'],
  uses: ['network'],
  encapsulate: false,
  async setup ({ app, kernel, contributed, provide }) {
    const replaced = new Set(routes.map(({ operation }) => operation))
    provide('http', { link: createLink(kernel), dialect })
    await app.register(formbody)
    installRules(app, kernel, dialect)
    const kept = contributed('routes').filter(({ operation }) => !replaced.has(operation))
    mountRoutes(app, kernel, [...kept, ...routes], dialect)
  }
})

export default httpWith()
