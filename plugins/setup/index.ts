import type { FastifyInstance, FastifyRequest } from 'fastify'
import { definePlugin, type Kernel } from '../../core/index.js'
import { printersPage, welcomePage } from './pages.js'
import { routes } from './routes.js'

/** Pages that show nothing without a printer. */
const HOMES: ReadonlySet<string | undefined> = new Set(['/', '/fleet'])
/** Set by the page when its user has finished or skipped the first start. */
const FINISHED = /(?:^|;\s*)prnd-welcome=done(?:;|$)/

/** True until a printer is configured, or the user of this browser has skipped the first start. */
function isDue ({ printers }: Kernel, { headers: { cookie = '' } }: FastifyRequest): boolean {
  const isHub = printers.others !== undefined
  return !isHub && !FINISHED.test(cookie) &&
    printers.names.every(name => printers.config(name)?.virtual === 'stand-in')
}

/** Redirects browsers from the home pages to the first start. Pages that name a printer are never redirected. */
function leadToWelcome (app: FastifyInstance, kernel: Kernel): void {
  app.addHook('onRequest', (request, reply, next) => {
    const { method, routeOptions: { url }, query, headers: { accept = '' } } = request
    const isHome = method === 'GET' && HOMES.has(url) && (query as { printer?: unknown }).printer === undefined
    if (!isHome || !accept.includes('text/html') || !isDue(kernel, request)) return next()
    reply.header('cache-control', 'no-store').redirect('welcome', 303)
  })
}

/** Setting the service up in the browser: printers, who may use it, and the first start. */
export default definePlugin({
  name: 'setup',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Setting up in the browser: the pages /printers and /welcome',
  needs: ['http', 'management'],
  uses: ['network', 'disk'],
  encapsulate: false, // pages of other plugins lead to the first start
  contributes: { pages: [printersPage, welcomePage], routes },
  setup ({ app, kernel }) { leadToWelcome(app, kernel) }
})
