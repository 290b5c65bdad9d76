import { createHash } from 'node:crypto'
import { fillPage, readPageFile } from '../../core/index.js'
import { once } from './once.js'

/** A script of a plugin's page: `mcp/host.js`. */
const read = (path: string): string => {
  const [plugin = '', name = ''] = path.split('/')
  return readPageFile(plugin, name)
}

const STYLES = ['http/tokens.css', 'shell/base.css', 'shell/components.css', 'web/parts.css', 'mcp/app.css']

/** Joins modules into one script. Their top-level names must differ, and each import must be a single line. */
const joined = (scripts: readonly string[]): string =>
  scripts.map(path => read(path).replaceAll(/^import .*\n/gm, '').replaceAll(/^export (?!\{)/gm, '')).join('\n')

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The page loads nothing and runs only its own script. The host may add styles. */
const policyFor = (script: string): string => [
  "default-src 'none'",
  `script-src ${hashOf(script)}`,
  "style-src 'unsafe-inline'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'"
].join('; ')

/**
 * A self-contained document in the style of the web page.
 * @param scripts paths of page scripts, each after those that it imports
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

/** A page that some hosts show next to a tool's result. Source: MCP Apps (SEP-1865), revision 2026-01-26. */
export interface App {
  /** Begins with `ui://`. */
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly description: string
  /** Tools whose results it shows. */
  readonly tools: readonly string[]
  /** A self-contained document that communicates only with its host. */
  readonly html: () => string
}
export const defineApp = (app: App): App => Object.freeze(app)

/** Name of the extension, and its media type for documents. */
const EXTENSION = 'io.modelcontextprotocol/ui'
const MIME_TYPE = 'text/html;profile=mcp-app'

/** Whether a client can show apps; the others are not offered any. */
export function showsApps ({ extensions }: { readonly extensions?: unknown }): boolean {
  const { [EXTENSION]: settings } = (extensions ?? {}) as Record<string, { readonly mimeTypes?: unknown } | undefined>
  return Array.isArray(settings?.mimeTypes) && settings.mimeTypes.includes(MIME_TYPE)
}

/** An empty policy: nothing may be loaded from any origin. */
const META = { ui: { csp: {}, prefersBorder: true } }

export const listedApp = ({ uri, name, title, description }: App) =>
  ({ uri, name, title, description, mimeType: MIME_TYPE, _meta: META })

export const appContent = ({ uri, html }: App) => ({ uri, mimeType: MIME_TYPE, text: html(), _meta: META })

/** Links a tool to the page that shows its results. */
export const appMeta = ({ uri }: App) => ({ _meta: { ui: { resourceUri: uri } } })

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
