import { Type, type TSchema } from 'typebox'
import { Failure, route } from '../../core/index.js'
import { paths, readPage, readPanels } from './operations.js'
import { PAGE_POLICY } from './page-assets.js'

const tag = 'System'
const PRINTER = 'Name of a configured printer; the default printer when left out'
const FOUND = 200
const NOT_CONNECTED = 400
const HTML = { content: { 'text/html': { schema: Type.String() } } } as unknown as TSchema

/** An hour without recorded values is not an error. */
const PANELS = Type.Union([readPanels.output, Failure])

export default [
  route(readPage, {
    method: 'GET',
    ...paths.page,
    tag,
    params: Type.Object({ printer: Type.Optional(Type.String({ description: PRINTER })) }),
    input: params => params,
    body: HTML,
    answers: { [NOT_CONNECTED]: { description: 'No such printer, or no session for it: a page that says so', body: HTML } },
    reply: ({ html, found }, _params, response) => response.code(found ? FOUND : NOT_CONNECTED)
      .type('text/html; charset=utf-8')
      .headers({
        'cache-control': 'no-store',
        'content-security-policy': PAGE_POLICY,
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff'
      })
      .send(html)
  }),
  route(readPanels, { method: 'GET', ...paths.panels, tag, etag: true, errors: 'text', body: PANELS })
]
