import type { FastifyInstance } from 'fastify'
import type { Kernel } from '../../core/index.js'
import { sendJson } from '../http/index.js'
import type { Assets } from './assets.js'
import { documentOf, policyFor, PREFIX } from './document.js'
import type { DashboardPanel } from './panel.js'
import { renderPanels } from './render.js'

const COMMON = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'same-origin' } // our own writes are told by it
const HIDDEN = { schema: { hide: true } } as const

export function servePage (app: FastifyInstance, assets: Assets): void {
  const html = documentOf(assets)
  app.get('/', HIDDEN, (request, reply) => reply.type('text/html; charset=utf-8').headers({
    ...COMMON,
    'cache-control': 'no-store',
    'content-security-policy': policyFor(request.hostname)
  }).send(html))
}

export function serveAssets (app: FastifyInstance, { files, mark }: Assets): void {
  for (const { name, type, text } of files) {
    app.get(`${PREFIX}/${mark}/${name}`, HIDDEN, (_request, reply) => reply.type(type)
      .headers({ ...COMMON, 'cache-control': 'public, max-age=31536000, immutable' }).send(text))
  }
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
