import { Type } from 'typebox'
import { operation, route } from '../../core/index.js'
import { sendBytes } from '../http/index.js'

declare module 'prnd' {
  interface Services {
    openapi: {
      /** The API description as JSON, serialised once per form. */
      bytes (pretty: boolean): Promise<Buffer>
    }
  }
}

const AnyObject = Type.Object({}, { additionalProperties: true })
const YES = new Set(['true', '1', 'yes'])

export const readDocument = operation({
  name: 'openapi.readDocument',
  summary: 'This description of the API',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({ pretty: Type.Boolean() }),
  output: Type.Unsafe<Buffer>({}),
  run: ({ services }, { pretty }) => services.openapi.bytes(pretty)
})

export const documentRoute = route(readDocument, {
  method: 'GET',
  path: '/openapi.json',
  etag: true,
  tag: 'System',
  params: Type.Object({
    pretty: Type.Optional(Type.String({ description: '`true`, `1` or `yes`: with line breaks and indentation' }))
  }),
  input: ({ pretty = '' }) => ({ pretty: YES.has(pretty.trim().toLowerCase()) }),
  body: Type.Object({
    openapi: Type.String({ description: 'Version of OpenAPI' }),
    info: AnyObject,
    paths: AnyObject
  }, { additionalProperties: true, description: 'OpenAPI 3.0' }),
  reply: (bytes, _, response) =>
    sendBytes(response.header('cache-control', 'no-store').type('application/json; charset=utf-8'), bytes, { isTagged: true })
})
