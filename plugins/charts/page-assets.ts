import { createHash } from 'node:crypto'
import { findPageFiles, readPageFile, type PageFiles } from '../../core/index.js'
import { CHART_STYLE } from './svg/style.js'

const NAME = 'charts'

let found: PageFiles | undefined
const pageFiles = () => (found ??= findPageFiles(NAME))
/** Path of script and style sheet, relative to the page. */
const folder = () => `${NAME}/page-${pageFiles().mark}`

export const scriptPath = () => `${folder()}/dashboard.js`
export const stylePath = () => `${folder()}/dashboard.css`

let style: string | undefined
/** The style sheet, for a self-contained page. */
export const pageStyle = () => (style ??= readPageFile(NAME, 'dashboard.css'))

const hashSource = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Hash of the one style sheet in every drawing. */
export const chartStyleHash = hashSource(CHART_STYLE)

/** Content security policy of the dashboard: its own files, and the style sheet in every drawing. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' ${chartStyleHash}`,
  'img-src data:',
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'self'"
].join('; ')

/** The policy of a self-contained page, which loads nothing. */
export const filePolicy = () =>
  `default-src 'none'; style-src ${chartStyleHash} ${hashSource(pageStyle())}; img-src data:; base-uri 'none'`

/** Script and style sheet, by the path prefix under which they are served. */
export const pageAssets = (prefix: string): ReadonlyMap<string, PageFiles> =>
  new Map([[`${prefix}/${folder()}`, pageFiles()]])
