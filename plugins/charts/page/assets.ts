import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { CHART_STYLE } from '../svg/style.js'
import { PAGE_SCRIPT } from './script.data.js'
import { PAGE_STYLE } from './style.data.js'

const sha256 = (text: string) => createHash('sha256').update(text)
const mark = (text: string) => sha256(text).digest('hex').slice(0, 12)

interface Asset { readonly path: string, readonly type: string, readonly text: string }

/** The name follows the content, so that browsers may keep it for good and never show an old one. */
const asset = (kind: 'js' | 'css', type: string, text: string): Asset =>
  ({ path: `charts/page-${mark(text)}.${kind}`, type: `${type}; charset=utf-8`, text })

const script = asset('js', 'text/javascript', PAGE_SCRIPT)
const style = asset('css', 'text/css', PAGE_STYLE)

/** Addresses of script and style sheet, seen from the page. */
export const SCRIPT_PATH = script.path
export const STYLE_PATH = style.path

const hashSource = (text: string) => `'sha256-${sha256(text).digest('base64')}'`

/** What the dashboard page may load: its own files, and the one style sheet that every drawing carries. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' ${hashSource(CHART_STYLE)}`,
  'img-src data:',
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'self'"
].join('; ')

/** The same for a page in a file, which loads nothing. */
export const FILE_POLICY =
  `default-src 'none'; style-src ${hashSource(CHART_STYLE)} ${hashSource(PAGE_STYLE)}; img-src data:; base-uri 'none'`

/** Serves script and style sheet below the API's prefix. */
export function serveAssets (app: FastifyInstance, prefix: string): void {
  for (const { path, type, text } of [script, style]) {
    app.get(`${prefix}/${path}`, { schema: { hide: true } }, (_request, reply) => reply.type(type)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('x-content-type-options', 'nosniff')
      .send(text))
  }
}
