import type { TObject, TSchema } from 'typebox'
import { policy, accessOf, type Route } from '../../core/index.js'
import type { Dialect } from './dialect.js'
import { ok, Success, UNCONFIRMED_HEADER } from './ok.js'
import { failuresOf, risksOf } from './replies.js'

type Fields = Record<string, unknown>

const PRINTER = {
  type: 'string',
  description: 'Name of a configured printer. When left out: the default printer (see `GET /api/default_printer`).'
}

/** What a description has to know of the service beside the route. */
export interface Surroundings {
  readonly dialect: Dialect
  /** A token is needed. */
  readonly locked: boolean
  /** Asked only so often. */
  readonly limited: boolean
}

/** `set_bed_target_temp` by PATCH becomes `patchSetBedTargetTemp`. */
const operationId = ({ method, path }: Route): string =>
  method.toLowerCase() + path.split(/[/_.:{}*-]+/).filter(Boolean)
    .map(word => word.charAt(0).toUpperCase() + word.slice(1)).join('')

/** What a route says of itself in the API description. It is documentation only: parameters are read elsewhere. */
export function routeSchema (face: Route, plugin: string, { dialect, locked, limited }: Surroundings): Fields {
  const { operation, params = operation.input } = face
  const own = dialect.onePrinter !== true && operation.scope === 'printer' && !('printer' in params.properties)
    ? { printer: PRINTER }
    : {}
  return {
    operationId: operationId(face),
    summary: markerOf(face) + (face.summary ?? operation.summary),
    description: describe(face),
    tags: [face.tag ?? plugin],
    ...inputs(face, params, own),
    response: { ...failuresOf(risksOf(face, limited, locked), dialect), ...answersOf(face) }
  }
}

/** What changes something carries the mark of what acts on a printer; reads that also do so are told by their text. */
export const markerOf = ({ method, operation: { effect } }: Pick<Route, 'method' | 'operation'>): string =>
  effect === 'local' && method !== 'GET' ? policy.write.marker : policy[effect].marker

const describe = ({ operation, summary }: Route): string => [
  summary ?? operation.summary,
  ...(operation.consequence === undefined ? [] : [`${operation.consequence} Ask the user before calling it.`]),
  ...(accessOf(operation) === 'trusted' ? ['Without a token only for this machine'] : [])
].map(sentence => /[.!?]$/.test(sentence) ? sentence : `${sentence}.`).join(' ')

interface Shown { readonly required?: boolean, readonly [keyword: string]: unknown }

/**
 * Parameters as callers should see them: where a schema is wider than what is accepted in the end, because what is
 * refused has words of its own, `x-openapi` says what is accepted.
 */
export function shownParams ({ properties, required }: TObject): { properties: Fields, required: string[] } {
  const must: string[] = []
  const shown = Object.entries((properties ?? {}) as Record<string, Fields>).map(([name, property]) => {
    const { 'x-openapi': told, ...plain } = property
    const { required: needed, ...rest } = (told ?? {}) as Shown
    const given = (required as readonly string[] | undefined ?? []).includes(name) && plain.default === undefined
    if (needed ?? given) must.push(name)
    return [name, { ...plain, ...rest }] as const
  })
  return { properties: Object.fromEntries(shown), required: must }
}

function inputs ({ method, path }: Route, params: TObject, own: Fields): Fields {
  const { properties: given, required: needed } = shownParams(params)
  const isInPath = (name: string) => path.split('/').includes(`:${name}`)
  const inPath = Object.keys(given).filter(isInPath)
  const named = inPath.length > 0 ? { params: { type: 'object', properties: pick(given, inPath), required: inPath } } : {}
  const properties = { ...own, ...pick(given, Object.keys(given).filter(name => !isInPath(name))) }
  const required = needed.filter(name => !isInPath(name))
  return { ...named, ...(Object.keys(properties).length > 0 && outsidePath(method, properties, required)) }
}

const pick = (fields: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(names.map(name => [name, fields[name]]))

/** Reads take a query. Writes take a form or JSON; their query is described too, with nothing required in it. */
function outsidePath (method: string, properties: Fields, required: readonly string[]): Fields {
  if (method === 'GET' || method === 'DELETE') return { querystring: { type: 'object', properties, required } }
  return {
    consumes: ['application/json', 'application/x-www-form-urlencoded'],
    querystring: { type: 'object', properties: optional(properties, required) },
    body: {
      type: 'object',
      properties,
      ...(required.length > 0 && { required }),
      description: 'The parameters. Those that are texts, numbers or switches may stand in the query instead.'
    }
  }
}

const optional = (properties: Fields, required: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => required.includes(name)
    ? [name, { ...schema as Fields, description: inQuery(schema as Fields) }]
    : [name, schema]))

const inQuery = ({ description = '' }: { description?: unknown }): string =>
  `Required, here or in the body. ${String(description)}`.trim()

const header = (description: string) => ({ type: 'string', description })

const UNCONFIRMED = { [UNCONFIRMED_HEADER]: header('`unconfirmed`: the printer did not answer') }
const TAG = { etag: header('Send it back as If-None-Match; only large answers have one') }
const UNCHANGED = { type: 'null', description: 'Nothing has changed since the answer with this ETag' }

const shapeOf = ({ body, reply, operation }: Route): TSchema | undefined =>
  body ?? (reply === ok ? Success : reply ? undefined : operation.output)

const contentOf = (shape: object): object =>
  'content' in shape ? { content: shape.content } : { content: { 'application/json': { schema: shape } } }

function answersOf (face: Route): Fields {
  const shape = shapeOf(face)
  const { etag: tagged = false } = face
  return {
    200: {
      description: 'Success',
      ...(shape && contentOf(shape)),
      ...(face.reply === ok ? { headers: UNCONFIRMED } : tagged ? { headers: TAG } : {})
    },
    ...(tagged && { 304: UNCHANGED }),
    ...Object.fromEntries(Object.entries(face.answers ?? {}).map(([status, { description, body }]) =>
      [status, { description, ...(body ? contentOf(body) : { type: 'null' }) }]))
  }
}
