import type { TObject, TSchema } from 'typebox'
import { accessOf, ok, policy, Success, UNCONFIRMED_HEADER, type Route } from '../../core/index.js'
import type { Dialect } from './dialect.js'
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
  const { operation, method, path, params = operation.input } = face
  const own = dialect.onePrinter !== true && operation.scope === 'printer' && !('printer' in params.properties)
    ? { printer: PRINTER }
    : {}
  return {
    operationId: operationId(face),
    summary: markerOf(face) + (face.summary ?? operation.summary),
    description: describe(face),
    tags: [face.tag ?? plugin],
    ...inputs(method, params, own, namesIn(path)),
    response: { ...failuresOf(risksOf(face, limited, locked), dialect), ...answersOf(face) }
  }
}

/** What is not asked by GET carries the mark too, also where only this service keeps something of it. */
export const markerOf = ({ method, operation: { effect } }: Pick<Route, 'method' | 'operation'>): string =>
  method === 'GET' ? policy[effect].marker : policy.write.marker

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

/** Parameters that stand in the path: `id` of `/recordings/:id/file`. */
const namesIn = (path: string): readonly string[] => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)

/** Those of some parameters that the test wants. */
const pick = (properties: Fields, isWanted: (name: string) => boolean): Fields =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => isWanted(name)))

/** Reads take a query. Writes take a form or JSON; their query is described too, with nothing required in it. */
function inputs (method: string, params: TObject, own: Fields, inPath: readonly string[]): Fields {
  const { properties: given, required: must } = shownParams(params)
  const properties = pick({ ...own, ...given }, name => !inPath.includes(name))
  const required = must.filter(name => !inPath.includes(name))
  const path = inPath.length > 0 && {
    params: { type: 'object', properties: pick(given, name => inPath.includes(name)), required: inPath }
  }
  if (Object.keys(properties).length === 0) return { ...path }
  if (method === 'GET' || method === 'DELETE') return { ...path, querystring: { type: 'object', properties, required } }
  return {
    ...path,
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
