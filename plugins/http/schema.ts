import { policy, type Route } from '../../core/index.js'
import type { TObject } from 'typebox'
import type { Dialect } from './dialect.js'

type Fields = Record<string, unknown>

const PRINTER = {
  type: 'string',
  description: 'Name of a configured printer. When left out: the default printer (see `GET /api/default_printer`).'
}

const ERROR_BODY = {
  type: 'object',
  properties: { status: { type: 'string', enum: ['error'] }, error: { type: 'string' }, reason: { type: 'string' } }
}
const errorReply = (description: string) => ({ description, ...ERROR_BODY })

/** `set_bed_target_temp` by PATCH becomes `patchSetBedTargetTemp`. */
const operationId = ({ method, path }: Route): string =>
  method.toLowerCase() + path.split(/[/_.:{}*-]+/).filter(Boolean)
    .map(word => word.charAt(0).toUpperCase() + word.slice(1)).join('')

/** What a route says of itself in the API description. It is documentation only: parameters are read elsewhere. */
export function routeSchema (face: Route, plugin: string, { onePrinter = false, failures }: Dialect): Fields {
  const { operation, method, params = operation.input } = face
  const { marker } = policy[operation.effect]
  const own = !onePrinter && operation.scope === 'printer' && !('printer' in params.properties) ? { printer: PRINTER } : {}
  return {
    operationId: operationId(face),
    summary: marker + (face.summary ?? operation.summary),
    description: describe(face),
    tags: [face.tag ?? plugin],
    ...inputs(method, params, own),
    response: {
      200: { description: 'Success', ...(face.body ?? (face.reply ? {} : operation.output)) },
      ...(failures ?? replies(face))
    }
  }
}

const describe = ({ operation, summary }: Route): string => [
  summary ?? operation.summary,
  ...(operation.consequence === undefined ? [] : [`${operation.consequence} Ask the user before calling it.`])
].map(sentence => /[.!?]$/.test(sentence) ? sentence : `${sentence}.`).join(' ')

/** Reads take a query; writes take a form, JSON or the query, so none of their parameters is required twice. */
function inputs (method: string, params: TObject, own: Fields): Fields {
  const properties = { ...own, ...params.properties as Fields }
  const required = (params.required as readonly string[] | undefined ?? [])
    .filter(name => (properties[name] as { default?: unknown }).default === undefined)
  const query = { type: 'object', properties, required }
  if (Object.keys(properties).length === 0) return {}
  if (method === 'GET' || method === 'DELETE') return { querystring: query }
  const body = { type: 'object', properties, ...(required.length > 0 && { required }) }
  return {
    consumes: ['application/json', 'application/x-www-form-urlencoded'],
    querystring: { type: 'object', properties: optional(properties, required) },
    body: { ...body, required: [], description: `Required here or in the query: ${listed(required)}.` }
  }
}

const listed = (names: readonly string[]) => names.length === 0 ? 'nothing' : names.map(name => `\`${name}\``).join(', ')

const optional = (properties: Fields, required: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => required.includes(name)
    ? [name, { ...schema as Fields, description: `Required, here or in the body. ${(schema as Fields).description ?? ''}`.trim() }]
    : [name, schema]))

function replies ({ operation }: Route): Fields {
  const changes = policy[operation.effect].permission
  return {
    400: errorReply('Refused because of the request; nothing was sent to the printer'),
    ...(changes && { 409: errorReply("Refused because of the printer's state, or by the printer") }),
    500: errorReply('Unexpected failure')
  }
}
