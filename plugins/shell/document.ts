import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { CONDITIONS, JOB_CONDITIONS } from '../state/index.js'
import { icons } from './icons.data.js'
import { textsOf } from './texts.js'
import { readFileSync } from 'node:fs'
import {
  fillPage, findPageFiles, pageFilePath, readPageFile, type PageContent, type PageFiles, type Preferences,
  type ShellPage
} from '../../core/index.js'

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

const NAME = 'shell'

/** Packages that pages may import, by name: the file beside the package's entry. */
const PACKAGES: Readonly<Record<string, string>> = {
  preact: 'preact.module.js',
  'preact/hooks': 'hooks.module.js',
  htm: 'htm.module.js'
}
const SHELL_MODULES: Readonly<Record<string, string>> = { shell: 'shell.js', ...PACKAGES }
/**
 * Modules that need no browser: pages of this package import them by their path in the sources, so that Node.js can
 * load them too.
 */
const SHARED_MODULES = ['format.js', 'mapping.js'].map(file => [`shell/page/${file}`, file] as const)

/** The values of a page for one request. */
export interface View {
  readonly preferences: Preferences
  /** The printer in all links; empty for none. */
  readonly printer: string
  readonly printers: readonly string[]
  /** Path of the request. Links are relative to it, because the service may be below a path of a proxy. */
  readonly path: string
  /** The logged-in user: null for the token; undefined where no login is required. */
  readonly account: string | null | undefined
  /** Whether the caller may see a page. */
  readonly isShown: (page: ShellPage) => boolean
  readonly redact: (text: string) => string
}

export interface Served { readonly folder: string, readonly files: PageFiles }

export interface Documents {
  /** All files, by the folder they are served from. */
  readonly served: readonly Served[]
  /** @returns the document of a page that has content, and its policy */
  render (page: ShellPage, view: View): { readonly html: string, readonly policy: string }
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const shellFiles = (): PageFiles => {
  const { resolve } = createRequire(import.meta.url)
  const packages = Object.entries(PACKAGES).map(([name, file]) => join(dirname(resolve(name)), file))
  return findPageFiles(NAME, [...packages, pageFilePath('http', 'tokens.css')]) // shared with the login page
}

/** Content security policy of a page: files and data of this service only. */
export function policyOf (importMap: string, allow: PageContent['allow'] = {}): string {
  const sources: Readonly<Record<string, readonly string[]>> = {
    'default-src': ["'none'"],
    'script-src': ["'self'", hashOf(importMap)],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:', 'blob:'],
    'media-src': ["'self'", 'blob:'],
    'connect-src': ["'self'"],
    'frame-src': ["'self'"],
    'manifest-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'self'"]
  }
  return Object.entries(sources).map(([name, own]) => [name, ...own, ...allow[name] ?? []].join(' ')).join('; ')
}

/** JSON that is safe inside a script element. */
const inElement = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c')

export const iconOf = (icon: string): string => (icons as Readonly<Record<string, string>>)[icon] ?? icon

/** Prepares everything about pages that does not change while the service runs. */
export function createDocuments (pages: readonly ShellPage[]): Documents {
  const shell = shellFiles()
  const shellFolder = `shell/${shell.mark}`
  const frame = readPageFile(NAME, 'frame.html')
  const rail = [...pages].sort((a, b) => a.order - b.order)
  const contents = new Map(pages.flatMap(page =>
    page.content ? [[page.id, openContent(page, page.content)] as const] : []))

  function openContent (page: ShellPage, content: PageContent) {
    const modules = Object.entries(content.modules ?? {})
    const files = findPageFiles(content.files, modules.map(([, path]) => path))
    const folder = `shell/${page.id}-${files.mark}`
    const names = [...files.paths.keys()]
    const script = content.script ?? 'main.js'
    return {
      folder,
      files,
      script,
      allow: content.allow,
      html: readPageFile(content.files, content.html ?? 'index.html'),
      styles: content.styles ?? names.filter(name => name.endsWith('.css')),
      preloads: preloadsOf(script, { folder, files }, { folder: shellFolder, files: shell }),
      imports: Object.fromEntries(modules.map(([name, path]) => [name, `${folder}/${basename(path)}`]))
    }
  }

  const markupOf = (addresses: readonly string[], rel: string) =>
    addresses.map(address => `<link rel="${rel}" href="${address}">`).join('\n')

  function render (page: ShellPage, { preferences, printer, printers, path, account, isShown, redact }: View) {
    const content = contents.get(page.id)
    if (content === undefined) throw new Error(`the page ${page.id} has no content`)
    const base = '../'.repeat(Math.max(0, path.split('/').length - 2))
    const texts = textsOf(pages, page, preferences.language)
    const query = printer === '' ? '' : `?printer=${encodeURIComponent(printer)}`
    const imports = {
      ...Object.fromEntries(Object.entries(SHELL_MODULES).map(([name, file]) => [name, `${shellFolder}/${file}`])),
      ...content.imports
    }
    const importMap = JSON.stringify({
      imports: Object.fromEntries([
        ...Object.entries(imports).map(([name, file]) => [name, `./${base}${file}`]),
        // a page's script is served two folders deep, so its ../../shell/page resolves to a path below the base
        ...SHARED_MODULES.map(([place, file]) => [`./${base}${place}`, `./${base}${shellFolder}/${file}`])
      ])
    })
    const links = rail.filter(isShown).map(({ id, path, icon, key, badge }) => ({
      id, icon: iconOf(icon), key, badge, title: texts[`${id}.title`] ?? id, path: path.slice(1)
    }))
    const data = {
      page: page.id,
      base,
      account,
      ...preferences,
      printers,
      texts,
      icons,
      conditions: CONDITIONS,
      jobConditions: JOB_CONDITIONS,
      links: links.map(({ icon: _drawn, ...rest }) => rest)
    }
    const entry = ({ id, icon, title, path }: typeof links[number]) => fillPage(ENTRY, {
      id, title, icon, href: `${base}${path}${query}`, current: id === page.id ? 'page' : 'false'
    })
    const html = fillPage(frame, {
      ...texts,
      language: preferences.language,
      theme: preferences.theme,
      page: page.id,
      title: texts[`${page.id}.title`] ?? page.id,
      base,
      home: `${base || './'}`,
      shell: `${base}${shellFolder}`,
      script: `${base}${content.folder}/${content.script}`,
      moreIcon: icons.more
    }, {
      importMap,
      data: redact(inElement(data)),
      entries: links.map(entry).join('\n'),
      styles: markupOf(content.styles.map(name => `${base}${content.folder}/${name}`), 'stylesheet'),
      preloads: markupOf(content.preloads.map(address => base + address), 'modulepreload'),
      content: fillPage(content.html, texts)
    })
    return { html, policy: policyOf(importMap, content.allow) }
  }

  return {
    served: [{ folder: shellFolder, files: shell }, ...contents.values()],
    render
  }
}

const ENTRY = '<li><a href="{{href}}" data-page="{{id}}" aria-current="{{current}}">' +
  '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="{{icon}}"/></svg><span>{{title}}</span><b class="count" hidden></b></a></li>'
