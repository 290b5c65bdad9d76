import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fillPage, findPageFiles, readPageFile, type PageFiles } from '../http/index.js'

/** Everything the plugin serves beside the page itself lies here. */
export const PREFIX = '/plugins/web'

/** The modules of packages that the page uses, by the name it imports them by: the file beside the package's entry. */
const MODULES: Readonly<Record<string, string>> = {
  preact: 'preact.module.js',
  'preact/hooks': 'hooks.module.js',
  htm: 'htm.module.js'
}

export interface WebDocument {
  readonly html: string
  /** @param host name by which the page was asked for */
  readonly policyFor: (host: string) => string
  /** Of the files, seen from the page, so that it may also lie below a path of a proxy. */
  readonly folder: string
  readonly files: PageFiles
}

/** The document that loads the page's modules. */
export function createDocument (): WebDocument {
  const { resolve } = createRequire(import.meta.url)
  const files = findPageFiles('web', Object.entries(MODULES).map(([name, file]) => join(dirname(resolve(name)), file)))
  const folder = `${PREFIX.slice(1)}/${files.mark}`
  const names = [...files.paths.keys()]
  const imports = Object.fromEntries(Object.entries(MODULES).map(([name, file]) => [name, `./${folder}/${file}`]))
  const importMap = JSON.stringify({ imports })
  const links = (rel: string, names: readonly string[]) =>
    names.map(name => `<link rel="${rel}" href="${folder}/${name}">`).join('\n')
  return {
    folder,
    files,
    policyFor: host => policyOf(host, hashSource(importMap)),
    html: fillPage(readPageFile('web', 'index.html'), { folder }, {
      importMap,
      styles: links('stylesheet', names.filter(name => name.endsWith('.css') && name !== 'panel.css')),
      modules: links('modulepreload', names.filter(name => name.endsWith('.js') && name !== 'main.js'))
    })
  }
}

const hashSource = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const PLAIN_HOST = /^[a-z0-9.-]+$/

/**
 * What the page may load: its own files and data, and the camera stream, which has another port of this host.
 * @param host name by which the page was asked for
 * @param importMap hash of the one script that stands in the page
 */
export function policyOf (host: string, importMap: string): string {
  const streams = PLAIN_HOST.test(host) ? ` http://${host}:*` : '' // a policy cannot name an IPv6 address
  return [
    "default-src 'none'",
    `script-src 'self' ${importMap}`,
    "style-src 'self'",
    `img-src 'self' data: blob:${streams}`,
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'"
  ].join('; ')
}
