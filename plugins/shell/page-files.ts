import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { findPageFiles, readPageFile, type PageContent, type PageFiles, type ShellPage } from '../../core/index.js'

export interface Served { readonly folder: string, readonly files: PageFiles }

/** Imports from the page's own folder, or from the shell's folder by its path in the sources. */
const IMPORT = /\b(?:from|import)\s*'(\.\/|\.\.\/\.\.\/shell\/page\/)([\w.-]+\.js)'/g

/** Imports of the scripts that were read, by their paths: all pages import the same modules of the shell. */
export type ScriptImports = Map<string, readonly RegExpMatchArray[]>

function importsOf (path: string, known: ScriptImports): readonly RegExpMatchArray[] {
  const imports = known.get(path) ?? [...readFileSync(path, 'utf8').matchAll(IMPORT)]
  known.set(path, imports)
  return imports
}

/** Addresses of the modules that a script imports, without its own. */
function preloadsOf (script: string, own: Served, shell: Served, known: ScriptImports): string[] {
  const found = new Set<string>()
  const visit = (served: Served, name: string): void => {
    const path = served.files.paths.get(name)
    const address = `${served.folder}/${name}`
    if (path === undefined || found.has(address)) return
    found.add(address)
    for (const [, from, next = ''] of importsOf(path, known)) {
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

/** @param known imports that were read for other pages; those of this page are added */
export function openPage ({ id }: ShellPage, content: PageContent, shell: Served, known: ScriptImports): OpenedPage {
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
    preloads: preloadsOf(script, { folder, files }, shell, known),
    imports: Object.fromEntries(modules.map(([name, path]) => [name, `${folder}/${basename(path)}`]))
  }
}

/** Packages of pages, by name: the file beside the package's entry. */
const PACKAGES: Readonly<Record<string, string>> = {
  preact: 'preact.module.js',
  'preact/hooks': 'hooks.module.js',
  htm: 'htm.module.js'
}
const SHELL_MODULES: Readonly<Record<string, string>> = {
  shell: 'shell.js',
  components: 'components.js',
  'printer-drawing': 'printer-drawing.js',
  ...PACKAGES,
  preact: 'preact.js', // draws with the package, and says what throws
  'preact-itself': 'preact.module.js'
}
/**
 * Modules that need no browser: pages of this package import them by their path in the sources, so that Node.js can
 * load them too.
 */
const SHARED_MODULES = ['findings.js', 'format.js', 'keep-card.js', 'mapping.js', 'use-visible-rows.js'].map(file => [`shell/page/${file}`, file] as const)

/** Paths of the packages' files. */
export const packageFiles = (): string[] => {
  const { resolve } = createRequire(import.meta.url)
  return Object.entries(PACKAGES).map(([name, file]) => join(dirname(resolve(name)), file))
}

/**
 * The import map of a page.
 * @param base path from the page to the root @param folder of the shell @param imports addresses of the page's modules
 */
export function importMapOf (base: string, folder: string, imports: Readonly<Record<string, string>>): string {
  const all = {
    ...Object.fromEntries(Object.entries(SHELL_MODULES).map(([name, file]) => [name, `${folder}/${file}`])),
    ...imports
  }
  return JSON.stringify({
    imports: Object.fromEntries([
      ...Object.entries(all).map(([name, file]) => [name, `./${base}${file}`]),
      // a page's script is served two folders deep, so its ../../shell/page resolves to a path below the base
      ...SHARED_MODULES.map(([place, file]) => [`./${base}${place}`, `./${base}${folder}/${file}`])
    ])
  })
}
