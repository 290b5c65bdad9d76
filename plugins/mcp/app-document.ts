import { createHash } from 'node:crypto'
import { fillPage, readPageFile } from '../http/index.js'

/** A script of a plugin's page: `mcp/host.js`. */
const read = (path: string): string => {
  const [plugin = '', name = ''] = path.split('/')
  return readPageFile(plugin, name)
}

const STYLES = ['shell/tokens.css', 'shell/shell.css', 'web/parts.css', 'mcp/app.css']

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
export function appDocument (title: string, scripts: readonly string[]): string {
  const script = joined(scripts)
  const style = STYLES.map(read).join('\n')
  return fillPage(readPageFile('mcp', 'app.html'), { title, policy: policyFor(script) }, { script, style })
}
