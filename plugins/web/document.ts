import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fillPage, findPageFiles, pageFilePath, readPageFile, type PageFiles } from '../http/index.js'

/** Everything the plugin serves beside the page itself lies here. */
export const PREFIX = '/plugins/web'

/** The modules of packages that the page uses, by the name it imports them by: the file beside the package's entry. */
const MODULES: Readonly<Record<string, string>> = {
  preact: 'preact.module.js',
  'preact/hooks': 'hooks.module.js',
  htm: 'htm.module.js'
}
/** Of another plugin. */
const PLAYER = { name: 'camera-player', plugin: 'camera', file: 'player.js' } as const

export interface WebDocument {
  readonly html: string
  /** Of the page. */
  readonly policy: string
  /** Of the files, seen from the page, so that it may also lie below a path of a proxy. */
  readonly folder: string
  readonly files: PageFiles
}

/** The document that loads the page's modules. */
export function createDocument (): WebDocument {
  const { resolve } = createRequire(import.meta.url)
  const modules = Object.entries(MODULES).map(([name, file]) => join(dirname(resolve(name)), file))
  const files = findPageFiles('web', [...modules, pageFilePath(PLAYER.plugin, PLAYER.file)])
  const folder = `${PREFIX.slice(1)}/${files.mark}`
  const names = [...files.paths.keys()]
  const named = Object.entries({ ...MODULES, [PLAYER.name]: PLAYER.file })
  const imports = Object.fromEntries(named.map(([name, file]) => [name, `./${folder}/${file}`]))
  const importMap = JSON.stringify({ imports })
  const links = (rel: string, names: readonly string[]) =>
    names.map(name => `<link rel="${rel}" href="${folder}/${name}">`).join('\n')
  return {
    folder,
    files,
    policy: policyOf(hashSource(importMap)),
    html: fillPage(readPageFile('web', 'index.html'), { folder }, {
      importMap,
      styles: links('stylesheet', names.filter(name => name.endsWith('.css') && name !== 'panel.css')),
      modules: links('modulepreload', names.filter(name => name.endsWith('.js') && name !== 'main.js'))
    })
  }
}

const hashSource = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/**
 * What the page may load: its own files and data.
 * @param importMap hash of the one script that stands in the page
 */
export const policyOf = (importMap: string): string => [
  "default-src 'none'",
  `script-src 'self' ${importMap}`,
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'"
].join('; ')
