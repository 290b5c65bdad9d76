import { createHash } from 'node:crypto'
import {
  fillPage, findPageFiles, pageFilePath, readPageFile, type PageContent, type Preferences, type ShellPage
} from '../../core/index.js'
import { CONDITIONS, JOB_CONDITIONS } from '../state/index.js'
import { icons } from './icons.data.js'
import { importMapOf, openPage, packageFiles, type OpenedPage, type ScriptImports, type Served } from './page-files.js'
import { textsOf } from './texts.js'

const NAME = 'shell'

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
  /** The caller may do nothing but look. */
  readonly isViewer: boolean
  /** Whether the caller may see a page. */
  readonly isShown: (page: ShellPage) => boolean
  readonly redact: (text: string) => string
}

export interface Documents {
  /** All files, by the folder they are served from. */
  readonly served: readonly Served[]
  /** Folder of the shell's own files, below the root. */
  readonly shell: string
  /** @returns the document of a page that has content, and its policy */
  render (page: ShellPage, view: View): { readonly html: string, readonly policy: string }
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Content security policy of a page: files and data of this service only. */
export function policyOf (importMap: string, allow: PageContent['allow'] = {}): string {
  const sources: Readonly<Record<string, readonly string[]>> = {
    'default-src': ["'none'"],
    'script-src': ["'self'", hashOf(importMap)],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:', 'blob:'],
    'font-src': ["'self'"],
    'media-src': ["'self'", 'blob:'],
    'connect-src': ["'self'"],
    'frame-src': ["'self'"],
    'manifest-src': ["'self'"],
    'worker-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ["'self'"]
  }
  const isClosed = (name: string) => allow[name]?.join() === "'none'"
  return Object.entries(sources).map(([name, own]) =>
    [name, ...isClosed(name) ? [] : own, ...allow[name] ?? []].join(' ')).join('; ')
}

/** JSON that is safe inside a script element. */
const inElement = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c')

export const iconOf = (icon: string): string => (icons as Readonly<Record<string, string>>)[icon] ?? icon

/** A page in the navigation. */
interface Link {
  readonly id: string
  readonly within: ShellPage['within']
  readonly icon: string
  readonly key: ShellPage['key']
  readonly badge: ShellPage['badge']
  readonly title: string
  readonly path: string
}

type Texts = ReturnType<typeof textsOf>

const linksOf = (pages: readonly ShellPage[], texts: Texts): Link[] =>
  pages.map(({ id, within, path, icon, key, badge }) => ({
    id, within, icon: iconOf(icon), key, badge, title: texts[`${id}.title`] ?? id, path: path.slice(1)
  }))

/** What the page's script gets. */
const dataOf = (page: ShellPage, base: string, { preferences, printers, account }: View, texts: Texts,
  links: readonly Link[]) => ({
  page: page.id,
  base,
  account,
  ...preferences,
  printers,
  texts,
  icons,
  conditions: CONDITIONS,
  jobConditions: JOB_CONDITIONS,
  links: links.map(({ icon: _drawn, within: _area, ...rest }) => rest)
})

const ENTRY = '<li><a href="{{href}}" data-page="{{id}}" aria-current="{{current}}">' +
  '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="{{icon}}"/></svg><span>{{title}}</span><b class="count" hidden></b></a></li>'

const SIDE = '<nav class="side" aria-label="{{area}}"><p>{{area}}</p><ul>{{entries}}</ul></nav>'
const SIDE_ENTRY = '<li><a href="{{href}}" data-page="{{id}}" aria-current="{{current}}">' +
  '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="{{icon}}"/></svg><span>{{title}}</span></a></li>'

/** On every page, so that nobody fills in a form in vain. */
const LOOKS = '<aside class="looks"><p>{{shell.looks}}</p></aside>'

/** The pages of one area, for the list beside their content: the area's own page is the first. */
function sideOf (links: readonly Link[], area: string, texts: Texts, entry: (link: Link, markup: string) => string):
string {
  const first = links.filter(({ id }) => id === area)
    .map(link => ({ ...link, title: texts[`${area}.first`] ?? link.title }))
  const entries = [...first, ...links.filter(({ within }) => within === area)]
  if (entries.length < 2) return ''
  const list = entries.map(link => entry(link, SIDE_ENTRY)).join('\n')
  return fillPage(SIDE, { area: texts[`${area}.title`] ?? area }, { entries: list })
}

/** @param base path from the page to the root @param query for all links @param current id of the page */
const entryOf = ({ id, icon, title, path }: Link, base: string, query: string, current: string, markup = ENTRY) =>
  fillPage(markup, { id, title, icon, href: `${base}${path}${query}`, current: id === current ? 'page' : 'false' })

/** The page that leads to another in the rail: the one that it is within, if the caller may see that. */
const leaderOf = ({ id, within }: Pick<ShellPage, 'id'> & { within?: string | undefined }, links: readonly Link[]): string =>
  within !== undefined && links.some(link => link.id === within) ? within : id

const markupOf = (addresses: readonly string[], rel: string): string =>
  addresses.map(address => `<link rel="${rel}" href="${address}">`).join('\n')

/** Prepares everything about pages that does not change while the service runs. */
export function createDocuments (pages: readonly ShellPage[]): Documents {
  // The style sheet is shared with the login page.
  const files = findPageFiles(NAME, [...packageFiles(), pageFilePath('http', 'tokens.css')])
  const shell: Served = { folder: `shell/${files.mark}`, files }
  const frame = readPageFile(NAME, 'frame.html')
  const rail = [...pages].sort((a, b) => a.order - b.order)
  const known: ScriptImports = new Map()
  const opened = new Map<string, OpenedPage>(pages.flatMap(page =>
    page.content ? [[page.id, openPage(page, page.content, shell, known)] as const] : []))

  function render (page: ShellPage, view: View) {
    const content = opened.get(page.id)
    if (content === undefined) throw new Error(`the page ${page.id} has no content`)
    const { preferences: { language, theme }, printer } = view
    const base = '../'.repeat(Math.max(0, view.path.split('/').length - 2))
    const texts = textsOf(pages, page, language)
    const query = printer === '' ? '' : `?printer=${encodeURIComponent(printer)}`
    const importMap = importMapOf(base, shell.folder, content.imports)
    const links = linksOf(rail.filter(listed => listed.unlisted !== true && view.isShown(listed)), texts)
    const area = leaderOf(page, links)
    const side = sideOf(links, area, texts, (link, markup) => entryOf(link, base, query, page.id, markup))
    const html = fillPage(frame, {
      ...texts,
      language,
      theme,
      page: page.id,
      title: texts[`${page.id}.title`] ?? page.id,
      base,
      home: `${base || './'}`,
      shell: `${base}${shell.folder}`,
      script: `${base}${content.folder}/${content.script}`,
      moreIcon: icons.more,
      contentClass: side === '' ? 'content' : 'content sided'
    }, {
      importMap,
      data: view.redact(inElement(dataOf(page, base, view, texts, links))),
      entries: links.filter(link => leaderOf(link, links) === link.id)
        .map(link => entryOf(link, base, query, area)).join('\n'),
      side,
      looks: view.isViewer ? fillPage(LOOKS, texts) : '',
      styles: markupOf(content.styles.map(name => `${base}${content.folder}/${name}`), 'stylesheet'),
      preloads: markupOf(content.preloads.map(address => base + address), 'modulepreload'),
      content: fillPage(content.html, texts)
    })
    return { html, policy: policyOf(importMap, content.allow) }
  }

  return { served: [shell, ...opened.values()], shell: shell.folder, render }
}
