import { createHash } from 'node:crypto'
import { findPageFiles, readPageFile, type PageFiles } from '../../core/index.js'
import { CHART_STYLE } from './svg/style.js'

const NAME = 'charts'

let found: PageFiles | undefined
const pageFiles = () => (found ??= findPageFiles(NAME))
/** Where script and style sheet are, seen from the page. */
const folder = () => `${NAME}/page-${pageFiles().mark}`

export const scriptPath = () => `${folder()}/dashboard.js`
export const stylePath = () => `${folder()}/dashboard.css`

let style: string | undefined
/** The style sheet, for a page in a file. */
export const pageStyle = () => (style ??= readPageFile(NAME, 'dashboard.css'))

const hashSource = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The one style sheet that every drawing carries. */
export const chartStyleHash = hashSource(CHART_STYLE)

/** What the dashboard page may load: its own files, and the one style sheet that every drawing carries. */
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

/** The same for a page in a file, which loads nothing. */
export const filePolicy = () =>
  `default-src 'none'; style-src ${chartStyleHash} ${hashSource(pageStyle())}; img-src data:; base-uri 'none'`

/** Script and style sheet, by the path below which they are served. */
export const pageAssets = (prefix: string): ReadonlyMap<string, PageFiles> =>
  new Map([[`${prefix}/${folder()}`, pageFiles()]])
