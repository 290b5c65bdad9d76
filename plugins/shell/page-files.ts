import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { findPageFiles, readPageFile, type PageContent, type PageFiles, type ShellPage } from '../../core/index.js'

export interface Served { readonly folder: string, readonly files: PageFiles }

/** Imports from the page's own folder, or from the shell's folder by its path in the sources. */
const IMPORT = /\b(?:from|import)\s*'(\.\/|\.\.\/\.\.\/shell\/page\/)([\w.-]+\.js)'/g

/** Addresses of the modules that a script imports, without its own. */
function preloadsOf (script: string, own: Served, shell: Served): string[] {
  const found = new Set<string>()
  const visit = (served: Served, name: string): void => {
    const path = served.files.paths.get(name)
    const address = `${served.folder}/${name}`
    if (path === undefined || found.has(address)) return
    found.add(address)
    for (const [, from, next = ''] of readFileSync(path, 'utf8').matchAll(IMPORT)) {
      visit(from === './' ? served : shell, next)
    }
  }
  visit(own, script)
  found.delete(`${own.folder}/${script}`)
  return [...found]
}

/** The files of a page, and what its document needs from them. */
export interface OpenedPage extends Served {
  readonly script: string
  readonly allow: PageContent['allow']
  readonly html: string
  readonly styles: readonly string[]
  readonly preloads: readonly string[]
  /** Addresses of the page's own modules, by name. */
  readonly imports: Readonly<Record<string, string>>
}

export function openPage ({ id }: ShellPage, content: PageContent, shell: Served): OpenedPage {
  const modules = Object.entries(content.modules ?? {})
  const files = findPageFiles(content.files, modules.map(([, path]) => path))
  const folder = `shell/${id}-${files.mark}`
  const script = content.script ?? 'main.js'
  return {
    folder,
    files,
    script,
    allow: content.allow,
    html: readPageFile(content.files, content.html ?? 'index.html'),
    styles: content.styles ?? [...files.paths.keys()].filter(name => name.endsWith('.css')),
    preloads: preloadsOf(script, { folder, files }, shell),
    imports: Object.fromEntries(modules.map(([name, path]) => [name, `${folder}/${basename(path)}`]))
  }
}
