import { createHash } from 'node:crypto'
import { fillPage, readPageFile } from '../../core/index.js'

/** A script of a plugin's page: `mcp/host.js`. */
const read = (path: string): string => {
  const [plugin = '', name = ''] = path.split('/')
  return readPageFile(plugin, name)
}

const STYLES = ['http/tokens.css', 'shell/shell.css', 'web/parts.css', 'mcp/app.css']

/** As one script: what modules take from each other is there. Their names must differ, and an import fills a line. */
const joined = (scripts: readonly string[]): string =>
  scripts.map(path => read(path).replaceAll(/^import .*\n/gm, '').replaceAll(/^export (?!\{)/gm, '')).join('\n')

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** It loads nothing, and runs nothing but its own script. Styles may be added by the program that shows it. */
const policyFor = (script: string): string => [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  "style-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'"
].join('; ')

/**
 * A document that needs nothing beside it, with the looks of the web page.
 * @param scripts of plugins' pages, each after those that it imports
 */
function appDocument (title: string, scripts: readonly string[]): string {
  const script = joined(scripts)
  const style = STYLES.map(read).join('\n')
  return fillPage(readPageFile('mcp', 'app.html'), { title, policy: policyFor(script) }, { script, style })
}

declare module 'prnd' {
  interface Contributions {
    apps: App
  }
}

/** A page that some programs show beside the answers of tools. Source: MCP Apps (SEP-1865), revision 2026-01-26. */
export interface App {
  /** Address, beginning with `ui://`. */
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
  /** Tools whose answers it shows. */
  readonly tools: readonly string[]
  /** A document that loads nothing. It talks to the program that shows it. */
  readonly html: () => string
}
export const defineApp = (app: App): App => Object.freeze(app)

/** Name of the extension, and what it calls its documents. */
const EXTENSION = 'io.modelcontextprotocol/ui'
const MIME_TYPE = 'text/html;profile=mcp-app'

/** Whether a client shows them; all others are not told of them. */
export function showsApps ({ extensions }: { readonly extensions?: unknown }): boolean {
  const { [EXTENSION]: settings } = (extensions ?? {}) as Record<string, { readonly mimeTypes?: unknown } | undefined>
  return Array.isArray(settings?.mimeTypes) && settings.mimeTypes.includes(MIME_TYPE)
}

/** No host is named: nothing may be loaded. */
const META = { ui: { csp: {}, prefersBorder: true } }

export const listedApp = ({ uri, name, title, description }: App) =>
  ({ uri, name, title, description, mimeType: MIME_TYPE, _meta: META })

export const appContent = ({ uri, html }: App) => ({ uri, mimeType: MIME_TYPE, text: html(), _meta: META })

/** What a tool says of the page for its answers. */
export const appMeta = ({ uri }: App) => ({ _meta: { ui: { resourceUri: uri } } })

const once = <T>(make: () => T): () => T => {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}

const SHARED = ['shell/format.js', 'mcp/host.js', 'mcp/dom.js']

/** The pages of this plugin. */
export const apps: readonly App[] = [
  defineApp({
    uri: 'ui://prnd/printer',
    name: 'printer_card',
    title: 'Printer',
    description: 'A printer with its live picture, job, temperatures and errors',
    tools: ['get_print_progress', 'get_snapshot'],
    html: once(() => appDocument('Printer', [...SHARED, 'mcp/polling.js', 'mcp/printer-card.js']))
  }),
  defineApp({
    uri: 'ui://prnd/mapping',
    name: 'spool_mapping',
    title: 'Spools of a print',
    description: 'Which spools a plate would be printed from, to be changed before the print',
    tools: ['preview_ams_mapping'],
    html: once(() => appDocument('Spools of a print', [...SHARED, 'shell/mapping.js', 'mcp/mapping-card.js']))
  }),
  defineApp({
    uri: 'ui://prnd/charts',
    name: 'charts',
    title: 'Charts',
    description: 'Charts of the last hour',
    tools: ['render_charts_panels'],
    html: once(() => appDocument('Charts', [...SHARED, 'mcp/polling.js', 'mcp/charts-card.js']))
  })
]
