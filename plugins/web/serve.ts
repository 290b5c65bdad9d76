import type { FastifyInstance } from 'fastify'
import { viewFor, type Kernel, type Services, type PrinterSession } from '../../core/index.js'
import type { DashboardPanel } from './panel.js'

/** A panel as the page gets it. */
interface DrawnPanel {
  readonly id: string
  readonly title: string
  readonly markup: string
  /** An SVG, to be shown as a picture. */
  readonly picture: boolean
}

const SVG = /^\s*(?:<\?xml[^>]*>\s*)?<svg[\s>]/i

function draw (kernel: Kernel, panel: DashboardPanel, session: PrinterSession): string | undefined {
  const guard = kernel.pluginFaults.guard(kernel.originOf(panel), 'panel of the page', panel.id)
  return guard.run(() => {
    const markup: unknown = panel.render(session)
    if (markup === undefined || typeof markup === 'string') return markup
    throw new TypeError('render must return text')
  }, { panel: panel.id, printer: session.name })
}

/** Draws panels; one that fails is left out. */
function renderPanels (kernel: Kernel, panels: readonly DashboardPanel[], session: PrinterSession):
DrawnPanel[] {
  return panels.flatMap(panel => {
    const markup = draw(kernel, panel, session)
    return markup === undefined ? [] : [{ id: panel.id, title: panel.title, markup, picture: SVG.test(markup) }]
  })
}

/** Everything the plugin serves beside the page itself lies here. */
const PREFIX = '/plugins/web'
const HIDDEN = { schema: { hide: true } } as const
const SEVERAL = 2

/** What is at `/`: all printers where there are several and none is named, else the page of one. */
export function serveHome (app: FastifyInstance, kernel: Kernel, { send, pages }: Services['shell']): void {
  const hasFleet = pages.some(({ id }) => id === 'fleet')
  app.get<{ Querystring: { printer?: string } }>('/', HIDDEN, (request, reply) => {
    const { names } = viewFor(kernel, kernel.services.http.callerOf(request)).printers
    const isFleet = hasFleet && names.length >= SEVERAL && request.query.printer === undefined
    return send(request, reply, isFleet ? 'fleet' : 'printer')
  })
}

/** `[{ id, title, markup, picture }]`, drawn now; without a session there are none. */
export function servePanels (app: FastifyInstance, kernel: Kernel, panels: readonly DashboardPanel[]): void {
  app.get<{ Querystring: { printer?: string } }>(`${PREFIX}/panels`, HIDDEN,
    (request, reply) => {
      const { printers } = viewFor(kernel, kernel.services.http.callerOf(request))
      const { printer = '' } = printers.choose(request.query.printer)
      const session = printers.get(printer)
      return kernel.services.http.sendJson(reply, session ? renderPanels(kernel, panels, session) : [])
    })
}
