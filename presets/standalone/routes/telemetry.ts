import { Type } from 'typebox'
import { route } from '../../../core/index.js'
import { COLLECTION_NAMES } from '../telemetry-view/collections.data.js'
import { dumpCollections, readTelemetry, Telemetry, zoom } from '../operations/telemetry.js'
import { successOnly, SuccessOnly } from '../param-schemas.js'

const tag = 'System'
export const JSON_LINES = 'application/jsonl+json'
export const LINES_BODY = Type.Unsafe<string>({ content: { [JSON_LINES]: { schema: { type: 'string' } } } })

const zoomRoute = (way: 'in' | 'out', summary: string) => route(zoom, {
  method: 'GET',
  path: `/zoom_${way}`,
  tag,
  summary,
  params: Type.Object({ name: Type.Enum(COLLECTION_NAMES) }),
  input: ({ name }) => ({ name, way }),
  body: SuccessOnly,
  reply: successOnly
})

export default [
  route(readTelemetry, { method: 'GET', path: '/get_all_data', tag, body: Telemetry }),
  zoomRoute('in', 'Show 500 s less of a chart'),
  zoomRoute('out', 'Show 500 s more of a chart'),
  route(dumpCollections, {
    method: 'GET',
    path: '/dump_data_ds.collections',
    tag,
    body: LINES_BODY,
    reply: (text, _params, response) => response.type(JSON_LINES).header('cache-control', 'no-store').send(text)
  })
]
