import type { FastifyInstance } from 'fastify'
import type { Kernel } from '../../core/index.js'
import { sendJson, servePageFiles } from '../http/index.js'
import { createDocument, PREFIX } from './document.js'
import type { DashboardPanel } from './panel.js'
import { renderPanels } from './render.js'

const COMMON = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'same-origin' } // our own writes are told by it
const HIDDEN = { schema: { hide: true } } as const

/** The page at `/`, and what it loads. */
export function servePage (app: FastifyInstance): void {
  const { html, policy, folder, files } = createDocument()
  app.get('/', HIDDEN, (_request, reply) => reply.type('text/html; charset=utf-8').headers({
    ...COMMON,
    'cache-control': 'no-store',
    'content-security-policy': policy
  }).send(html))
  servePageFiles(app, `/${folder}`, files)
}

/** `[{ id, title, markup, picture }]`, drawn now; without a session there are none. */
export function servePanels (app: FastifyInstance, kernel: Kernel, panels: readonly DashboardPanel[]): void {
  app.get<{ Querystring: { printer?: string } }>(`${PREFIX}/panels`, HIDDEN,
    ({ query }, reply) => {
      const { printer = '' } = kernel.printers.choose(query.printer)
      const session = kernel.printers.get(printer)
      return sendJson(reply, session ? renderPanels(kernel, panels, session) : [], kernel.redact)
    })
}
