import type { FastifyInstance } from 'fastify'
import type { Kernel, Services } from '../../core/index.js'
import { sendJson } from '../http/index.js'
import type { DashboardPanel } from './panel.js'
import { renderPanels } from './render.js'

/** Everything the plugin serves beside the page itself lies here. */
const PREFIX = '/plugins/web'
const HIDDEN = { schema: { hide: true } } as const
const SEVERAL = 2

/** What is at `/`: all printers where there are several and none is named, else the page of one. */
export function serveHome (app: FastifyInstance, { printers }: Kernel, { send, pages }: Services['shell']): void {
  const hasFleet = pages.some(({ id }) => id === 'fleet')
  app.get<{ Querystring: { printer?: string } }>('/', HIDDEN, (request, reply) => {
    const isFleet = hasFleet && printers.names.length >= SEVERAL && request.query.printer === undefined
    return send(request, reply, isFleet ? 'fleet' : 'printer')
  })
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
