import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Type } from 'typebox'
import {
  isServiceError, toSafeFileName, NoPrinter, NotConnected, operation, UnsafeOutputPath, WriteFailed, writePrivateFile,
  type DaemonContext, type Kernel, type PrinterSession, type Services
} from '../../core/index.js'
import { NothingRecorded } from './errors.js'
import { absentPage, filePage, livePage } from './page.js'

/** Routes of the page and the panels, from which links are made. */
export const paths = { page: { path: '/charts' }, panels: { path: '/charts_panels' } } as const

const Html = Type.String({ description: 'HTML document' })

/** The requested printer, and its session if it has one. */
function find ({ printers }: Kernel, wanted: string | undefined) {
  const { printer: name = 'default' } = printers.choose(wanted)
  return { name, session: printers.get(name) }
}

const absence = ({ printers: { names } }: Kernel, name: string): string =>
  (names.length === 0 ? new NoPrinter() : new NotConnected(name)).message

const contentOf = (session: PrinterSession, { charts }: Services) => {
  const { panels: drawings, ts } = charts.render(session)
  return { printer: session.name, panels: charts.panels, drawings, ts }
}

/** The service that holds the session has a longer history of it. */
async function contentFor (session: PrinterSession, { kernel, services, signal }: DaemonContext) {
  if (session.remote?.reachable !== true) return contentOf(session, services)
  try {
    const { panels: drawings, ts } = await kernel.call(readPanels, {}, { printer: session.name, signal })
    return { printer: session.name, panels: services.charts.panels, drawings, ts }
  } catch (error) {
    if (isServiceError(error) && error.code === new NothingRecorded('').code) return contentOf(session, services)
    throw error
  }
}

/** URL of the served page, if it is served. */
const liveAddress = ({ kernel, services, baseUrl }: DaemonContext, printer: string): string | undefined =>
  kernel.apiPort === 0 ? undefined : services.http.link(paths.page, { printer }, baseUrl)

/** The dashboard as served. A printer without a session also has a page, which says so. */
export const readPage = operation({
  name: 'charts.readPage',
  summary: 'Dashboard page with charts of the last hour',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({ printer: Type.Optional(Type.String()) }),
  output: Type.Object({ html: Html, found: Type.Boolean() }),
  async run (context, { printer }) {
    const { kernel } = context
    const { name, session } = find(kernel, printer)
    const { names } = kernel.printers
    const html = session
      ? livePage(await contentFor(session, context), names)
      : absentPage(absence(kernel, name), names)
    return { html: kernel.redact(html), found: session !== undefined }
  }
})

/** The dashboard as a self-contained document. */
export const readDocument = operation({
  name: 'charts.readDocument',
  summary: 'Dashboard as one HTML document (about 40 kB)',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({ printer: Type.Optional(Type.String()) }),
  output: Type.Object({ html: Html }),
  async run (context, { printer }) {
    const { kernel } = context
    const { name, session } = find(kernel, printer)
    const html = session
      ? filePage(await contentFor(session, context), liveAddress(context, name))
      : absentPage(absence(kernel, name))
    return { html: kernel.redact(html) }
  }
})

export const readPanels = operation({
  name: 'charts.readPanels',
  summary: 'Charts as SVG texts',
  effect: 'read',
  input: Type.Object({}),
  output: Type.Object({
    panels: Type.Array(Type.String({ description: 'SVG text' })),
    ts: Type.String({ description: 'Local time, YYYY-MM-DD HH:MM:SS' })
  }),
  errors: [NothingRecorded],
  run: ({ session, services }) => services.charts.demand(session) as never
})

export const openCharts = operation({
  name: 'charts.open',
  summary: 'Open the dashboard on the host',
  effect: 'local',
  input: Type.Object({}),
  output: Type.Object({
    output_path: Type.String(),
    opened: Type.Boolean({ description: 'false: no browser could be started on the host' }),
    url: Type.Optional(Type.String({ description: 'The live dashboard' }))
  }),
  errors: [UnsafeOutputPath, WriteFailed],
  async run (context) {
    const { kernel, session, services, trusted } = context
    const { name } = session
    const { folder, openBrowser } = services.charts
    const live = liveAddress(context, name)
    const path = join(folder, `prnd-charts-${toSafeFileName(name)}.html`)
    await writePrivateFile(path, kernel.redact(filePage(contentOf(session, services), live)))
    const opened = trusted && await openBrowser(pathToFileURL(path).href)
    return { output_path: path, opened, ...(live !== undefined && { url: live }) }
  }
})
