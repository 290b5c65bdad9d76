import type { FastifyInstance } from 'fastify'
import { viewFor, type Kernel, type Services, type PrinterSession } from '../../core/index.js'
import type { DashboardPanel } from './panel.js'

/** A rendered panel in the API. */
interface DrawnPanel {
  readonly id: string
  readonly title: string
  readonly markup: string
  /** True for an SVG, which is shown as a picture. */
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

/** Renders panels; one that fails is left out. */
function renderPanels (kernel: Kernel, panels: readonly DashboardPanel[], session: PrinterSession):
DrawnPanel[] {
  return panels.flatMap(panel => {
    const markup = draw(kernel, panel, session)
    return markup === undefined ? [] : [{ id: panel.id, title: panel.title, markup, picture: SVG.test(markup) }]
  })
}

/** Prefix of everything that the plugin serves besides the page. */
const PREFIX = '/plugins/web'
const HIDDEN = { schema: { hide: true } } as const
const SEVERAL = 2

/** Serves `/`: the overview when there are several printers and none is named, else the page of one. */
export function serveHome (app: FastifyInstance, kernel: Kernel, { send, pages }: Services['shell']): void {
  const hasFleet = pages.some(({ id }) => id === 'fleet')
  app.get<{ Querystring: { printer?: string } }>('/', HIDDEN, (request, reply) => {
    const { names } = viewFor(kernel, kernel.services.http.callerOf(request)).printers
    const isFleet = hasFleet && names.length >= SEVERAL && request.query.printer === undefined
    return send(request, reply, isFleet ? 'fleet' : 'printer')
  })
}

/** Serves rendered panels as `[{ id, title, markup, picture }]`; empty without a session. */
export function servePanels (app: FastifyInstance, kernel: Kernel, panels: readonly DashboardPanel[]): void {
  app.get<{ Querystring: { printer?: string } }>(`${PREFIX}/panels`, HIDDEN,
    (request, reply) => {
      const { printers } = viewFor(kernel, kernel.services.http.callerOf(request))
      const { printer = '' } = printers.choose(request.query.printer)
      const session = printers.get(printer)
      return kernel.services.http.sendJson(reply, session ? renderPanels(kernel, panels, session) : [])
    })
}
