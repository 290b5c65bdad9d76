import { Type, type TSchema } from 'typebox'
import { route } from '../../core/index.js'
import { paths, readPage, readPanels } from './operations.js'
import { PAGE_POLICY } from './page/assets.js'

const tag = 'System'
const PRINTER = 'Name of a configured printer; the default printer when left out'
const FOUND = 200
const NOT_CONNECTED = 400
const HTML = { content: { 'text/html': { schema: Type.String() } } } as unknown as TSchema

export default [
  route(readPage, {
    method: 'GET',
    ...paths.page,
    tag,
    params: Type.Object({ printer: Type.Optional(Type.String({ description: PRINTER })) }),
    input: params => params,
    body: HTML,
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
  route(readPanels, { method: 'GET', ...paths.panels, tag, errors: 'text' })
]
