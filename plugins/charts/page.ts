import { filePolicy, pageStyle, scriptPath, stylePath } from './page-assets.js'
import type { ChartPanel } from './panel.js'
import { escapeText, tag } from './svg/tag.js'

/** Content of a page. */
export interface PageContent {
  readonly printer: string
  readonly panels: readonly ChartPanel[]
  /** One drawing for each panel. */
  readonly drawings: readonly string[]
  /** Local time of the drawings. */
  readonly ts: string
}

const ICON = 'data:image/svg+xml,' + encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">' +
  '<path d="M1 13 5 7l4 3 6-8" fill="none" stroke="#0a84c6" stroke-width="2.4" stroke-linecap="round"/></svg>')

const document = (title: string, head: string, body: string, printer?: string): string => '<!doctype html>\n' +
  tag('html', { lang: 'en' },
    tag('head', {},
      '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
      tag('title', {}, escapeText(title)),
      `<link rel="icon" href="${escapeText(ICON)}">`,
      head),
    tag('body', { 'data-printer': printer }, body)) + '\n'

const linked = () => `<link rel="stylesheet" href="${stylePath()}"><script src="${scriptPath()}"></script>`
const inline = () =>
  `<meta http-equiv="content-security-policy" content="${escapeText(filePolicy())}"><style>${pageStyle()}</style>`

const titleOf = (printer: string) => `Charts of ${printer}`

/** The heading is for screen readers; the drawing shows the title itself. */
const section = ({ id, title }: ChartPanel, drawing: string): string =>
  tag('section', { class: 'panel', tabindex: '0', 'aria-labelledby': `panel-${id}` },
    tag('h2', { class: 'unseen', id: `panel-${id}` }, escapeText(title)),
    tag('div', { class: 'chart' }, drawing))

const sections = ({ panels, drawings }: PageContent): string =>
  tag('main', {}, ...panels.map((panel, at) => section(panel, drawings[at] ?? '')))

const option = (value: string, text: string, selected = false) =>
  `<option value="${escapeText(value)}"${selected ? ' selected' : ''}>${escapeText(text)}</option>`

/** A single printer needs no chooser, unless another one was requested. */
function chooser (printers: readonly string[], printer: string): string {
  if (printers.every(name => name === printer)) return ''
  const options = printers.map(name => option(name, name, name === printer)).join('')
  const select = `<label>Printer <select name="printer">${options}</select></label>`
  return `<form action="charts">${select}<button>Show</button></form>`
}

const THEMES = '<span hidden><label>Theme <select id="theme">' +
  option('', 'System') + option('dark', 'Dark') + option('light', 'Light') + '</select></label></span>'
const REFRESH = '<button type="button" id="refresh" hidden>Refresh</button>'

const status = (ts: string) =>
  tag('p', { class: 'status', id: 'status', role: 'status', 'data-ts': ts }, `Updated ${ts}`)

const header = (heading: string, ...parts: readonly string[]): string =>
  tag('header', {}, tag('h1', {}, escapeText(heading)), ...parts)

const tools = (...parts: readonly string[]) => tag('div', { class: 'tools' }, ...parts)

/** The dashboard as served; its script refreshes it. */
export const livePage = (content: PageContent, printers: readonly string[]): string => {
  const { printer, ts } = content
  const head = header(titleOf(printer), status(ts), tools(chooser(printers, printer), REFRESH, THEMES))
  return document(titleOf(printer), linked(), head + sections(content), printer)
}

/** The dashboard as a self-contained document. @param live URL of the served one */
export const filePage = (content: PageContent, live: string | undefined): string => {
  const { printer, ts } = content
  const link = live === undefined ? '' : ` <a href="${escapeText(live)}">Open the live dashboard</a>`
  return document(titleOf(printer), inline(),
    header(titleOf(printer), `<p class="status">As of ${escapeText(ts)}.${link}</p>`) + sections(content))
}

/**
 * A page that explains why there is no dashboard. @param printers alternatives; undefined in a self-contained document
 */
export const absentPage = (message: string, printers?: readonly string[]): string =>
  document(message, printers ? linked() : inline(),
    header('Charts', printers ? tools(chooser(printers, ''), THEMES) : '') +
    tag('main', {}, tag('p', { class: 'message', role: 'alert' }, escapeText(message))))

const wordsOf = (svg: string): string => tag('p', {}, /<(desc|title)\b[^>]*>([^]*?)<\/\1>(?![^]*<desc)/.exec(svg)?.[2] ?? '')

/** The document as text: each drawing is replaced by its description. */
export const withoutDrawings = (html: string): string => html
  .replaceAll(/<(link rel="icon"|meta http-equiv)[^>]*>/g, '')
  .replaceAll(/<svg\b[^]*?<\/svg>/g, wordsOf)
  .replaceAll(/<style>[^]*?<\/style>/g, '')
